import Basics
import Glibc

/// Something that a command needs is missing or cannot be made; the description says how to fix it.
package struct UnavailableError: CommandError, CustomStringConvertible {
    package let description: String, status: Int32

    package init(_ description: String, status: Int32 = EX_UNAVAILABLE) {
        (self.description, self.status) = (description, status)
    }

    /// Whether a failed write means that the output cannot be written, as on a full disk.
    package static func isOutputFailure(_ number: Int32) -> Bool { [EIO, ENOSPC, EFBIG, EDQUOT].contains(number) }

    /// The error of output that cannot be written.
    ///
    /// - Parameter path: The file, or nil for standard output.
    package static func noOutput(_ path: String? = nil, _ reason: String? = nil) -> UnavailableError {
        UnavailableError(
            "cannot write \(path ?? "standard output")" + (reason.map { ": \($0)" } ?? "; is its disk full?"),
            status: EX_IOERR)
    }
}
