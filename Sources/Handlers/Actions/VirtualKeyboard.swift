import CLibevdev
import Evdev
import Glibc

/// A keyboard of the kernel's uinput on which handlers press keys; there from `init` to its end.
public nonisolated final class VirtualKeyboard {
    /// What the kernel, and so `touchd devices`, calls it.
    public static let name = VirtualDevice.namePrefix + "keyboard"

    private let device: VirtualDevice
    /// The names of the keys it has.
    let keys: Set<String>

    /// Makes a keyboard with these keys, by the kernel's names (`KEY_ENTER`, `BTN_LEFT`; input-event-codes.h).
    ///
    /// Takes the kernel a few milliseconds, so it is done when a layout is loaded.
    /// - Throws: In the user's words, if uinput is not there for touchd.
    init(keys: Set<String>) throws(HandlerFailure) {
        var description = DeviceDescription(name: Self.name, bus: UInt16(BUS_VIRTUAL))
        for key in keys {
            guard let code = KeyName.code(of: key) else {
                throw .notEmitted(reason: "the kernel knows no key '\(key)'")
            }
            description[UInt16(EV_KEY)].insert(code)
        }
        do {
            device = try VirtualDevice(description)
        } catch {
            throw .notEmitted(reason: Self.words(error))
        }
        self.keys = keys
    }

    /// Presses keys in their order and lets them go in the reverse one, each in a frame of its own, as fingers do.
    func press(_ names: [String]) throws(HandlerFailure) {
        let codes = names.compactMap { keys.contains($0) ? KeyName.code(of: $0) : nil }
        guard codes.count == names.count else {
            throw .notEmitted(reason: "the keyboard was made without some of \(names.joined(separator: ", "))")
        }
        for code in codes { try write(code, 1) }
        for code in codes.reversed() { try write(code, 0) }
    }

    private func write(_ code: UInt16, _ value: Int32) throws(HandlerFailure) {
        do {
            try device.write(type: UInt16(EV_KEY), code: code, value: value)
            try device.write(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0)
        } catch {
            throw .notEmitted(reason: Self.words(error))
        }
    }

    private static func words(_ failure: VirtualDevice.Failure) -> String {
        switch failure {
        case .notPermitted: "touchd may not write to /dev/uinput; the service's drop-in touchd-emit.conf allows it"
        case .noUinput: "there is no /dev/uinput; load the kernel's module with 'modprobe uinput'"
        case .refused(let reason): "a keyboard cannot be made through /dev/uinput: \(reason)"
        }
    }
}
