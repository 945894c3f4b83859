import Foundation

/// What happened, as an application hands it to its windows and responders (`UIEvent`).
///
/// The application uses one object for all its touch events, as UIKit does: read it while handling it, and copy what
/// must be kept.
public class Event {
    /// What kind of event it is (`UIEvent.EventType`, with its raw values).
    public enum EventType: Int, Sendable {
        /// Touches of screens and mouse buttons.
        case touches = 0
        /// Motion of the device.
        case motion = 1
        /// Commands of a remote control.
        case remoteControl = 2
        /// Buttons and keys.
        case presses = 3
        /// A wheel was turned.
        case scroll = 10
        /// A pointer moved with no button down.
        case hover = 11
    }

    /// What a motion or remote-control event means (`UIEvent.EventSubtype`, with its raw values).
    public enum EventSubtype: Int, Sendable {
        /// The type says all.
        case none = 0
        /// The device is shaken.
        case motionShake = 1
        /// Play.
        case remoteControlPlay = 100
        /// Pause.
        case remoteControlPause = 101
        /// Stop.
        case remoteControlStop = 102
        /// Play, or pause if playing.
        case remoteControlTogglePlayPause = 103
        /// Go to the next track.
        case remoteControlNextTrack = 104
        /// Go to the previous track.
        case remoteControlPreviousTrack = 105
        /// Begin to wind back.
        case remoteControlBeginSeekingBackward = 106
        /// Stop winding back.
        case remoteControlEndSeekingBackward = 107
        /// Begin to wind forward.
        case remoteControlBeginSeekingForward = 108
        /// Stop winding forward.
        case remoteControlEndSeekingForward = 109
    }

    /// What kind of event it is.
    public let type: EventType
    /// What a motion or remote-control event means.
    public internal(set) var subtype = EventSubtype.none
    /// When it happened, in seconds on the clock of the devices' frames.
    @exclusivity(unchecked) public internal(set) var timestamp: TimeInterval = 0
    /// The application that handles it.
    weak var application: Application?

    /// The touches that are down or end in this event, in the order in which they began.
    @exclusivity(unchecked) final var touches: [Touch] = []
    /// What delivers it, while it does; else it is asked of the application.
    @exclusivity(unchecked) final var tracker: TouchTracker?
    /// The handlers that ran and were not reported yet; kept only where somebody reads it.
    @exclusivity(unchecked) final var handlerRuns: [HandlerRun]?
    /// What a motion, scroll or hover event carries; nil once its window has passed it on.
    var message: EventMessage?

    init(type: EventType, application: Application?) {
        self.type = type
        self.application = application
    }

    /// Every touch that is down or ends in this event, those that did not change among them; nil for other events.
    public var allTouches: Set<Touch>? {
        // What was lifted before, and whose view was not told yet, is no part of this event.
        type == .touches ? Set(touches.lazy.filter { !$0.delivery.holdsEnded }) : nil
    }

    /// The touches that began on a view.
    public func touches(for view: View) -> Set<Touch>? { matching { $0.view === view } }

    /// The touches that began in a window.
    public func touches(for window: Window) -> Set<Touch>? { matching { $0.window === window } }

    /// The touches that are given to a recognizer.
    public func touches(for recognizer: GestureRecognizer) -> Set<Touch>? {
        matching { $0.gestureRecognizers.contains(recognizer) }
    }

    /// Every state a touch went through since it was delivered last, the oldest first (`UIEvent.coalescedTouches(for:)`).
    ///
    /// The last has what the touch itself says. They are copies: the touch goes on, they do not.
    public func coalescedTouches(for touch: Touch) -> [Touch]? {
        touches.contains(touch) ? touch.coalesced : nil
    }

    /// Where a touch that moves is likely to be next, the nearest moment first; empty for one that does not move.
    ///
    /// They are guesses from its last movement, and are never delivered.
    public func predictedTouches(for touch: Touch) -> [Touch]? {
        touches.contains(touch) ? touch.predicted : nil
    }

    /// Notes, where somebody reads it, that a handler of a control ran for the touches it is called with.
    func noteRun(of name: String, on view: View) {
        guard handlerRuns != nil, let touch = touches.first(where: { $0.view === view && $0.phase != .stationary })
        else { return }
        handlerRuns?.append(HandlerRun(touch: touch, name: name))
    }

    private func matching(_ isIncluded: (Touch) -> Bool) -> Set<Touch>? {
        let found = touches.filter(isIncluded)
        return found.isEmpty ? nil : Set(found)
    }
}

/// What is said of an event that is neither touches nor presses, and to whom.
struct EventMessage {
    enum Content {
        case motionBegan
        case motionEnded
        case motionCancelled
        case remoteControl
        case hoverBegan(Pointer)
        case hoverMoved(Pointer)
        case scrolled(Pointer, Scroll)
    }

    let content: Content
    let receiver: Responder
}

/// A handler that ran for a touch.
struct HandlerRun {
    let touch: Touch
    let name: String
}

/// What became of one touch in one event, for those who log (`Application.didDeliver`).
package struct TouchDelivery {
    /// The touch, as it was when its responders had been called.
    package let touch: Touch
    /// What it did.
    package let phase: Touch.Phase
    /// The names of the handlers that ran for it, in order; those without a name are left out.
    package let handlerNames: [String]
}
