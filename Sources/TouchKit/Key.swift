import CLinux

/// A key of a keyboard, or a button (`UIKey`).
public nonisolated struct Key: Hashable, Sendable {
    /// The kernel's code: `KEY_…` or `BTN_…` in input-event-codes.h.
    public let code: UInt16

    /// Makes a key from the kernel's code.
    public nonisolated init(code: UInt16) { self.code = code }
}

extension Key {
    /// Whether the key is a media key: a command instead of a press while the application receives remote-control
    /// events.
    var isRemoteControl: Bool { Event.EventSubtype(self, isPress: true) != nil }
}
