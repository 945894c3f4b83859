import Evdev
import Foundation

nonisolated extension LayoutChecker {
    /// Checks actions: the kernel knows their keys, and only trusted users can change their programs.
    mutating func checkActions() {
        var trusts: [String: Result<FileTrust, UserProblem>] = [:]
        var programs: [Program: ProgramProblem?] = [:]
        for (action, location) in document.actions {
            cost.names += 1
            switch action {
            case .emit(let keys):
                for key in keys where KeyName.code(of: key) == nil {
                    error(
                        at: location,
                        "'emit': unknown key '\(key.prefix(80))'; input-event-codes.h lists all keys")
                }
            case .exec(let spec): check(spec, at: location, &trusts, &programs)
            default: break
            }
        }
    }

    private struct Program: Hashable {
        var path: String
        var user: String?
    }

    private enum UserProblem: Error { case missing, root }

    /// A user who can change or replace a program decides what touchd runs. The script or program in the arguments of
    /// an interpreter or launcher counts as a program too.
    private mutating func check(
        _ spec: ExecSpec, at location: SourceLocation, _ trusts: inout [String: Result<FileTrust, UserProblem>],
        _ programs: inout [Program: ProgramProblem?]
    ) {
        let trust = trusts[spec.user ?? ""] ?? Self.trust(of: spec.user)
        trusts[spec.user ?? ""] = trust
        switch trust {
        case .failure(.root): error(at: location, "'exec': 'user' must not be root; name another user")
        case .failure(.missing):
            // The layout may be checked on a different machine than the kiosk.
            guard let foreignFiles else { return }
            findings.add(
                foreignFiles, at: location, "'exec': there is no user named '\(spec.user ?? "")' on this machine")
        case .success(let trust):
            for path in spec.programFiles {
                // A layout names few programs, most of them many times, so results are cached.
                let program = Program(path: path, user: spec.user)
                let problem = programs[program] ?? trust.problem(ofProgram: path)
                programs[program] = .some(problem)
                guard let problem else { continue }
                // A program that others can write to is an error everywhere; its folders depend on where the layout runs.
                if case .untrusted(.writable(path)) = problem {
                    error(at: location, "'exec': \(problem)")
                } else if let foreignFiles {
                    findings.add(foreignFiles, at: location, "'exec': \(problem)")
                }
            }
        }
    }

    /// A program that runs as another user may be writable by that user.
    private static func trust(of user: String?) -> Result<FileTrust, UserProblem> {
        guard let user else { return .success(FileTrust()) }
        guard let identity = FileTrust.user(named: user) else { return .failure(.missing) }
        return identity == 0 ? .failure(.root) : .success(FileTrust(identity))
    }
}

/// The reason why a program must not be started.
nonisolated enum ProgramProblem: CustomStringConvertible {
    case untrusted(FileTrust.Problem)
    /// It does not exist, and other users could create it.
    case missing(path: String, FileTrust.Problem)

    var description: String {
        switch self {
        case .untrusted(let problem): "\(problem)"
        case .missing(let path, let problem): "\(path) does not exist, and \(problem)"
        }
    }
}

nonisolated extension FileTrust {
    /// The problem with a program or a folder on its path, or nil.
    fileprivate func problem(ofProgram path: String) -> ProgramProblem? {
        var status = stat()
        guard stat(path, &status) == 0 else { return problem(ofMissing: path).map { .missing(path: path, $0) } }
        return (problem(of: status, at: path) ?? problem(onTheWayTo: path)).map { .untrusted($0) }
    }
}

nonisolated extension ExecSpec {
    /// The files that the command executes, as far as they are literal arguments.
    package var programFiles: [String] {
        arguments.map { $0.factNames.isEmpty ? $0.filled(by: { _ in nil }) : "" }.programFiles
    }
}
