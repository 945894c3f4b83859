import CLibevdev
import Evdev
import Glibc

/// A keyboard of the kernel's uinput on which handlers press keys; there from `init` to its end.
public nonisolated final class VirtualKeyboard {
    /// What the kernel, and so `touchd devices`, calls it.
    public static let name = "touchd virtual keyboard"

    /// Leaves the keyboard alone where devices are read: what a handler presses is for others, and must not come back.
    public static let deviceRule = {
        var rule = DeviceRule(label: "touchd's own keyboard", match: .init(name: Pattern(name)))
        rule.use = false
        return rule
    }()

    private let uinput: OpaquePointer
    /// The names of the keys it has.
    let keys: Set<String>

    /// Makes a keyboard with these keys, by the kernel's names (`KEY_ENTER`, `BTN_LEFT`; input-event-codes.h).
    ///
    /// Takes the kernel a few milliseconds, so it is done when a layout is loaded.
    /// - Throws: In the user's words, if uinput is not there for touchd.
    init(keys: Set<String>) throws(HandlerFailure) {
        guard let model = libevdev_new() else { throw .notEmitted(reason: "out of memory") }
        defer { libevdev_free(model) }
        libevdev_set_name(model, Self.name)
        libevdev_set_id_bustype(model, BUS_VIRTUAL)
        for key in keys {
            guard let code = Self.code(of: key) else { throw .notEmitted(reason: "the kernel knows no key '\(key)'") }
            libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(code), nil)
        }
        var made: OpaquePointer?
        let result = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &made)
        guard result == 0, let made else { throw .notEmitted(reason: Self.problem(-result)) }
        uinput = made
        self.keys = keys
    }

    deinit { libevdev_uinput_destroy(uinput) }

    /// Presses keys in their order and lets them go in the reverse one, each in a frame of its own, as fingers do.
    func press(_ names: [String]) throws(HandlerFailure) {
        let codes = names.compactMap { keys.contains($0) ? Self.code(of: $0) : nil }
        guard codes.count == names.count else {
            throw .notEmitted(reason: "the keyboard was made without some of \(names.joined(separator: ", "))")
        }
        for code in codes { try write(code, 1) }
        for code in codes.reversed() { try write(code, 0) }
    }

    /// The kernel's number of a key or button; nil for a name it does not know.
    static func code(of name: String) -> UInt16? {
        let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
        return code >= 0 ? UInt16(code) : nil
    }

    private func write(_ code: UInt16, _ value: Int32) throws(HandlerFailure) {
        // uinput's descriptor does not block: the kernel queues for readers and drops what they do not read.
        for (type, code, value) in [(EV_KEY, Int32(code), value), (EV_SYN, SYN_REPORT, 0)] {
            let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
            guard result == 0 else { throw .notEmitted(reason: "uinput: \(String(cString: strerror(-result)))") }
        }
    }

    private static func problem(_ number: Int32) -> String {
        switch number {
        case EACCES, EPERM:
            "touchd may not write to /dev/uinput; the service's drop-in touchd-emit.conf allows it"
        case ENOENT, ENODEV: "there is no /dev/uinput; load the kernel's module with 'modprobe uinput'"
        default: "a keyboard cannot be made through /dev/uinput: \(String(cString: strerror(number)))"
        }
    }
}
