import CLinux

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

extension Key {
    /// Whether the key is a media key: a command instead of a press while the application receives remote-control
    /// events.
    var isRemoteControl: Bool { Event.EventSubtype(self, isPress: true) != nil }
}
