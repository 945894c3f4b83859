import Foundation

/// What happened, as an application hands it to its windows and responders (`UIEvent`).
///
/// The application uses one object for all its touch events, as UIKit does: read it while handling it, and copy what
/// must be kept.
public final class Event {
    /// What kind of event it is (`UIEvent.EventType`).
    public enum EventType: Int, Sendable {
        /// Touches of screens and mouse buttons.
        case touches
        /// Motion of the device.
        case motion
        /// Commands of a remote control.
        case remoteControl
        /// Buttons and keys.
        case presses
        /// A wheel was turned.
        case scroll
        /// A pointer moved with no button down.
        case hover
    }

    /// What kind of event it is.
    public let type: EventType
    /// When it happened, in seconds on the clock of the devices' frames.
    public internal(set) var timestamp: TimeInterval = 0
    /// The application that handles it.
    public internal(set) weak var application: Application?

    /// The touches that are down or end in this event, in the order in which they began.
    var touches: [Touch] = []
    /// The touches and handlers that ran while the current call was made; kept only where somebody reads it.
    var handlerRuns: [HandlerRun]?

    init(type: EventType, application: Application?) {
        self.type = type
        self.application = application
    }

    /// Every touch that is down or ends in this event, those that did not change among them.
    public var allTouches: Set<Touch>? { type == .touches ? Set(touches) : nil }

    /// The touches that began on a view.
    public func touches(for view: View) -> Set<Touch>? { matching { $0.view === view } }

    /// The touches that began in a window.
    public func touches(for window: Window) -> Set<Touch>? { matching { $0.window === window } }

    private func matching(_ isIncluded: (Touch) -> Bool) -> Set<Touch>? {
        let found = touches.filter(isIncluded)
        return found.isEmpty ? nil : Set(found)
    }
}

/// A handler that ran for a touch.
struct HandlerRun {
    let touch: Touch
    let name: String
}

/// What became of one touch in one event, for those who log (`Application.didDeliver`).
public struct TouchDelivery {
    /// The touch, as it was when its responders had been called.
    public let touch: Touch
    /// What it did.
    public let phase: Touch.Phase
    /// The names of the handlers that ran for it, in order; those without a name are left out.
    public let handlerNames: [String]
}
