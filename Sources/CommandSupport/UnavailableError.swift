import Basics
import Glibc

/// Something that a command needs is missing or cannot be made; the description says how to fix it.
package struct UnavailableError: CommandError, CustomStringConvertible {
    package let description: String, status: Int32

    package init(_ description: String, status: Int32 = EX_UNAVAILABLE) {
        (self.description, self.status) = (description, status)
    }
}
