/// Why a device cannot be read.
public enum DeviceError: Error, Equatable, CustomStringConvertible, Sendable {
    /// This user may not open the node; `group` is the group that may, if any.
    case notPermitted(path: String, group: String?)
    /// A system call failed; `reason` is the system's error text.
    case failed(path: String, call: String, reason: String)
    /// The device was removed (`ENODEV`).
    case unplugged(path: String)
    /// The device could not be grabbed (`EVIOCGRAB`); it is used anyway.
    case notGrabbed(path: String, reason: String)
    /// The device sent more events than any working device; it is not read until it is replugged.
    case flooding(path: String, eventsPerSecond: Int)
    /// Querying udev for devices failed.
    case udevUnavailable(reason: String)
    /// Registering for resume notifications from the kernel failed.
    case resumeUnheard(reason: String)

    /// The device, the error and how to fix it.
    public var description: String { path.map { "\($0): \(reason)" } ?? reason }

    /// The node of the device; nil if the error is not about one device.
    public var path: String? {
        switch self {
        case .notPermitted(let path, _), .failed(let path, _, _), .unplugged(let path), .notGrabbed(let path, _),
            .flooding(let path, _):
            path
        case .udevUnavailable, .resumeUnheard: nil
        }
    }

    /// The error and how to fix it, for messages that already name the device.
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
            "cannot be grabbed (\(reason)): other programs receive its events too; if another "
                + "program has grabbed it, touchd receives none; stop that program, or remove 'grab' from the rule"
        case .flooding(_, let eventsPerSecond):
            "sent \(eventsPerSecond) events in a second; ignored until it is plugged in again"
        case .udevUnavailable(let reason):
            "cannot list input devices through udev: \(reason)"
        case .resumeUnheard(let reason):
            "cannot watch for a resume after suspend: \(reason)"
        }
    }
}
