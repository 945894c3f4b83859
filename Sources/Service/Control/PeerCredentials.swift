import CLinux
import EventLoop
import Foundation

/// The credentials of a local socket's peer, as the kernel recorded them at connect time (unix(7), `SO_PEERCRED`).
nonisolated struct PeerCredentials: Equatable {
    var process: pid_t
    var user: uid_t
    var group: gid_t
    /// The peer's supplementary groups (`SO_PEERGROUPS`, Linux 4.13).
    var groups: [gid_t]

    init(process: pid_t, user: uid_t, group: gid_t, groups: [gid_t] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }

    /// Reads the credentials of a connected socket's peer.
    init(of descriptor: Int32) throws(SystemError) {
        var credentials = peer_credentials()
        var length = socklen_t(MemoryLayout<peer_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw SystemError(call: "getsockopt(SO_PEERCRED)", errno: errno)
        }
        self.init(process: credentials.pid, user: credentials.uid, group: credentials.gid)
        // A process can be in 65,536 groups (NGROUPS_MAX). More than 256 are rare; then only the primary group counts.
        var others = [gid_t](repeating: 0, count: 256)
        length = socklen_t(others.count * MemoryLayout<gid_t>.stride)
        if getsockopt(descriptor, SOL_SOCKET, Self.peerGroups, &others, &length) == 0 {
            groups = Array(others.prefix(Int(length) / MemoryLayout<gid_t>.stride))
        }
    }

    /// Whether the peer may send commands: root, the service's user and members of the socket's group may.
    func mayCommand(user owner: uid_t, group members: gid_t) -> Bool {
        user == 0 || user == owner || group == members || groups.contains(members)
    }

    // SO_PEERGROUPS; glibc 2.36 defines it in a kernel header that Swift does not import.
    private static let peerGroups: Int32 = 59
}
