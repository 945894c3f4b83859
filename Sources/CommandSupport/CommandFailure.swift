import ArgumentParser
import Basics
import ControlProtocol
import Foundation
import Layout
import EventLoop
import Evdev

/// Exit statuses from `sysexits.h`, and their messages on standard error.
package enum CommandFailure {
    /// Runs a command; its error is reported and becomes the exit status.
    package static func reporting(_ command: () throws -> Void) throws {
        do { try command() } catch { throw report(error) }
    }

    /// Writes an error to standard error and returns the exit status.
    package static func report(_ error: any Error) -> ExitCode {
        if let status = error as? ExitCode { return status }
        let content = (error as? any FileContentError)?.content
        let actual = content.flatMap { FileKind(of: $0.path) }
        let message = content.flatMap { $0.kind == actual ? nil : actual?.problem($0.path, needed: $0.kind) }
        let text = message ?? "\(error)"
        // A message with a place already has its label.
        let line = text.prefix { $0 != "\n" }, hasLabel = line.contains(": error: ") || line.contains(": warning: ")
        StandardError.write(line: hasLabel ? text : "error: \(text)")
        return status(of: error)
    }

    /// Says that a name is an old one, which works for one more version.
    package static func warn(ofOldName old: String, _ name: String) {
        StandardError.write(line: "warning: '\(old)' is now '\(name)'; the old name will not work in later versions")
    }

    /// The exit status of an error.
    package static func status(of error: any Error) -> ExitCode {
        switch error {
        case let error as LayoutError where error.kind == .unreadable: return ExitCode(EX_NOINPUT)
        case RecordingError.unreadable: return ExitCode(EX_NOINPUT)
        case let error as any CommandError: return ExitCode(error.status)
        case ControlConnectionError.nobodyThere, ControlConnectionError.closed: return ExitCode(EX_UNAVAILABLE)
        case ControlConnectionError.noAnswer: return ExitCode(EX_TEMPFAIL)
        case ControlConnectionError.notPermitted: return ExitCode(EX_NOPERM)
        case ControlConnectionError.notAnAnswer: return ExitCode(EX_PROTOCOL)
        case let error as ControlError where error.code == .notPermitted: return ExitCode(EX_NOPERM)
        case let error as ControlError where error.code == .tooManyClients: return ExitCode(EX_TEMPFAIL)
        case let error as SystemError where UnavailableError.isOutputFailure(error.errno):
            return ExitCode(EX_IOERR)
        case DeviceError.failed: return ExitCode(EX_NOINPUT)
        case is ValidationError: return ExitCode(EX_USAGE)
        case is LayoutError, is RecordingError, is ControlError: return ExitCode(EX_DATAERR)
        default: return ExitCode(EX_OSERR)
        }
    }
}
