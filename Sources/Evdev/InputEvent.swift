import CLibevdev
import CLinux

#if _pointerBitWidth(_32)
    #error("touchd needs a 64-bit system: on 32 bits, the size of struct input_event depends on the size of time")
#endif

/// One event as the kernel writes it (`struct input_event`), from a device or from a recording.
public struct InputEvent: Sendable, Equatable {
    /// `EV_…`.
    public var type: UInt16
    /// `SYN_…`, `KEY_…`, `REL_…`, `ABS_…` and so on, depending on the type.
    public var code: UInt16
    /// The new value, or the change for relative axes.
    public var value: Int32
    /// On `CLOCK_MONOTONIC` for a device; since the first event for a recording.
    public var time: InputTimestamp

    /// Creates an event from the numbers of `input-event-codes.h`.
    package init(type: UInt16, code: UInt16, value: Int32, time: InputTimestamp) {
        self.type = type
        self.code = code
        self.value = value
        self.time = time
    }
}
