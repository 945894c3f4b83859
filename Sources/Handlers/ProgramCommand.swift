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
    var input: String?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("arguments", "the absolute path and the arguments", \.arguments)
        visitor.member("environment", "the facts of the event, as `NAME=value`", \.environment)
        visitor.member("user", "the user to run as; absent for the user of the process that starts it", \.user)
        visitor.member(
            "timeout", .seconds, "after how long its process group is ended; absent for no timeout", \.timeout)
        visitor.member("input", "the text on its standard input; absent for none", \.input)
    }
}
