import Glibc

/// The sockets that systemd passes to a service (sd_listen_fds(3)).
package enum PassedSocket {
    /// The first descriptor that systemd passes.
    package static let descriptor: Int32 = 3

    /// The listening socket, which programs that this process starts do not get; nil if systemd passed none.
    package static func take() -> Int32? {
        let sockets = takeAll()
        return sockets.count == 1 ? sockets.first : nil
    }

    /// All sockets, in the order of the unit's settings.
    package static func takeAll() -> [Int32] {
        func value(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard value("LISTEN_PID") == getpid(), let count = value("LISTEN_FDS"), count > 0 else { return [] }
        let sockets = Array(descriptor..<descriptor + count)
        for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return sockets
    }
}
