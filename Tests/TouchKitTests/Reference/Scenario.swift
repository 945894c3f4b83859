import Foundation

/// A scene with the actions of fingers and programs: the whole input of TouchKit and the reference.
nonisolated struct Scenario: Sendable, Equatable {
    /// The views; one without a parent is a window. A parent comes before its subviews.
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
    enum Kind: Sendable, CaseIterable { case plain, control, button }
    enum Flag: Sendable, CaseIterable {
        /// `isHidden`, alpha 0.01 (which is hit), alpha 0.005 (which is not), `isUserInteractionEnabled` and `isEnabled` false.
        case hidden, faint, transparent, untouchable, disabled
        /// `isMultipleTouchEnabled`, `isExclusiveTouch`.
        case multiple, exclusive
        /// It does not call super; it has a controller; its bounds start at (32, 0); it extends 32 points beyond its
        /// bounds; it returns nil for itself; it refuses recognizers.
        case silent, controlled, scrolled, larger, passing, refusing
    }

    var parent: Int?
    var frame: CGRect
    var kind = Kind.plain
    var flags: Set<Flag> = []
}

/// One recognizer.
nonisolated struct RecognizerPlan: Sendable, Equatable {
    enum Kind: Sendable, CaseIterable {
        case tap, doubleTap, press, pan, swipe, twoFingerTap, pinch
        /// A recognizer that never sets its state, and a pan that is cancelled in its first move unless that is
        /// horizontal.
        case watcher, lockedPan
        /// A recognizer that begins with the first finger and is cancelled when there is a second.
        case hasty
    }
    enum Flag: Sendable, CaseIterable {
        /// The opposite of the defaults of `cancelsTouchesInView`, `delaysTouchesBegan`, `delaysTouchesEnded`, `isEnabled`.
        case leavesTouches, delaysBegan, endsAtOnce, off
        /// The refusals of its delegate or class: touches, events, to begin, to be prevented, to prevent.
        case refusesTouches, refusesEvents, refusesToBegin, unpreventable, harmless
        /// It does not call super in `touchesBegan`.
        case swallows
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
        enum Phase: Sendable, CaseIterable { case began, moved, ended, cancelled }
        /// The finger's number; a finger that comes down again gets a new one.
        var id: UInt32
        var phase: Phase
        var x: CGFloat
        var y: CGFloat
    }
}
