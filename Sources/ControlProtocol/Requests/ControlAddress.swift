import Glibc

/// The default path of the control socket.
package enum ControlAddress {
    /// The path of the installed unit.
    package static let installed = "/run/touchd/control"

    /// The path for a client: `TOUCHD_SOCKET`, in `RUNTIME_DIRECTORY` if the client is a service, otherwise that of the
    /// installed unit.
    package static var ofClient: String {
        getenv("TOUCHD_SOCKET").map { String(cString: $0) } ?? ofService ?? installed
    }

    /// The path for the service: in its `RUNTIME_DIRECTORY`; nil if that is not set.
    package static var ofService: String? {
        // Multiple directories are separated by colons (systemd.exec(5)); the first is touchd's.
        guard let directories = getenv("RUNTIME_DIRECTORY") else { return nil }
        return String(cString: directories).split(separator: ":").first.map { "\($0)/control" }
    }
}
