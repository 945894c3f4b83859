import Basics
import CLibevdev
import CLinux
import Glibc

/// Why the device could not be created or written to.
package enum VirtualDeviceError: Error, Equatable, Sendable {
    /// This user may not write to `/dev/uinput`.
    case notPermitted
    /// The kernel has uinput, but this service may not use the node: `PrivateDevices=` hides it, or `DeviceAllow=` lacks
    /// it.
    case hidden
    /// `/dev/uinput` does not exist: the kernel module is not loaded, or this is a container.
    case noUinput
    /// The kernel or libevdev returned an error; `reason` is the system's error text.
    case refused(reason: String)

    init(errno number: Int32) {
        switch number {
        case EACCES: self = .notPermitted
        // The device cgroup's error; the file mode's is EACCES.
        case EPERM: self = .hidden
        case ENOENT where access("/sys/class/misc/uinput", F_OK) == 0: self = .hidden
        case ENOENT, ENODEV: self = .noUinput
        default: self = .refused(reason: ErrorText.of(number))
        }
    }
}
