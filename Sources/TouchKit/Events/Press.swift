import Evdev
import Foundation

/// One button or key that is held down (`UIPress`): one object from pressed to released.
public final class Press {
    /// What a press does in an event (`UIPress.Phase`).
    public enum Phase: Int, Sendable {
        /// It was pressed.
        case began
        /// It is held, and the kernel repeats it.
        case changed
        /// It is held, and did not change since the last event.
        case stationary
        /// It was let go.
        case ended
        /// It is over without having been let go.
        case cancelled
    }

    /// Which button of a remote control a press stands for (`UIPress.PressType`, with its raw values).
    public enum PressType: Int, Sendable {
        /// Up.
        case upArrow = 0
        /// Down.
        case downArrow = 1
        /// Left.
        case leftArrow = 2
        /// Right.
        case rightArrow = 3
        /// The button that chooses.
        case select = 4
        /// The button that leads back.
        case menu = 5
        /// The button that plays and pauses.
        case playPause = 6
        /// One page on.
        case pageUp = 30
        /// One page back.
        case pageDown = 31
    }

    /// The device it is on.
    public let device: DeviceID
    /// The key; its code is the kernel's.
    public let key: Key
    /// What the key stands for; nil for most.
    public let type: PressType?
    /// What it does in the current event.
    public internal(set) var phase = Phase.began
    /// The time of its last change in seconds, on the clock of the device's frames.
    public internal(set) var timestamp: TimeInterval
    /// The responder it began at, and is told everything of.
    public let responder: Responder
    /// The window it is in.
    public let window: Window?
    /// How hard it is pressed: 1, since keys cannot tell.
    public var force: CGFloat { 1 }

    /// Whether a change was not passed on yet.
    var isPending = true
    var hasBegun = false

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
    /// A press is equal to itself alone.
    public nonisolated static func == (left: Press, right: Press) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A key of a keyboard, or a button (`UIKey`).
public struct Key: Hashable, Sendable {
    /// The kernel's code, `KEY_…` or `BTN_…` of input-event-codes.h.
    public let code: UInt16

    /// Makes a key from the kernel's code.
    public nonisolated init(code: UInt16) { self.code = code }
}

/// An event that carries presses (`UIPressesEvent`).
public final class PressesEvent: Event {
    /// Every press that is held or ends in this event.
    public internal(set) var allPresses: Set<Press> = []

    init(application: Application?) { super.init(type: .presses, application: application) }

    /// The presses that are told to a responder.
    public func presses(for responder: Responder) -> Set<Press> { allPresses.filter { $0.responder === responder } }
}
