import Evdev
import Foundation

/// One finger, pen or pressed mouse button on a screen, from touch-down to lift (`UITouch`).
///
/// One object represents the whole sequence and is updated in place, so its values are valid until the next event.
/// Hit-testing finds its view and window once, when it begins; they do not change afterwards.
@MainActor @preconcurrency public final class Touch {
    // The properties that change while a finger moves skip the run-time check for overlapping accesses. Only the main
    // thread uses them, and no access lasts for a call. The checks, and their reference counting, took most of the time
    // of a delivery.

    /// The phase of a touch in an event (`UITouch.Phase`).
    public nonisolated enum Phase: Int, Sendable {
        /// The touch began.
        case began
        /// The touch moved.
        case moved
        /// The touch is down and did not change since the last event.
        case stationary
        /// The touch was lifted.
        case ended
        /// The touch was cancelled.
        case cancelled
    }

    /// A set of phases.
    struct Phases {
        private var bits = 0

        mutating func insert(_ phase: Phase) { bits |= 1 << phase.rawValue }

        func contains(_ phase: Phase) -> Bool { bits & 1 << phase.rawValue != 0 }
    }

    /// The receivers of every phase of a touch.
    struct Receivers: OptionSet {
        var rawValue: UInt8

        /// The touch's window, which delivers the phase to its view.
        static let view = Receivers(rawValue: 1)
        /// The touch's recognizers.
        static let recognizers = Receivers(rawValue: 2)
        /// The observer of deliveries.
        static let observer = Receivers(rawValue: 4)

        static let all: Receivers = [.view, .recognizers, .observer]
    }

    /// The kind of touch (`UITouch.TouchType`).
    public nonisolated enum TouchType: Int, Sendable {
        /// A finger.
        case direct
        /// A remote control's surface.
        case indirect
        /// A pen.
        case pencil
        /// A mouse button, at the pointer's location.
        case indirectPointer
    }

    /// The touch's number in its application: 1 for the first touch, then counting up.
    public let id: Int
    /// The device that reports it.
    public let device: DeviceID
    /// The kind of touch.
    public let type: TouchType
    /// The touch's screen.
    public let screen: Screen
    private var state: TouchState
    /// The state in which it began.
    private let landing: TouchState

    /// The phase in the current event.
    public internal(set) var phase: Phase = .began
    /// The number of consecutive taps at this location, including this touch.
    public internal(set) var tapCount = 1
    /// The view that the touch began on; nil if hit-testing found no view in a window.
    public internal(set) var view: View?
    /// The window of that view.
    public internal(set) var window: Window?

    /// The recognizers that receive the touch, those of its view first; found when the touch begins.
    public var gestureRecognizers: [GestureRecognizer]? { recognizers }
    final var recognizers: [GestureRecognizer] = []

    /// Whether outputs contain neither a location nor a subview: the touch is, or was, at a private place.
    package internal(set) var isConcealed = false
    /// The view of which outputs report the touch: `view`, or the private view that conceals it.
    package internal(set) var reportedView: View?

    /// The control that tracks the touch.
    weak var trackingView: View?

    /// The state of the touch in the program that draws the screen.
    package var forwarding = TouchForwarding.none
    /// Whether a recognizer that cancels or delays forwarded touches has recognized its gesture with this touch.
    package internal(set) var isClaimedByGesture = false

    /// The device's contact that the touch follows; nil for a mouse button.
    package let contact: UInt32?
    /// The states since the last delivery, oldest first, ending with the current one; never empty.
    private(set) var states: [TouchState]
    /// The state at the previous delivery.
    private var lastDelivered: TouchState
    /// The delivery to the touch's view.
    var delivery = TouchDeliveryState.unwanted
    /// The receivers that have not received the current phase yet.
    var pending = Receivers.all
    /// The recognizers that received its end: they get no cancellation if one of them cancels the touch meanwhile.
    var recognizersWithEnd: [GestureRecognizer] = []

    init(id: Int, device: DeviceID, contact: UInt32?, type: TouchType, screen: Screen, state: TouchState) {
        self.id = id
        self.device = device
        self.contact = contact
        self.type = type
        self.screen = screen
        self.state = state
        landing = state
        self.lastDelivered = state
        // Capacity for the reports of a 1 kHz device during a handler of 8 ms, so that a move does not allocate.
        states = []
        states.reserveCapacity(8)
        states.append(state)
    }

    // The last reference is released on the main thread too; an isolated deinitializer would spend time checking that.
    nonisolated deinit {}

    /// Applies a new state; keeps the states since the last delivery if `coalescing` merges this one into the same
    /// delivery.
    func update(_ state: TouchState, coalescing: Bool) {
        if !coalescing {
            lastDelivered = states.last ?? lastDelivered
            states.removeAll(keepingCapacity: true)
        }
        states.append(state)
        self.state = state
    }

    /// Shows the touch as it began while a view receives the delayed beginning (B24).
    func showLanding(_ body: () -> Void) {
        let (now, since) = (state, states)
        (state, states, lastDelivered) = (landing, [landing], landing)
        body()
        (state, states) = (now, since)
    }

    /// The location where it came down, in its screen's coordinates.
    var landingLocation: CGPoint { landing.location }
    /// Whether the touch has moved since it began.
    var hasLeftLanding: Bool { state.location != landing.location }

