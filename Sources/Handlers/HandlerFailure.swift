import ControlProtocol
import Foundation
import Layout
import Logging

/// Why a handler failed.
package enum HandlerFailure: Error, Equatable, CustomStringConvertible {
    /// No handler has this name.
    case unknown(String)
    /// Handlers run each other endlessly; with the names of the last ones.
    case circle([String])
    /// One context exceeded the maximum number of steps.
    case tooManySteps
    /// An argument of `with` is too long after its facts are filled in.
    case argumentTooLong(String, bytes: Int)
    /// The layout does not allow the action, for instance because a view is missing.
    case layout(String)
    /// The action needs a layout, and the program has none.
    case noLayout
    /// A program could not be started.
    case notStarted(program: String, reason: String)
    /// The maximum number of programs is running.
    case tooManyPrograms(running: Int, ofStep: Bool)
    /// A program failed.
    case program(String, how: String)
    /// A program exceeded its step's timeout, in seconds, and was ended.
    case timedOut(program: String, after: TimeInterval)
    /// Nothing is there to publish to.
    case nowhereToPublish
    /// A message could not be sent to a broker.
    case messageNotSent(to: String, reason: String)
    /// A request could not be sent to a server, or the server refused it.
    case requestNotSent(to: String, reason: String)
    /// A key could not be pressed.
    case notEmitted(reason: String)

    package nonisolated var description: String {
        switch self {
        case .unknown(let name): "\(HandlerSpec.noHandlerIsNamed) '\(name)'"
        case .circle(let names):
            "not run: handlers run each other without end (… → \(names.joined(separator: " → "))); "
                + "add a 'when:' to one of them, or break the cycle"
        case .tooManySteps:
            "not run: one event ran \(LayoutLimit.stepsPerEvent) steps, the maximum; run fewer handlers, or remove "
                + "'go' from pages' 'appeared'"
        case .argumentTooLong(let name, let bytes):
            "not run: argument '\(name)' must be at most \(LayoutLimit.argumentSize) bytes long (got \(bytes)); use shorter "
                + "texts in 'with'"
        case .layout(let reason): reason
        case .noLayout: "no layout is loaded"
        case .notStarted(let program, let reason): "cannot start \(program): \(reason)"
        case .tooManyPrograms(let running, let ofStep):
            "not started: \(running) \(ofStep ? "of this step's commands" : "commands") already run"
        case .program(let program, let how): "\(program) \(how)"
        case .timedOut(let program, let seconds):
            "\(program) was stopped after its timeout of \(FactValue.measure(seconds).text) s"
        case .nowhereToPublish: "not published: there is no control socket"
        case .messageNotSent(let destination, let reason), .requestNotSent(let destination, let reason):
            "not sent to \(destination): \(reason)"
        case .notEmitted(let reason): "no key was sent: \(reason)"
        }
    }
}

extension MessageID {
    /// The message ID for a handler failure.
    package nonisolated init(_ failure: HandlerFailure) {
        switch failure {
        case .notStarted, .program: self = .programFailed
        case .timedOut: self = .programTimedOut
        case .tooManyPrograms: self = .programLimitReached
        case .messageNotSent, .nowhereToPublish: self = .messageNotSent
        case .requestNotSent: self = .requestNotSent
        case .unknown, .circle, .tooManySteps, .argumentTooLong, .layout, .noLayout, .notEmitted: self = .handlerFailed
        }
    }

    /// The metadata that carries the ID of a log line to the journal.
    package nonisolated var metadata: Logger.Metadata { [Self.field: "\(rawValue)"] }
}
