import Foundation

/// Whether a program may be started, and by whom: one answer for the check of a layout, for `touchd check`, and for the
/// start.
///
/// A user who can change or replace a program decides what touchd runs; `FileTrust` has the rule for files. The script or
/// program in the arguments of an interpreter or launcher counts as a program too.
package nonisolated struct ProgramTrust: Hashable, Sendable {
    /// A reason against a program.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package enum Kind: Sendable {
            /// It is never started.
            case refused
            /// A service does not start it. The layout may be checked on a different machine than the kiosk.
            case untrusted
            /// It could not be started on this machine.
            case unusable
        }

        package let kind: Kind
        /// The problem, and how to fix it.
        package let description: String

        fileprivate init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
    }

    /// The program, and the files that it executes, as far as its arguments show.
    package let files: [String]
    private let user: String?

    /// - Parameters:
    ///   - arguments: The program's path and its arguments; an empty text for one that is not known yet.
    ///   - user: The user to run as; nil for the user of this process.
    package init(_ arguments: [String], user: String?) { (files, self.user) = (arguments.programFiles, user) }

    package init(_ spec: ExecSpec) {
        self.init(spec.arguments.map { $0.factNames.isEmpty ? $0.filled { _ in nil } : "" }, user: spec.user)
    }

    /// All problems that the user and the paths have.
    package var problems: [Problem] { risks + [obstacle].compactMap { $0 } }

    private var risks: [Problem] {
        if let user, let problem = Self.problem(ofUser: user) { return [problem] }
        return files.compactMap { path in
            var status = stat()
            if stat(path, &status) == 0 { return problem(of: status, at: path) }
            return trust.problem(ofMissing: path).map { Problem(.untrusted, "\(path) does not exist, and \($0)") }
        }
    }

    /// The problem with one of the files or a folder on its path, or nil.
    ///
    /// - Parameters:
    ///   - status: The file's stat(2) data.
    ///   - descriptor: The file, if it is open.
    package func problem(of status: stat, at path: String, descriptor: Int32? = nil) -> Problem? {
        // For a program that runs as another user, that user is trusted too.
        let problem =
            trust.problem(of: status, at: path) ?? trust.problem(onTheWayTo: path, descriptor: descriptor)
        // Others can write to the file itself everywhere; its owner and its folders depend on where the layout runs.
        return problem.map { Problem($0 == .writable(path: path) ? .refused : .untrusted, "\($0)") }
    }

    /// Why no process could run a program as a user, or nil.
    package static func problem(ofUser name: String) -> Problem? {
        guard let user = FileTrust.user(named: name) else {
            return Problem(.untrusted, "there is no user named '\(name)' on this machine")
        }
        return user == 0 ? Problem(.refused, "'user' must not be root; name another user") : nil
    }

    private var trust: FileTrust { FileTrust(user.flatMap(FileTrust.user(named:))) }

    // MARK: Obstacles

    /// Why the program does not exist, or may not be executed by its user, according to the modes of the file and its
    /// folders.
    private var obstacle: Problem? {
        guard let program = files.first else { return nil }
        var status = stat()
        guard stat(program, &status) == 0 else {
            let reason = errno == ENOENT || errno == ENOTDIR ? "does not exist" : "cannot be checked"
            return Problem(.unusable, "'\(program)' \(reason) on this machine")
        }
        let name = user.map { "user '\($0)'" } ?? "the service's user"
        if let folder = closedFolder(above: program) {
            return Problem(
                .unusable,
                "'\(program)' is not executable for \(name), who may not enter '\(folder)'; "
                    + "move the program, for example to /usr/local/bin")
        }
        guard status.st_mode & S_IFMT != S_IFREG || !isExecutable(status) else { return nil }
        return Problem(.unusable, "'\(program)' is not executable for \(name); run: chmod a+rx '\(program)'")
    }

    /// The first folder on the way to a program that the user may not enter, or nil.
    private func closedFolder(above program: String) -> String? {
        let names = program.split(separator: "/").dropLast()
        return names.indices.lazy.map { "/" + names[...$0].joined(separator: "/") }.first { folder in
            var status = stat()
            return stat(folder, &status) == 0 && !isExecutable(status)
        }
    }

    /// Whether the user may execute a file or enter a folder by its mode; the service's user neither owns it nor is in its
    /// group.
    private func isExecutable(_ status: stat) -> Bool {
        guard let user, let entry = getpwnam(user)?.pointee else { return status.st_mode & S_IXOTH != 0 }
        if entry.pw_uid == status.st_uid { return status.st_mode & S_IXUSR != 0 }
        var groups = [gid_t](repeating: 0, count: 1024)
        var count = Int32(groups.count)
        guard getgrouplist(user, entry.pw_gid, &groups, &count) >= 0 else { return true }
        let isMember = groups.prefix(Int(count)).contains(status.st_gid)
        return status.st_mode & (isMember ? S_IXGRP : S_IXOTH) != 0
    }
}

nonisolated extension LayoutDocument {
    /// Warnings for the programs of `exec` that do not exist or that the service's user may not execute.
    package var unusablePrograms: [LayoutFinding] {
        var known: Set<String> = []
        return actions.flatMap { action, location -> [LayoutFinding] in
            guard case .exec(let spec) = action else { return [] }
            let trust = ProgramTrust(spec)
            guard known.insert("\(spec.user ?? "") \(trust.files.first ?? "")").inserted else { return [] }
            return trust.problems.filter { $0.kind == .unusable }.map {
                LayoutFinding(.warning, at: location, "'exec': \($0)")
            }
        }
    }
}

nonisolated extension [String] {
    /// The files that a command executes, as far as its arguments show: its program, and if that is an interpreter or a
    /// launcher, also the first absolute path in its arguments.
    fileprivate var programFiles: [String] {
        guard let program = first else { return [] }
        guard ProgramKind(program) != .other, let next = dropFirst().firstIndex(where: { $0.hasPrefix("/") }) else {
            return [program]
        }
        return [program] + Array(self[next...]).programFiles
    }
}
