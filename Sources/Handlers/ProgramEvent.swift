import ControlProtocol
import Foundation

/// An event in the life of a program, in this order; `.gone` is always the last.
nonisolated enum ProgramEvent: JSONSum, Equatable {
    /// The program runs and has this process number.
    case started(process: pid_t)
    /// The program could not be started.
    case notStarted(reason: String)
    /// The program returned from `main` or called `exit`.
    case exited(Int32)
    /// A signal ended the program.
    case signalled(Int32)
    /// The program exceeded its timeout and was ended.
    case timedOut
    /// The program left processes in its group, which were ended at its timeout.
    case leftoversEnded
    /// The kernel does not let touchd end processes of the program's group.
    case notEnded(reason: String)
    /// No more events follow for this program.
    case gone

    static let prototypes: [ProgramEvent] = [
        .started(process: 0), .notStarted(reason: ""), .exited(0), .signalled(0), .timedOut, .leftoversEnded,
        .notEnded(reason: ""), .gone,
    ]

    mutating func visit<Visitor: CaseVisitor & ~Copyable>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        switch self {
        case .started(let process): self = try visitor.member("started", process, Self.started)
        case .notStarted(let reason): self = try visitor.member("notStarted", reason, Self.notStarted)
        case .exited(let status): self = try visitor.member("exited", status, Self.exited)
        case .signalled(let signal): self = try visitor.member("signalled", signal, Self.signalled)
        case .timedOut: try visitor.mark("timedOut")
        case .leftoversEnded: try visitor.mark("leftoversEnded")
        case .notEnded(let reason): self = try visitor.member("notEnded", reason, Self.notEnded)
        case .gone: try visitor.mark("gone")
        }
    }
}
