import CLinux
import Glibc

/// Why the device could not be created or written to.
public enum VirtualDeviceError: Error, Equatable, Sendable {
    /// This user may not write to `/dev/uinput`.
    case notPermitted
    /// `/dev/uinput` does not exist: the kernel module is not loaded, or this is a container.
    case noUinput
    /// The kernel or libevdev returned an error; `reason` is the system's error text.
    case refused(reason: String)

    init(errno number: Int32) {
        switch number {
        case EACCES, EPERM: self = .notPermitted
        case ENOENT, ENODEV: self = .noUinput
        default: self = .refused(reason: String(cString: strerror(number)))
        }
    }
}
