import Foundation

/// The user that a handler's program runs as, changed by setpriv(1), which every Debian has and which needs no shell.
enum ProgramUser {
    /// Why this process cannot run a program as a user whom `ProgramTrust` allows; nil if it can.
    static func problem(_ name: String) -> String? {
        if getpwnam(name)?.pointee.pw_uid == geteuid() { return nil }
        guard mayChangeUser else {
            return
                "programs run as '\(ownName)', which may not change to '\(name)'; remove 'user', or allow it with "
                + "'systemctl edit touchd-exec' (docs/handlers.md has the lines)"
        }
        guard access(setpriv, X_OK) == 0 else {
            return "\(setpriv) is missing and cannot change the user; install util-linux"
        }
        return nil
    }

    /// The arguments to put before a program's command, which change its user and groups and drop its capabilities.
    ///
    /// If this process may change users, a program without a user gets them too, because it would inherit that
    /// capability.
    static func command(for name: String?) -> [String] {
        let dropping = ["--inh-caps=-all", "--ambient-caps=-all", "--"]
        guard let name else { return hasAmbientCapabilities ? [setpriv] + dropping : [] }
        guard let entry = getpwnam(name), entry.pointee.pw_uid != geteuid() else { return [] }
        return [setpriv, "--reuid=\(entry.pointee.pw_uid)", "--regid=\(entry.pointee.pw_gid)", "--init-groups"]
            + dropping
    }

    private static let setpriv = "/usr/bin/setpriv"

    private static var ownName: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }

    /// Whether both CAP_SETGID (6) and CAP_SETUID (7) are effective.
    private static var mayChangeUser: Bool { capabilities("CapEff:") & 0xc0 == 0xc0 }

    /// Whether programs would inherit capabilities of this process.
    private static let hasAmbientCapabilities = capabilities("CapAmb:") != 0

    /// A set of capabilities of this process (capabilities(7), proc_pid_status(5)).
    private static func capabilities(_ name: String) -> UInt64 {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return 0 }
        return UInt64(line.dropFirst(name.count).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
    }
}
