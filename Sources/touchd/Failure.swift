import ArgumentParser
import Evdev
import Foundation
import Layout

/// Exit statuses as `sysexits.h` has them, and the words on standard error that go with them.
enum Failure {
    /// Writes what went wrong to standard error and answers the status to exit with.
    static func report(_ error: any Error) -> ExitCode {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        switch error {
        case let error as LayoutError where error.kind == .unreadable: return ExitCode(EX_NOINPUT)
        case RecordingError.unreadable: return ExitCode(EX_NOINPUT)
        case is LayoutError, is RecordingError: return ExitCode(EX_DATAERR)
        default: return ExitCode(EX_OSERR)
        }
    }
}
