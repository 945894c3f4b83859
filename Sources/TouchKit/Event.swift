import Foundation

/// An event, as an application sends it to windows and responders (`UIEvent`).
///
/// The application reuses one object for all touch events, as UIKit does: read it while you handle it, and copy what
/// you need later.
@MainActor @preconcurrency public class Event {
    /// The kind of event (`UIEvent.EventType`, with its raw values).
    public nonisolated enum EventType: Int, Sendable {
        /// Touches on screens, and mouse buttons.
        case touches = 0
        /// Motion of the device.
        case motion = 1
        /// Commands from a remote control.
        case remoteControl = 2
        /// Buttons and keys.
        case presses = 3
        /// A wheel was turned.
        case scroll = 10
        /// A pointer moved with no button down.
        case hover = 11
    }

    /// The meaning of a motion or remote-control event (`UIEvent.EventSubtype`, with its raw values).
    public nonisolated enum EventSubtype: Int, Sendable {
        /// No subtype.
        case none = 0
        /// The device was shaken.
        case motionShake = 1
        /// Play.
        case remoteControlPlay = 100
        /// Pause.
        case remoteControlPause = 101
        /// Stop.
        case remoteControlStop = 102
        /// Play, or pause if playing.
        case remoteControlTogglePlayPause = 103
        /// Skip to the next track.
        case remoteControlNextTrack = 104
        /// Skip to the previous track.
        case remoteControlPreviousTrack = 105
        /// Start rewinding.
        case remoteControlBeginSeekingBackward = 106
        /// Stop rewinding.
        case remoteControlEndSeekingBackward = 107
        /// Start fast-forwarding.
        case remoteControlBeginSeekingForward = 108
        /// Stop fast-forwarding.
        case remoteControlEndSeekingForward = 109
    }

    /// The kind of event.
    public let type: EventType
    /// The meaning of a motion or remote-control event.
    public internal(set) var subtype = EventSubtype.none
    /// The time of the event in seconds, on the clock of the devices' frames.
    public internal(set) var timestamp: TimeInterval = 0
    /// The application that handles it.
    weak var application: Application?

    /// The touches that are down or end in this event, in the order in which they began.
    package final internal(set) var touches: [Touch] = []
    /// The tracker that is delivering the event; nil otherwise, and the application's tracker applies.
    final var tracker: TouchTracker?
    /// The handlers that ran and are not reported yet; nil if nothing observes them.
    final var handlerRuns: [HandlerRun]?
    /// The payload of a motion, scroll or hover event; nil after its window delivered it.
    var message: EventMessage?

    init(type: EventType, application: Application?) {
        self.type = type
        self.application = application
    }

    /// Every touch that is down or ends in this event, including unchanged ones; nil for other events.
    public var allTouches: Set<Touch>? { type == .touches ? Set(touches.lazy.filter { !$0.wasUpBefore }) : nil }

    /// The touches that began on a view.
    public func touches(for view: View) -> Set<Touch>? { matching { $0.view === view } }

    /// The touches that began in a window.
    public func touches(for window: Window) -> Set<Touch>? { matching { $0.window === window } }

    /// The touches that a recognizer receives.
    public func touches(for recognizer: GestureRecognizer) -> Set<Touch>? {
        matching { $0.recognizers.contains(recognizer) }
    }

    /// The states of a touch since its last delivery, oldest first (`UIEvent.coalescedTouches(for:)`).
    ///
    /// The last one equals the touch's current state. They are copies that do not change when the touch does.
    public func coalescedTouches(for touch: Touch) -> [Touch]? {
        touches.contains(touch) ? touch.coalesced : nil
    }

    /// Predicted positions of a moving touch, the earliest first; empty if the touch is not moving.
    ///
    /// They are extrapolated from its last movement and are never delivered.
    public func predictedTouches(for touch: Touch) -> [Touch]? {
        touches.contains(touch) ? touch.predicted : nil
    }

    /// Records that a control's handler ran for its touches, if anything observes it.
    func noteRun(of name: String, on view: View) {
        guard handlerRuns != nil, let touch = touches.first(where: { $0.view === view && $0.phase != .stationary })
        else { return }
        handlerRuns?.append(HandlerRun(touch: touch, name: name))
    }

    /// Delivers the event to its receiver; once, however often the event is sent.
    func deliverMessage() {
        guard let message else { return }
        self.message = nil
        let receiver = message.receiver
        switch message.content {
        case .motionBegan: receiver.motionBegan(subtype, with: self)
        case .motionEnded: receiver.motionEnded(subtype, with: self)
        case .motionCancelled: receiver.motionCancelled(subtype, with: self)
        case .remoteControl: receiver.remoteControlReceived(with: self)
        case .hoverBegan(let pointer): receiver.hoverBegan(pointer, with: self)
        case .hoverMoved(let pointer): receiver.hoverMoved(pointer, with: self)
        case .scrolled(let pointer, let scroll): receiver.scrolled(by: scroll, at: pointer, with: self)
        }
    }

    private func matching(_ isIncluded: (Touch) -> Bool) -> Set<Touch>? {
        let found = touches.filter { !$0.wasUpBefore && isIncluded($0) }
        return found.isEmpty ? nil : Set(found)
    }
}
