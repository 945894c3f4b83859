import Foundation

/// A scene, and what fingers and programs do to it: all that TouchKit and the reference are given.
nonisolated struct Scenario: Sendable, Equatable {
    /// The views; one without a parent is a window. A parent stands before its subviews.
    var views: [ViewPlan] = []
    var recognizers: [RecognizerPlan] = []
    /// What handlers do.
    var reactions: [Reaction] = []
    var steps: [Step] = []

    /// The side of the screen in points; a power of two, so that points survive the device's unit square to the last bit.
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
        /// It does not call super; it has a controller; its bounds start at (32, 0); it reaches 32 points beyond its bounds; it
        /// answers nil for itself; it refuses recognizers.
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
        /// One that never sets its state, and a pan that is cancelled in the move that began it unless it goes sideways.
        case watcher, lockedPan
        /// One that begins with the first finger, and takes that back when there is a second.
        case hasty
    }
    enum Flag: Sendable, CaseIterable {
        /// The opposite of the defaults of `cancelsTouchesInView`, `delaysTouchesBegan`, `delaysTouchesEnded`, `isEnabled`.
        case leavesTouches, delaysBegan, endsAtOnce, off
        /// What its delegate or class refuses: touches, events, to begin, to be prevented, to prevent.
        case refusesTouches, refusesEvents, refusesToBegin, unpreventable, harmless
        /// It does not call super in `touchesBegan`.
        case swallows
    }

    var kind: Kind
    var view: Int
    var flags: Set<Flag> = []
    /// Those that must fail before this one, by `require(toFail:)`.
    var requires: [Int] = []
    /// Those that must fail before this one, says its delegate; those that must wait for this one; those it goes along with.
    var waitsFor: [Int] = []
    var holdsUp: [Int] = []
    var alongside: [Int] = []
}

/// What a program changes.
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

/// A change that a handler makes, the first time that it is called.
nonisolated struct Reaction: Sendable, Equatable {
    /// The call, without its touches: `v1 began`.
    var call: String
    var change: Change
}

/// What happens next.
nonisolated enum Step: Sendable, Equatable {
    /// A frame of the touchscreen, so many milliseconds after what was before.
    case frame(after: Int, [Finger])
    case wait(Int)
    case change(Change)

    struct Finger: Sendable, Equatable {
        enum Phase: Sendable, CaseIterable { case began, moved, ended, cancelled }
        /// Which finger; one that comes down again is another.
        var id: UInt32
        var phase: Phase
        var x: CGFloat
        var y: CGFloat
    }
}
