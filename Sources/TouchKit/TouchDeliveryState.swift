/// The delivery of a touch to its view: the beginning comes first, and the end comes once.
///
/// `TouchTracker` changes it; others only read it. Events are given by `TouchTracker.eventNumber`.
enum TouchDeliveryState {
    /// The view does not receive the touch.
    case unwanted
    /// The view receives the touch, and has not received its beginning yet.
    case expected
    /// A recognizer delays the beginning, and the end too if the touch has ended in the meantime.
    case beganDelayed(in: Int, ended: Int?, isWanted: Bool)
    /// The view received the beginning.
    case begun
    /// A recognizer delays the end; the view waits for it unless it received a cancellation before.
    case endDelayed(in: Int, isOwed: Bool)
    /// The view received the end or a cancellation.
    case ended
    /// The tracker cancelled the touch; the view has yet to be notified if it received the beginning.
    case cancelled(isOwed: Bool)

    /// Whether the view received the beginning and not yet the end.
    var needsEnd: Bool {
        switch self {
        case .begun: true
        case .endDelayed(_, let isOwed), .cancelled(let isOwed): isOwed
        case .unwanted, .expected, .beganDelayed, .ended: false
        }
    }

    /// Whether the view receives the touch, or will receive it.
    var isWanted: Bool {
        switch self {
        case .expected, .begun: true
        case .beganDelayed(_, _, let isWanted): isWanted
        case .endDelayed(_, let isOwed): isOwed
        case .unwanted, .ended, .cancelled: false
        }
    }

    /// Whether the view received the beginning.
    var hasBegun: Bool {
        switch self {
        case .begun, .endDelayed, .ended, .cancelled: true
        case .unwanted, .expected, .beganDelayed: false
        }
    }

    /// Whether the view received the end or a cancellation.
    var hasEnded: Bool { hasBegun && !needsEnd }

    /// Whether the tracker cancelled the touch, also if its view was not notified.
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }

    /// Whether a recognizer delays the beginning.
    var holdsBegan: Bool { if case .beganDelayed = self { true } else { false } }

    /// Whether a recognizer delays the end.
    var holdsEnded: Bool { endDelayedIn != nil }

    /// The event of the delayed end.
    var endDelayedIn: Int? {
        switch self {
        case .beganDelayed(_, let event, _): event
        case .endDelayed(let event, _): event
        case .unwanted, .expected, .begun, .ended, .cancelled: nil
        }
    }

    /// The event of the delayed beginning.
    var beganDelayedIn: Int? { if case .beganDelayed(let event, _, _) = self { event } else { nil } }

    // MARK: Changes

    /// The view was found, and receives the touch.
    mutating func expect() {
        if case .unwanted = self { self = .expected }
    }

    /// Delays the beginning, which occurred in an event.
    mutating func delayBegan(in event: Int) { self = .beganDelayed(in: event, ended: nil, isWanted: isWanted) }

    /// Delays the end, which occurred in an event.
    mutating func delayEnded(in event: Int) {
        if case .beganDelayed(let began, _, let isWanted) = self {
            self = .beganDelayed(in: began, ended: event, isWanted: isWanted)
        } else {
            self = .endDelayed(in: event, isOwed: needsEnd)
        }
    }

    /// The view receives the beginning now; an end that is delayed too follows.
    mutating func begin() { self = endDelayedIn.map { .endDelayed(in: $0, isOwed: true) } ?? .begun }

    /// The beginning is neither delayed any more nor delivered.
    mutating func discardBegan() { self = isWanted ? .expected : .unwanted }

    /// The view receives the end now, or nothing more if it did not receive the beginning. Nothing is delayed any more.
    mutating func end() {
        self = isCancelled ? .cancelled(isOwed: false) : hasBegun ? .ended : .unwanted
    }

    /// Cancels the touch; `end()` follows as soon as the view is notified.
    mutating func cancel() { self = .cancelled(isOwed: needsEnd) }
}
