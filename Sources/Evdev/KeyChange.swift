/// A key or button that changed in one frame.
public struct KeyChange: Sendable, Equatable {
    /// The action of a key; the raw values are those of `EV_KEY` events, which have no cancellation.
    public enum Action: UInt8, Sendable {
        /// It was released.
        case released = 0
        /// It was pressed.
        case pressed = 1
        /// It is held, and the kernel repeats it.
        case repeated = 2
        /// It ended without being released: the device was removed.
        case cancelled = 3
    }

    /// The kernel's code, `KEY_…` or `BTN_…`.
    public var code: UInt16
    /// The action.
    public var action: Action

    /// Creates a change.
    public init(code: UInt16, action: Action) {
        self.code = code
        self.action = action
    }
}
