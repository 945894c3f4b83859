import Evdev
import Foundation

nonisolated extension LayoutChecker {
    /// Actions: that the kernel has their keys, and that nobody else decides what their programs do.
    mutating func checkActions() {
        var trusts: [String: Result<FileTrust, UserProblem>] = [:]
        var programs: [Program: FileTrust.Problem?] = [:]
        for (action, location) in document.actions {
            cost.names += 1
            switch action {
            case .emit(let keys):
                for key in keys where KeyName.code(of: key) == nil {
                    error(
                        at: location,
                        "'emit': the kernel knows no key '\(key.prefix(80))'; input-event-codes.h has them all")
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

    /// Whoever can change a program, or put another in its place, decides what touchd does. Of a program that is not there
    /// nothing is said.
    private mutating func check(
        _ spec: ExecSpec, at location: SourceLocation, _ trusts: inout [String: Result<FileTrust, UserProblem>],
        _ programs: inout [Program: FileTrust.Problem?]
    ) {
        let trust = trusts[spec.user ?? ""] ?? Self.trust(of: spec.user)
        trusts[spec.user ?? ""] = trust
        switch trust {
        case .failure(.root): error(at: location, "'exec': programs of a layout do not run as root; name another user")
        case .failure(.missing):
            // A layout may be checked on another machine than the kiosk.
            guard let foreignFiles else { return }
            findings.add(
                foreignFiles, at: location, "'exec': there is no user named '\(spec.user ?? "")' on this machine")
        case .success(let trust):
            guard case .text(let path)? = spec.arguments.first?.segments.first else { return }
            // A layout names few programs, most of them often.
            let program = Program(path: path, user: spec.user)
            let problem = programs[program] ?? trust.problem(ofProgram: path)
            programs[program] = .some(problem)
            guard let problem else { return }
            if case .writable(path) = problem {
                error(at: location, "'exec': \(problem)")
            } else if let foreignFiles {
                findings.add(foreignFiles, at: location, "'exec': \(problem)")
            }
        }
    }

    /// What a program does as a user is that user's affair.
    private static func trust(of user: String?) -> Result<FileTrust, UserProblem> {
        guard let user else { return .success(FileTrust()) }
        guard let identity = FileTrust.user(named: user) else { return .failure(.missing) }
        return identity == 0 ? .failure(.root) : .success(FileTrust(identity))
    }
}

nonisolated extension FileTrust {
    /// What is wrong with a program or with the way to it; nil if nothing is, or if it is not there.
    fileprivate func problem(ofProgram path: String) -> Problem? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return problem(of: status, at: path) ?? problem(onTheWayTo: path)
    }
}
