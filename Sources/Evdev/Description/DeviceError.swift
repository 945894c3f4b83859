/// Why a device cannot be read.
public enum DeviceError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The node may not be opened by this user; `group` is the group that may, if a group may.
    case notPermitted(path: String, group: String?)
    /// A system call failed; the text is the system's.
    case failed(path: String, call: String, reason: String)
    /// The device is gone (`ENODEV`).
    case unplugged(path: String)
    /// Others cannot be kept from the device (`EVIOCGRAB`), which is used all the same.
    case notGrabbed(path: String, reason: String)
    /// The device sent more than any device has to say, and is not read until it is plugged in again.
    case flooding(path: String, eventsPerSecond: Int)
    /// udev could not be asked for devices.
    case udevUnavailable(reason: String)
    /// The kernel could not be asked to tell when the machine was suspended.
    case resumeUnheard(reason: String)

    /// Which device it is, what is wrong and what to do about it.
    public var description: String { path.map { "\($0): \(reason)" } ?? reason }

    /// The node of the device; nil where it is of none.
    public var path: String? {
        switch self {
        case .notPermitted(let path, _), .failed(let path, _, _), .unplugged(let path), .notGrabbed(let path, _),
            .flooding(let path, _):
            path
        case .udevUnavailable, .resumeUnheard: nil
        }
    }

    /// What is wrong and what to do about it, where the device is named already.
    public var reason: String {
        switch self {
        case .notPermitted(_, let group?):
            "not permitted; run touchd in group \(group) (SupplementaryGroups=\(group) in its unit, "
                + "or usermod -aG \(group) USER)"
        case .notPermitted(_, nil):
            "only root may open it; add a udev rule such as "
                + "SUBSYSTEM==\"input\", KERNEL==\"event*\", GROUP=\"input\", MODE=\"0660\""
        case .failed(_, let call, let reason):
            "\(call): \(reason)"
        case .unplugged:
            "unplugged"
        case .notGrabbed(_, let reason):
            "cannot be grabbed (\(reason)): it is used, but others get its events too, and while another "
                + "program has grabbed it only that one gets them; stop that program, or take grab from the rule"
        case .flooding(_, let eventsPerSecond):
            "sent \(eventsPerSecond) events in a second; not read until it is plugged in again"
        case .udevUnavailable(let reason):
            "udev cannot be asked for input devices: \(reason)"
        case .resumeUnheard(let reason):
            "the kernel cannot be asked to tell of a resume after suspend: \(reason)"
        }
    }
}
