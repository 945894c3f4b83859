import EventLoop
import Foundation

/// A program to start: what `touchd run` sends to `touchd exec-programs`.
nonisolated struct ProgramCommand: Codable, Equatable {
    /// The absolute path and the arguments.
    var arguments: [String]
    /// The facts of the occasion, as `NAME=value`.
    var environment: [String]
    /// The user to run as; nil for the user of the process that starts it.
    var user: String?
    /// The timeout in seconds, after which its process group is ended; nil for no timeout.
    var timeout: TimeInterval?
}

/// An event in the life of a program, in this order; `.gone` is always the last.
nonisolated enum ProgramEvent: Codable, Equatable {
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
