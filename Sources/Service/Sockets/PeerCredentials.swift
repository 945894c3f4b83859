import CLinux
import EventLoop
import Foundation

/// Who is at the other end of a local socket, as the kernel noted when it connected (unix(7), `SO_PEERCRED`).
nonisolated struct PeerCredentials: Equatable {
    /// The process, its user and its group.
    var process: pid_t
    var user: uid_t
    var group: gid_t
    /// The other groups it was in (`SO_PEERGROUPS`, Linux 4.13).
    var groups: [gid_t]

    /// Makes credentials.
    init(process: pid_t, user: uid_t, group: gid_t, groups: [gid_t] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }

    /// Asks for the credentials of a connected socket's peer.
    init(of descriptor: Int32) throws(SystemError) {
        var credentials = peer_credentials()
        var length = socklen_t(MemoryLayout<peer_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw SystemError(call: "getsockopt(SO_PEERCRED)", errno: errno)
        }
        self.init(process: credentials.pid, user: credentials.uid, group: credentials.gid)
        // 65,536 are the most that a process can be in (NGROUPS_MAX); few are in more than these, and they have root.
        var others = [gid_t](repeating: 0, count: 256)
        length = socklen_t(others.count * MemoryLayout<gid_t>.stride)
        if getsockopt(descriptor, SOL_SOCKET, Self.peerGroups, &others, &length) == 0 {
            groups = Array(others.prefix(Int(length) / MemoryLayout<gid_t>.stride))
        }
    }

    /// Whether the peer may command a service of a user whose socket belongs to a group: root, the user itself, and the
    /// group's members may.
    func mayCommand(user owner: uid_t, group members: gid_t) -> Bool {
        user == 0 || user == owner || group == members || groups.contains(members)
    }

    // SO_PEERGROUPS; glibc 2.36 has it in a header of the kernel's that Swift does not read.
    private static let peerGroups: Int32 = 59
}
