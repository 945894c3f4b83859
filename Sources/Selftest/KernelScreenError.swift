import Evdev

/// Why it cannot be created.
enum KernelScreenError: Error, CustomStringConvertible {
    case uinput(VirtualDeviceError)
    case device(DeviceError)
    case notFound(node: String)

    /// Whether another user or another machine could create one.
    var isLackOfPermission: Bool {
        switch self {
        case .uinput(.notPermitted), .uinput(.noUinput), .device(.notPermitted): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .uinput(.notPermitted): "this user may not write to /dev/uinput; run it as root"
        case .uinput(.noUinput): "there is no /dev/uinput; load the kernel's module by 'modprobe uinput'"
        case .uinput(.refused(let reason)): "no touchscreen can be made through /dev/uinput: \(reason)"
        case .device(let error): "the touchscreen that was made cannot be read: \(error)"
        case .notFound(let node):
            "the touchscreen that was made, \(node), was not announced within 20 s; see to udev"
        }
    }
}
