import Evdev
import Foundation

/// The views and recognizers of a program.
nonisolated protocol Scene: Equatable {
    /// The views; one without a parent is a window. A parent comes before its subviews.
    var views: [ViewPlan] { get set }
    var recognizers: [RecognizerPlan] { get set }
}

nonisolated extension Scene {
    /// Changes that make it simpler; views and recognizers keep their numbers.
    var simplifications: [(inout Self) -> Void] {
        var all: [(inout Self) -> Void] = []
        for (index, plan) in recognizers.enumerated() {
            all.append { $0.recognizers[index] = RecognizerPlan(kind: .watcher, view: 0, flags: [.off]) }
            for flag in plan.flags where flag != .off { all.append { $0.recognizers[index].flags.remove(flag) } }
            for list in [\RecognizerPlan.requires, \.waitsFor, \.holdsUp, \.alongside] {
                all.append { $0.recognizers[index][keyPath: list] = [] }
            }
        }
        for (index, plan) in views.enumerated() {
            for flag in plan.flags { all.append { $0.views[index].flags.remove(flag) } }
            all.append { $0.views[index].kind = .plain }
        }
        return all
    }
}

/// A scene with the actions of fingers and programs: the whole input of TouchKit and the reference.
nonisolated struct Scenario: Scene, Sendable {
    var views: [ViewPlan] = []
    var recognizers: [RecognizerPlan] = []
    /// The changes that handlers make.
    var reactions: [Reaction] = []
    var steps: [Step] = []

    /// The side of the screen in points; a power of two, so that points convert to and from the device's unit square
    /// exactly.
    static let side: CGFloat = 1024
}

/// One view, window or control.
nonisolated struct ViewPlan: Sendable, Equatable {
    enum Kind: Sendable { case plain, button }
    enum Flag: Sendable, CaseIterable {
        /// `isHidden`; `isUserInteractionEnabled` and `isEnabled` false.
        case hidden, untouchable, disabled
        /// `isMultipleTouchEnabled`, `isExclusiveTouch`.
        case multiple, exclusive
        /// It does not call super; it has a controller; it refuses recognizers.
        case silent, controlled, refusing
    }

    var parent: Int?
    var frame: CGRect
    var kind = Kind.plain
    var flags: Set<Flag> = []
}

/// One recognizer.
nonisolated struct RecognizerPlan: Sendable, Equatable {
    enum Kind: Sendable, CaseIterable {
        case tap, doubleTap, press, pan, swipe, twoFingerTap
        /// A recognizer that never sets its state, and one that begins with the first finger and is cancelled when
        /// there is a second.
        case watcher, hasty

        /// Whether it logs its calls, and not only its actions and its delegate's calls.
        var logsCalls: Bool { self == .watcher || self == .hasty }
    }
    enum Flag: Sendable, CaseIterable {
        /// The opposite of the defaults of `cancelsTouchesInView`, `delaysTouchesBegan`, `delaysTouchesEnded`, `isEnabled`.
        case leavesTouches, delaysBegan, endsAtOnce, off
        /// The refusals of its delegate: touches, events, to begin.
        case refusesTouches, refusesEvents, refusesToBegin
        /// The refusals of its class, if that logs calls: to be prevented, to prevent.
        case unpreventable, harmless
    }

    var kind: Kind
    var view: Int
    var flags: Set<Flag> = []
    /// The recognizers that must fail before this one, by `require(toFail:)`.
    var requires: [Int] = []
    /// By its delegate: the recognizers that must fail before this one, those that must wait for it, and those that may
    /// recognize simultaneously.
    var waitsFor: [Int] = []
    var holdsUp: [Int] = []
    var alongside: [Int] = []
}

/// A change by the program.
nonisolated enum Change: Sendable, Equatable {
    case remove(view: Int)
    case add(view: Int, to: Int)
    case hide(view: Int, Bool)
    case interaction(view: Int, Bool)
    case enable(view: Int, Bool)
    case toFront(view: Int)
    case turn(recognizer: Int, on: Bool)
    /// Off and on at once; `state = .failed`.
    case flip(recognizer: Int)
    case fail(recognizer: Int)
    case detach(recognizer: Int)
    case attach(recognizer: Int, to: Int)
    case cancelAll
    case ignore(Bool)
}

/// A change that a handler makes on its first call.
nonisolated struct Reaction: Sendable, Equatable {
    /// The call, without its touches: `v1 began`.
    var call: String
    var change: Change
}

/// The next input.
nonisolated enum Step: Sendable, Equatable {
    /// A frame of the touchscreen, a number of milliseconds after the previous step.
    case frame(after: Int, [Finger])
    case wait(Int)
    case change(Change)

    struct Finger: Sendable, Equatable {
        /// The finger's number; a finger that comes down again gets a new one.
        var id: UInt32
        var phase: Contact.Phase
        var x: CGFloat
        var y: CGFloat
    }
}
