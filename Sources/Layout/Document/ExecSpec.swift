import Foundation

/// The `exec:` of a handler: a program and its arguments. No shell runs them, and a template is always one argument.
package nonisolated struct ExecSpec: Sendable, Equatable {
    /// The absolute path of the program, and its arguments.
    package var arguments: [Template] = []
    /// The text on its standard input; nil for none.
    package var input: Template?
    /// The user to run as, if touchd may change users; nil for touchd's user.
    package var user: String?
    /// The time in seconds until SIGTERM, which SIGKILL follows a little later; nil for no limit.
    package var timeout: TimeInterval?
    /// The maximum number of running programs that this step started.
    package var limit = 16
}
