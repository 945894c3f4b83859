import Foundation
import Layout

nonisolated extension LayoutDocument {
    /// Warnings for the programs of `exec` that do not exist or that the service's user may not execute, by the modes of
    /// the file and its folders.
    package var unusablePrograms: [LayoutFinding] {
        var paths: Set<String> = []
        return commands.compactMap { spec, location in
            guard let program = spec.programFiles.first, paths.insert("\(spec.user ?? "") \(program)").inserted else {
                return nil
            }
            var status = stat()
            guard stat(program, &status) == 0 else {
                let reason = errno == ENOENT || errno == ENOTDIR ? "does not exist" : "cannot be checked"
                return LayoutFinding(.warning, at: location, "'exec': '\(program)' \(reason) on this machine")
            }
            let user = spec.user.map { "user '\($0)'" } ?? "the service's user"
            if let folder = Self.closedFolder(above: program, for: spec.user) {
                return LayoutFinding(
                    .warning, at: location,
                    "'exec': '\(program)' is not executable for \(user), who may not enter '\(folder)'; "
                        + "move the program, for example to /usr/local/bin")
            }
            guard status.st_mode & S_IFMT != S_IFREG || !Self.isExecutable(status, by: spec.user) else { return nil }
            return LayoutFinding(
                .warning, at: location,
                "'exec': '\(program)' is not executable for \(user); run: chmod a+rx '\(program)'")
        }
    }

    /// The first folder on the way to a program that a user may not enter; nil without one.
    private static func closedFolder(above program: String, for user: String?) -> String? {
        let names = program.split(separator: "/").dropLast()
        return names.indices.lazy.map { "/" + names[...$0].joined(separator: "/") }.first { folder in
            var status = stat()
            return stat(folder, &status) == 0 && !isExecutable(status, by: user)
        }
    }

    private var commands: [(ExecSpec, SourceLocation)] {
        actions.compactMap { if case .exec(let spec) = $0.action { (spec, $0.location) } else { nil } }
    }

    /// Whether a user may execute a file or enter a folder by its mode; the service's user neither owns it nor is in its
    /// group.
    private static func isExecutable(_ status: stat, by user: String?) -> Bool {
        guard let user, let entry = getpwnam(user)?.pointee else { return status.st_mode & S_IXOTH != 0 }
        if entry.pw_uid == status.st_uid { return status.st_mode & S_IXUSR != 0 }
        var groups = [gid_t](repeating: 0, count: 1024)
        var count = Int32(groups.count)
        guard getgrouplist(user, entry.pw_gid, &groups, &count) >= 0 else { return true }
        let isMember = groups.prefix(Int(count)).contains(status.st_gid)
        return status.st_mode & (isMember ? S_IXGRP : S_IXOTH) != 0
    }
}
