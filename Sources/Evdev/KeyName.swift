import CLibevdev
import CLinux

/// The kernel's names of keys and buttons (`KEY_ENTER`, `BTN_LEFT`; input-event-codes.h).
package enum KeyName {
    /// The code of a name; nil if the kernel does not define it.
    package static func code(of name: String) -> UInt16? {
        let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
        return code >= 0 ? UInt16(code) : nil
    }
}
