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
    /// After how many seconds its process group is ended; nil for never.
    var timeout: TimeInterval?
}

/// A step in the life of a program, in this order; `.gone` is always the last.
nonisolated enum ProgramEvent: Codable, Equatable {
    /// It runs and has this process number.
    case started(process: pid_t)
    /// It could not be started.
    case notStarted(reason: String)
    /// It returned from `main` or called `exit`.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
    /// It ran longer than its timeout and was ended.
    case timedOut
    /// It left processes in its group, which were ended at its timeout.
    case leftoversEnded
    /// Nothing more is reported about it.
    case gone
}

/// Starts programs and reports what becomes of them.
protocol ProgramStarter: AnyObject {
    /// Starts a program; it writes to `output`, which stays the caller's to close.
    ///
    /// - Parameter report: Called on the loop's thread, possibly before this returns.
    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure)

    /// Called when touchd ends: ends programs that have a timeout, which nobody would enforce afterwards.
    func close()
}
