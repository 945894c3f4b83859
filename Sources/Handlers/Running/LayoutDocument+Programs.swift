import Foundation
import Layout

nonisolated extension LayoutDocument {
    /// What is wrong with the programs of `exec`: a user who can change one, or put another in its place, decides what touchd
    /// runs. The script or program in the arguments of an interpreter or launcher counts as a program too.
    ///
    /// - Parameter foreignFiles: The severity of a program, or a folder on the way to it, that another user owns or can
    ///   replace, nil for not at all; a program that everybody can write to is an error in any case.
    public func untrustedPrograms(foreignFiles: LayoutFinding.Severity? = nil) -> [LayoutFinding] {
        commands.flatMap { spec, location in
            // What a program does as a user is that user's affair.
            let trust = FileTrust(spec.user.flatMap { getpwnam($0)?.pointee.pw_uid })
            return spec.programFiles.compactMap { program -> LayoutFinding? in
                var status = stat()
                guard stat(program, &status) == 0 else {
                    guard let foreignFiles else { return nil }
                    return trust.problem(ofMissing: program).map {
                        LayoutFinding(foreignFiles, at: location, "'exec': \(program) does not exist, and \($0)")
                    }
                }
                let problem = trust.problem(of: status, at: program)
                if let problem, case .writable = problem {
                    return LayoutFinding(.error, at: location, "'exec': \(problem)")
                }
                guard let foreignFiles else { return nil }
                return (problem ?? trust.problem(onTheWayTo: program)).map {
                    LayoutFinding(foreignFiles, at: location, "'exec': \($0)")
                }
            }
        }
    }

    /// The programs of `exec` that do not exist, or that the service's user may not execute, as warnings.
    public var unusablePrograms: [LayoutFinding] {
        var paths: Set<String> = []
        return commands.compactMap { spec, location in
            guard let program = spec.programFiles.first, paths.insert("\(spec.user ?? "") \(program)").inserted else {
                return nil
            }
            var status = stat()
            guard stat(program, &status) == 0 else {
                let reason = errno == ENOENT || errno == ENOTDIR ? "does not exist" : "cannot be looked at"
                return LayoutFinding(.warning, at: location, "'exec': '\(program)' \(reason) on this machine")
            }
            guard !Self.isExecutable(status, by: spec.user) else { return nil }
            return LayoutFinding(
                .warning, at: location,
                "'exec': '\(program)' is not executable for \(spec.user.map { "user '\($0)'" } ?? "the service's user"); "
                    + "run: chmod a+rx '\(program)'")
        }
    }

    private var commands: [(ExecSpec, SourceLocation)] {
        actions.compactMap { if case .exec(let spec) = $0.action { (spec, $0.location) } else { nil } }
    }

    /// Whether a user may execute a file by its mode; the service's user neither owns a file nor is in a file's group.
    private static func isExecutable(_ status: stat, by user: String?) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        guard let user, let entry = getpwnam(user)?.pointee else { return status.st_mode & S_IXOTH != 0 }
        if entry.pw_uid == status.st_uid { return status.st_mode & S_IXUSR != 0 }
        var groups = [gid_t](repeating: 0, count: 1024)
        var count = Int32(groups.count)
        guard getgrouplist(user, entry.pw_gid, &groups, &count) >= 0 else { return true }
        let isMember = groups.prefix(Int(count)).contains(status.st_gid)
        return status.st_mode & (isMember ? S_IXGRP : S_IXOTH) != 0
    }
}

nonisolated extension ExecSpec {
    /// The files that the command executes, as far as its literal words say so.
    fileprivate var programFiles: [String] {
        arguments.map { $0.factNames.isEmpty ? $0.filled(by: { _ in nil }) : "" }.programFiles
    }
}
