import ControlProtocol
import Foundation

/// An event in the life of a program, in this order; `.gone` is always the last.
nonisolated enum ProgramEvent: JSONValue, Equatable {
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
    /// No more events follow for this program.
    case gone

    /// Writes an object with one member.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .started(let process): writer.member("started", process)
        case .notStarted(let reason): writer.member("notStarted", reason)
        case .exited(let status): writer.member("exited", status)
        case .signalled(let signal): writer.member("signalled", signal)
        case .timedOut: writer.member("timedOut", true)
        case .leftoversEnded: writer.member("leftoversEnded", true)
        case .gone: writer.member("gone", true)
        }
        writer.end()
    }

    init(json: JSONTree) throws(MemberError) {
        guard let (name, value) = json.members?.first else { throw MemberError("an event is expected") }
        self =
            switch name {
            case "started": .started(process: try value.decode())
            case "notStarted": .notStarted(reason: try value.decode())
            case "exited": .exited(try value.decode())
            case "signalled": .signalled(try value.decode())
            case "timedOut": .timedOut
            case "leftoversEnded": .leftoversEnded
            case "gone": .gone
            default: throw MemberError("an event is expected")
            }
    }
}
