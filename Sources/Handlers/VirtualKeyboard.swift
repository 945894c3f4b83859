import CLibevdev
import Evdev
import Glibc

/// A uinput keyboard on which handlers press keys; the device exists as long as the object.
package nonisolated final class VirtualKeyboard {
    /// The device name that the kernel and `touchd devices` show.
    package static let name = VirtualDevice.namePrefix + "keyboard"

    private let device: VirtualDevice
    let keys: Set<String>

    /// Creates a keyboard with these keys, by the kernel's names (`KEY_ENTER`, `BTN_LEFT`; input-event-codes.h).
    ///
    /// This takes the kernel a few milliseconds, so it happens when a layout is loaded.
    /// - Throws: A failure with a message for users, if touchd cannot use uinput.
    init(keys: Set<String>) throws(HandlerFailure) {
        var description = DeviceDescription(name: Self.name, bus: UInt16(BUS_VIRTUAL))
        for key in keys {
            guard let code = KeyName.code(of: key) else {
                throw .notEmitted(reason: "unknown key '\(key)'")
            }
            description[UInt16(EV_KEY)].insert(code)
        }
        do {
            device = try VirtualDevice(description)
        } catch {
            throw .notEmitted(reason: Self.reason(error))
        }
        self.keys = keys
    }

    /// Presses keys in order and releases them in reverse order. Each change has its own frame, as with real fingers.
    func press(_ names: [String]) throws(HandlerFailure) {
        let codes = names.compactMap { keys.contains($0) ? KeyName.code(of: $0) : nil }
        guard codes.count == names.count else {
            throw .notEmitted(reason: "the virtual keyboard lacks some of \(names.joined(separator: ", "))")
        }
        do throws(VirtualDeviceError) {
            try Self.press(codes) { code, value throws(VirtualDeviceError) in
                try device.write(type: UInt16(EV_KEY), code: code, value: value)
                try device.write(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0)
            }
        } catch {
            if case .refused(let reason) = error {
                throw .notEmitted(reason: "the kernel refused \(names.joined(separator: ", ")): \(reason)")
            }
            throw .notEmitted(reason: Self.reason(error))
        }
    }

    /// Writes the presses of keys and then their releases. If a write fails, no key stays down.
    static func press(
        _ codes: [UInt16], write: (_ code: UInt16, _ value: Int32) throws(VirtualDeviceError) -> Void
    ) throws(VirtualDeviceError) {
        var failure: VirtualDeviceError?
        var down: [UInt16] = []
        for code in codes where failure == nil {
            // A write that failed may have sent the press.
            down.append(code)
            do throws(VirtualDeviceError) { try write(code, 1) } catch { failure = error }
        }
        for code in down.reversed() {
            do throws(VirtualDeviceError) { try write(code, 0) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private static func reason(_ failure: VirtualDeviceError) -> String {
        switch failure {
        case .notPermitted:
            "touchd's user may not write to /dev/uinput; copy 70-touchd-forward.rules to /etc/udev/rules.d and run: "
                + "udevadm control --reload && udevadm trigger /dev/uinput"
        case .hidden:
            "the service may not use /dev/uinput; copy touchd-emit.conf to /etc/systemd/system/touchd.service.d and run: "
                + "systemctl daemon-reload && systemctl restart touchd"
        case .noUinput: "/dev/uinput does not exist; run: modprobe uinput"
        case .refused(let reason): "cannot create a keyboard through /dev/uinput: \(reason)"
        }
    }
}