    /// The time of the last change in seconds, on the clock of the device's frames (`CLOCK_MONOTONIC`).
    public var timestamp: TimeInterval { state.timestamp }
    /// The location in its screen's coordinates.
    package var screenLocation: CGPoint { state.location }

    /// The force, from 0 to `maximumPossibleForce`; 0 if the device does not report force.
    public var force: CGFloat { state.force }
    /// The maximum force; 0 if the device does not report force.
    public var maximumPossibleForce: CGFloat { state.hasForce ? 1 : 0 }
    /// Half of the contact's larger diameter, in points; 0 if the device does not report it.
    public var majorRadius: CGFloat { state.majorRadius }

    /// The force from 0 to 1; nil if the device does not report it.
    package var pressure: CGFloat? { state.hasForce ? state.force : nil }
    /// The size of the contact's bounding box on the screen, in points; nil if the device does not report it.
    package var contactSize: CGSize? {
        let major = state.majorRadius, minor = state.minorRadius > 0 ? state.minorRadius : major
        guard major > 0 else { return nil }
        let (sine, cosine) = (sin(state.orientation), cos(state.orientation))
        return CGSize(width: 2 * hypot(major * sine, minor * cosine), height: 2 * hypot(major * cosine, minor * sine))
    }
    /// The times and locations of the moves that the current event merges, oldest first, in the window's coordinates.
    package var mergedMoves: [(timestamp: TimeInterval, location: CGPoint)] {
        states.map { ($0.timestamp, convert($0.location, to: nil)) }
    }
    /// Whether the current event merges several moves.
    package var hasMergedMoves: Bool { states.count > 1 }

    /// The location in the device's units, before rotation, calibration and mapping; nil for a mouse.
    ///
    /// An addition to UIKit.
    public var rawLocation: RawPoint? { state.raw }

    /// The location in a view's coordinates; with nil, in the window's, or the screen's if the touch has no window.
    public func location(in view: View?) -> CGPoint { convert(screenLocation, to: view) }

    /// The location before the last change, in the coordinates that `location(in:)` uses.
    public func previousLocation(in view: View?) -> CGPoint { convert(lastDelivered.location, to: view) }

    /// The most precise location that the device reports; the same as `location(in:)`, which does not round.
    public func preciseLocation(in view: View?) -> CGPoint { location(in: view) }

    /// The most precise location before the last change.
    public func precisePreviousLocation(in view: View?) -> CGPoint { previousLocation(in: view) }

    /// Whether the touch has ended or was cancelled.
    var isOver: Bool { phase == .ended || phase == .cancelled }

    /// Whether a recognizer delays its end: it was up before the current event, and is not part of it, unless its view
    /// receives its delayed beginning.
    var wasUpBefore: Bool { isOver && delivery.holdsEnded }

    /// Whether the touch is over and its end was delivered.
    var isDone: Bool { isOver && !isPending && !delivery.holdsEnded }

    /// Whether the touch changed and its window has not delivered the change yet.
    var isPending: Bool { pending.contains(.view) }

    /// Converts a location on the screen as `location(in:)` does.
    func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? window else { return point }
        return target.convertFromScreen(point)
    }

    // MARK: Copies

    /// A copy of the touch for every state since the last delivery.
    var coalesced: [Touch] {
        var previous = lastDelivered
        return states.map { state in
            defer { previous = state }
            return copy(state, previous: previous)
        }
    }

    /// Copies of the touch at extrapolated locations, one and two steps of the last change ahead.
    var predicted: [Touch] {
        guard phase == .moved, let last = states.last else { return [] }
        let before = states.count > 1 ? states[states.count - 2] : lastDelivered
        // A pause does not predict a direction, and neither do two changes at once: a stroke has 1 to 50 ms between
        // changes.
        let step = last.timestamp - before.timestamp
        guard (0.001...0.05).contains(step) else { return [] }
        let (x, y) = (last.location.x - before.location.x, last.location.y - before.location.y)
        return [1.0, 2.0].map { ahead in
            var state = last
            state.timestamp += ahead * step
            state.location = CGPoint(x: last.location.x + ahead * x, y: last.location.y + ahead * y)
            var previous = state
            previous.location = CGPoint(x: state.location.x - x, y: state.location.y - y)
            return copy(state, previous: previous)
        }
    }

    private func copy(_ state: TouchState, previous: TouchState) -> Touch {
        let copy = Touch(
            id: id, device: device, contact: contact, type: type, screen: screen, state: state)
        copy.lastDelivered = previous
        copy.phase = phase
        copy.tapCount = tapCount
        copy.view = view
        copy.window = window
        (copy.isConcealed, copy.reportedView) = (isConcealed, reportedView)
        copy.pending = []
        return copy
    }
}

extension Touch: Hashable {
    /// Compares identity: a touch is equal only to itself.
    public nonisolated static func == (left: Touch, right: Touch) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Set<Touch> {
    /// The touches in the order in which they began.
    var inOrder: [Touch] { count == 1 ? Array(self) : sorted { $0.id < $1.id } }
}

nonisolated extension Array where Element: AnyObject {
    /// Whether the array contains this object, by identity.
    @inline(__always)
    func holds(_ object: Element) -> Bool {
        for place in indices where self[place] === object { return true }
        return false
    }

    /// Removes an object by identity; the array contains it at most once.
    mutating func removeOne(_ object: Element) {
        for place in indices where self[place] === object {
            remove(at: place)
            return
        }
    }
}
