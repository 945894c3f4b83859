/// Why a device cannot be read.
public enum DeviceError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The node may not be opened by this user; `group` is the group that may, if a group may.
    case notPermitted(path: String, group: String?)
    /// A system call failed; the text is the system's.
    case failed(path: String, call: String, reason: String)
    /// udev could not be asked for devices.
    case udevUnavailable(reason: String)

    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .notPermitted(let path, let group?):
            "\(path): not permitted; run touchd in group \(group) (SupplementaryGroups=\(group) in its unit, "
                + "or usermod -aG \(group) USER)"
        case .notPermitted(let path, nil):
            "\(path): not permitted, and no group is: add a udev rule such as "
                + "SUBSYSTEM==\"input\", KERNEL==\"event*\", GROUP=\"input\", MODE=\"0660\""
        case .failed(let path, let call, let reason):
            "\(path): \(call): \(reason)"
        case .udevUnavailable(let reason):
            "udev cannot be asked for input devices: \(reason)"
        }
    }
}
