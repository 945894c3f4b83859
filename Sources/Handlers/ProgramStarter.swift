import ControlProtocol
import Foundation

/// A program to start: what `touchd run` sends to `touchd exec-programs`.
nonisolated struct ProgramCommand: JSONMessage, Equatable {
    /// The maximum number of programs that run at once, for all handlers, so that rapid taps cannot fill the machine
    /// with processes.
    static let limit = 64
    /// The time between SIGTERM and SIGKILL for a program that is ended.
    static let grace = Duration.seconds(2)

    var arguments: [String] = [], environment: [String] = [], user: String?, timeout: TimeInterval?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("arguments", "the absolute path and the arguments", \.arguments)
        visitor.member("environment", "the facts of the occasion, as `NAME=value`", \.environment)
        visitor.member("user", "the user to run as; absent for the user of the process that starts it", \.user)
        visitor.member(
            "timeout", .seconds, "after how long its process group is ended; absent for no timeout", \.timeout)
    }
}

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

/// Starts programs and reports their events.
protocol ProgramStarter: AnyObject {
    /// Starts a program that writes to `output`, which the caller closes.
    ///
    /// - Parameter report: Called on the loop's thread, possibly before this returns.
    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure)

    /// Called on exit: ends programs that have a timeout, which could not be enforced afterwards.
    func close()
}
