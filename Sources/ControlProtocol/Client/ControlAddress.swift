import Foundation

/// Where the control socket is when nobody says where.
public nonisolated enum ControlAddress {
    /// Where a client looks: in the directory that systemd made, which it has in its own service too, or else where the
    /// installed unit has it.
    public static var ofClient: String { ofService ?? "/run/touchd/control" }

    /// Where a service makes it: in the directory that systemd made for it; nil where there is none.
    package static var ofService: String? {
        // Several directories are separated by colons (systemd.exec(5)); the first is touchd's.
        guard let directory = ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first
        else {
            return nil
        }
        return "\(directory)/control"
    }
}
