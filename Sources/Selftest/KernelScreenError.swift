import Evdev

/// Why it cannot be created.
enum KernelScreenError: Error, CustomStringConvertible {
    case uinput(VirtualDeviceError)
    case device(DeviceError)
    case notFound(node: String)

    /// Whether another user or another machine could create one.
    var isLackOfPermission: Bool {
        switch self {
        case .uinput(.notPermitted), .uinput(.hidden), .uinput(.noUinput), .device(.notPermitted): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .uinput(.notPermitted), .uinput(.hidden): "this user may not write to /dev/uinput; run the command as root"
        case .uinput(.noUinput): "/dev/uinput does not exist; run: modprobe uinput"
        case .uinput(.refused(let reason)): "cannot create a touchscreen through /dev/uinput: \(reason)"
        case .device(let error): "cannot read the created touchscreen: \(error)"
        case .notFound(let node):
            "udev did not announce the created touchscreen \(node) within 20 s; check that systemd-udevd runs"
        }
    }
}
