import Evdev
import Foundation

/// One finger, pen or pressed mouse button on a screen, from the moment it comes down until it lifts (`UITouch`).
///
/// One object lives through the whole sequence and is updated in place, so what it says is true until the next event.
/// Its view and its window are found by hit-testing once, when it begins, and stay.
public final class Touch {
    // What changes while a finger moves is not checked at run time for overlapping accesses: only the main thread has it, no
    // access is as long as a call, and the checks, and the counting of references that they bring, took most of a delivery.

    /// What a touch does in an event (`UITouch.Phase`).
    public enum Phase: Int, Sendable {
        /// It came down.
        case began
        /// It moved.
        case moved
        /// It is down and did not change since the last event.
        case stationary
        /// It was lifted.
        case ended
        /// It is over without having been lifted.
        case cancelled
    }

    /// Some of the phases.
    struct Phases {
        private var bits = 0

        mutating func insert(_ phase: Phase) { bits |= 1 << phase.rawValue }

        func contains(_ phase: Phase) -> Bool { bits & 1 << phase.rawValue != 0 }
    }

    /// What touches (`UITouch.TouchType`).
    public enum TouchType: Int, Sendable {
        /// A finger.
        case direct
        /// A remote control's surface.
        case indirect
        /// A pen.
        case pencil
        /// A mouse button, where the pointer is.
        case indirectPointer
    }

    /// The touch's number in its application, counted from 1 in the order in which touches began.
    public let id: Int
    /// The device that reports it.
    public let device: DeviceID
    /// What touches.
    public let type: TouchType
    /// The screen it is on.
    public let screen: Screen
    /// Where it is, in its screen's coordinates.
    @exclusivity(unchecked) private(set) var screenLocation: CGPoint
    @exclusivity(unchecked) private var sample: TouchSample

    /// What it does in the current event.
    @exclusivity(unchecked) public internal(set) var phase: Phase = .began
    /// The time of its last change in seconds, on the clock of the device's frames (`CLOCK_MONOTONIC`).
    @exclusivity(unchecked) public private(set) var timestamp: TimeInterval
    /// How many times in a row a finger tapped here, this touch included.
    public internal(set) var tapCount = 1
    /// The view it began on; nil where hit-testing found none that is in a window.
    @exclusivity(unchecked) public internal(set) var view: View?
    /// The window of that view.
    @exclusivity(unchecked) public internal(set) var window: Window?

    /// The recognizers that are given it, those of its view first; found when it begins.
    @exclusivity(unchecked) public internal(set) var gestureRecognizers: [GestureRecognizer] = []

    /// The contact of the device that it follows; nil for a pointer's button.
    package let contact: UInt32?
    /// The place before the last delivery, in its screen's coordinates.
    @exclusivity(unchecked) var previousScreenLocation: CGPoint
    /// The states since the last delivery, the current one last; never empty.
    @exclusivity(unchecked) private(set) var states: [TouchState]
    /// The state that was current at the delivery before.
    @exclusivity(unchecked) private(set) var lastDelivered: TouchState
    /// What has been said of it to its view.
    @exclusivity(unchecked) var delivery = TouchDeliveryState()

    init(id: Int, device: DeviceID, contact: UInt32?, type: TouchType, screen: Screen, state: TouchState) {
        self.id = id
        self.device = device
        self.contact = contact
        self.type = type
        self.screen = screen
        self.timestamp = state.timestamp
        self.screenLocation = state.location
        self.previousScreenLocation = state.location
        self.sample = state.sample
        self.lastDelivered = state
        // Room for what a device of 1 kHz reports while a handler takes 8 ms, so that no move allocates before that.
        states = []
        states.reserveCapacity(8)
        states.append(state)
    }

    // The main thread has the last reference too; a deinitializer that checks for it takes a part of a touch's time.
    nonisolated deinit {}

    /// Takes on a new state; those since the last delivery are kept if this one folds into the same delivery.
    func update(_ state: TouchState, folding: Bool) {
        if !folding {
            lastDelivered = states.last ?? lastDelivered
            previousScreenLocation = screenLocation
            states.removeAll(keepingCapacity: true)
        }
        states.append(state)
        timestamp = state.timestamp
        screenLocation = state.location
        sample = state.sample
    }

    /// How hard it presses, from 0 to `maximumPossibleForce`; 0 where the device cannot tell.
    public var force: CGFloat { sample.force }
    /// The greatest force the device reports; 0 where it cannot tell.
    public var maximumPossibleForce: CGFloat { sample.hasForce ? 1 : 0 }
    /// Half the touch's larger diameter in points; 0 where the device cannot tell.
    public var majorRadius: CGFloat { sample.majorRadius }

    /// Where it is in its device's own units, before rotation, calibration and mapping; nil for a mouse.
    ///
    /// Not UIKit's.
    public var rawLocation: RawPoint? { sample.raw }

    /// Where it is, in a view's coordinates; with nil, in its window's, or its screen's where it has no window.
    public func location(in view: View?) -> CGPoint { convert(screenLocation, to: view) }

    /// Where it was before its last change, as `location(in:)`.
    public func previousLocation(in view: View?) -> CGPoint { convert(previousScreenLocation, to: view) }

    /// Where it is as precisely as the device knows; the same as `location(in:)`, which rounds nothing.
    public func preciseLocation(in view: View?) -> CGPoint { location(in: view) }

    /// Where it was as precisely as the device knows.
    public func precisePreviousLocation(in view: View?) -> CGPoint { previousLocation(in: view) }

    /// Whether it will change no more.
    var isOver: Bool { phase == .ended || phase == .cancelled }

    /// Whether its end was passed on already.
    var isDone: Bool { isOver && !delivery.isPending && !delivery.holdsEnded }

    private func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? window else { return point }
        return target.convertFromScreen(point)
    }
}

extension Touch: Hashable {
    /// A touch is equal to itself alone.
    public nonisolated static func == (left: Touch, right: Touch) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What has been said of a touch to its view: began comes first, and an end of it comes once.
struct TouchDeliveryState {
    /// Whether the view is to hear of the touch at all.
    var isWanted = false
    /// Whether the touch changed and its window has not passed it on yet.
    var isPending = true
    /// Whether the view was told that it began.
    var hasBegun = false
    /// Whether the view was told that it ended or was cancelled.
    var hasEnded = false
    /// Whether the touch changed and its recognizers have not been told yet.
    var isPendingForGestures = true
    /// Whether a recognizer delays telling the view that it began.
    var holdsBegan = false
    /// Whether a recognizer delays telling the view that it ended.
    var holdsEnded = false
    /// The event in which the beginning that is held back came, and that of the end.
    var beganInEvent = 0
    var endedInEvent = 0
    /// Whether the observer of deliveries was told of the current phase.
    var isReported = false
    /// Whether the touch was cancelled, its view told or not.
    var isCancelled = false

    /// Whether the view was told of a beginning and still waits for the end.
    var isOwedAnEnd: Bool { hasBegun && !hasEnded }
}
