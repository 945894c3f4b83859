import Evdev
import Foundation

/// One button or key that is held down (`UIPress`): one object from press to release.
public final class Press {
    /// The phase of a press in an event (`UIPress.Phase`).
    public enum Phase: Int, Sendable {
        /// The key was pressed.
        case began
        /// The key is held, and the kernel repeated it.
        case changed
        /// The key is held and did not change since the last event.
        case stationary
        /// The key was released.
        case ended
        /// The press was cancelled.
        case cancelled
    }

    /// The remote-control button of a press (`UIPress.PressType`, with its raw values).
    public enum PressType: Int, Sendable {
        /// Up.
        case upArrow = 0
        /// Down.
        case downArrow = 1
        /// Left.
        case leftArrow = 2
        /// Right.
        case rightArrow = 3
        /// Select.
        case select = 4
        /// Menu, or back.
        case menu = 5
        /// Play or pause.
        case playPause = 6
        /// Next page.
        case pageUp = 30
        /// Previous page.
        case pageDown = 31
    }

    /// The device with the key.
    public let device: DeviceID
    /// The key, with the kernel's code.
    public let key: Key
    /// The remote-control button that the key corresponds to; nil for most keys.
    public let type: PressType?
    /// The phase in the current event.
    public internal(set) var phase = Phase.began
    /// The time of the last change in seconds, on the clock of the device's frames.
    public internal(set) var timestamp: TimeInterval
    /// The responder that received the beginning; it receives every later phase too.
    public let responder: Responder
    /// The responder's window.
    public let window: Window?
    /// The force of the press: always 1, because keys do not report force.
    public var force: CGFloat { 1 }

    /// Whether a change is not delivered yet.
    var isPending = true
    var hasBegun = false
    /// Whether it is a remote-control command.
    var isCommand = false

    init(device: DeviceID, key: Key, timestamp: TimeInterval, responder: Responder, window: Window?) {
        self.device = device
        self.key = key
        self.type = PressType(key)
        self.timestamp = timestamp
        self.responder = responder
        self.window = window
    }
}

extension Press: Hashable {
    /// Compares identity: a press is equal only to itself.
    public nonisolated static func == (left: Press, right: Press) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A key of a keyboard, or a button (`UIKey`).
public struct Key: Hashable, Sendable {
    /// The kernel's code: `KEY_…` or `BTN_…` in input-event-codes.h.
    public let code: UInt16

    /// Makes a key from the kernel's code.
    public nonisolated init(code: UInt16) { self.code = code }
}

/// An event that carries presses (`UIPressesEvent`).
public final class PressesEvent: Event {
    /// Every press that is held or ends in this event.
    public internal(set) var allPresses: Set<Press> = []

    init(application: Application?) { super.init(type: .presses, application: application) }

    /// The presses that a responder receives.
    public func presses(for responder: Responder) -> Set<Press> { allPresses.filter { $0.responder === responder } }
}
