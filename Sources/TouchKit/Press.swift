import CLinux
import Evdev
import Foundation

/// One button or key that is held down (`UIPress`): one object from press to release.
@MainActor @preconcurrency public final class Press {
    /// The phase of a press in an event (`UIPress.Phase`).
    public nonisolated enum Phase: Int, Sendable {
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
    public nonisolated enum PressType: Int, Sendable {
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
    /// The key, with the kernel's code; every press has one here.
    public var key: Key? { pressedKey }
    let pressedKey: Key
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
        pressedKey = key
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

// MARK: - Meanings of keys

/// The mapping from the kernel's key codes (linux/input-event-codes.h) to UIKit's presses and commands.
extension Press.PressType {
    init?(_ key: Key) {
        switch Int32(key.code) {
        case KEY_UP: self = .upArrow
        case KEY_DOWN: self = .downArrow
        case KEY_LEFT: self = .leftArrow
        case KEY_RIGHT: self = .rightArrow
        case KEY_ENTER, KEY_KPENTER, KEY_SELECT, KEY_OK: self = .select
        case KEY_ESC, KEY_MENU, KEY_BACK, KEY_EXIT: self = .menu
        case KEY_PLAYPAUSE: self = .playPause
        case KEY_PAGEUP, KEY_CHANNELUP: self = .pageUp
        case KEY_PAGEDOWN, KEY_CHANNELDOWN: self = .pageDown
        default: return nil
        }
    }
}

extension Event.EventSubtype {
    /// The remote-control command of a key when it is pressed, or if `isPress` is false, released; nil for other keys.
    init?(_ key: Key, isPress: Bool) {
        switch (Int32(key.code), isPress) {
        case (KEY_PLAYPAUSE, true): self = .remoteControlTogglePlayPause
        case (KEY_PLAY, true), (KEY_PLAYCD, true): self = .remoteControlPlay
        case (KEY_PAUSE, true), (KEY_PAUSECD, true): self = .remoteControlPause
        case (KEY_STOP, true), (KEY_STOPCD, true): self = .remoteControlStop
        case (KEY_NEXTSONG, true), (KEY_NEXT, true): self = .remoteControlNextTrack
        case (KEY_PREVIOUSSONG, true), (KEY_PREVIOUS, true): self = .remoteControlPreviousTrack
        case (KEY_REWIND, true): self = .remoteControlBeginSeekingBackward
        case (KEY_REWIND, false): self = .remoteControlEndSeekingBackward
        case (KEY_FASTFORWARD, true), (KEY_FORWARD, true): self = .remoteControlBeginSeekingForward
        case (KEY_FASTFORWARD, false), (KEY_FORWARD, false): self = .remoteControlEndSeekingForward
        default: return nil
        }
    }
}
