import CLinux
import Glibc
import Testing

/// An eventfd, closed with the object.
final class EventDescriptor {
    let number: Int32

    init(_ value: UInt32 = 0) throws {
        number = eventfd(value, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        try #require(number >= 0)
    }

    deinit { close(number) }

    /// Makes it readable.
    func write() { eventfd_write(number, 1) }

    /// Makes it unreadable again, and returns the sum written since the last call.
    @discardableResult
    func read() -> UInt64 {
        var value: eventfd_t = 0
        return eventfd_read(number, &value) == 0 ? value : 0
    }
}
