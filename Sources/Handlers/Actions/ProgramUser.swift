import Foundation

/// The user that a handler's program runs as, changed by setpriv(1), which is on every Debian and needs no shell.
enum ProgramUser {
    /// Why a program cannot run as a user here; nil if it can.
    static func problem(_ name: String) -> String? {
        guard let entry = getpwnam(name) else { return "there is no user named '\(name)' on this machine" }
        if entry.pointee.pw_uid == 0 { return "programs of a layout do not run as root; name another user" }
        if entry.pointee.pw_uid == geteuid() { return nil }
        guard mayChangeUser else {
            return
                "touchd runs as '\(ownName)' and may not change to '\(name)'; leave 'user' out, or let the service do it "
                + "with AmbientCapabilities=CAP_SETUID CAP_SETGID"
        }
        guard access(setpriv, X_OK) == 0 else { return "\(setpriv) is not there to change the user with" }
        return nil
    }

    /// The words before a program's own that have it run as a user, with that user's groups and no capabilities.
    static func command(for name: String) -> [String] {
        guard let entry = getpwnam(name), entry.pointee.pw_uid != geteuid() else { return [] }
        return [
            setpriv, "--reuid=\(entry.pointee.pw_uid)", "--regid=\(entry.pointee.pw_gid)", "--init-groups",
            "--inh-caps=-all", "--ambient-caps=-all", "--",
        ]
    }

    private static let setpriv = "/usr/bin/setpriv"

    private static var ownName: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }

    /// Whether both CAP_SETGID (6) and CAP_SETUID (7) are effective (capabilities(7), proc_pid_status(5)).
    private static var mayChangeUser: Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
            let bits = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
        else { return false }
        return bits & 0xc0 == 0xc0
    }
}
