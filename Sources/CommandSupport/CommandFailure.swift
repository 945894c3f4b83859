import ArgumentParser
import Basics
import ControlProtocol
import Foundation
import Layout
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
        StandardError.write(line: "\(error)")
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
        case is LayoutError, is RecordingError, is ControlError: return ExitCode(EX_DATAERR)
        default: return ExitCode(EX_OSERR)
        }
    }
}
