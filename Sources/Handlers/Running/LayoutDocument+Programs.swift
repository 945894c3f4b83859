import Foundation
import Layout

nonisolated extension LayoutDocument {
    /// What is wrong with the programs of `exec`: whoever can change one, or put another in its place, is who touchd would
    /// do the bidding of. Of a program that is not there nothing is said.
    ///
    /// - Parameter foreignFiles: How much it matters that a program, or a folder on the way to it, is another user's or can
    ///   be replaced, nil for not at all; one that others can write to is an error in any case.
    public func untrustedPrograms(foreignFiles: LayoutFinding.Severity? = nil) -> [LayoutFinding] {
        actions.compactMap { action, location -> LayoutFinding? in
            guard case .exec(let spec) = action, case .text(let program)? = spec.arguments.first?.segments.first else {
                return nil
            }
            // What a program does as a user is that user's affair.
            let trust = FileTrust(spec.user.flatMap { getpwnam($0)?.pointee.pw_uid })
            var status = stat()
            guard stat(program, &status) == 0 else { return nil }
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
