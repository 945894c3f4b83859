import CLibinputTouch
import CLinux
import Glibc

/// The event node of a device that umockdev made, from the side that writes to it.
///
/// It is a pseudo-terminal: what is written gets to the reader by a worker of the kernel's, some time later, and a writer
/// that is 8 KiB ahead of that worker waits. So a report counts as written once the reader can read all of it.
final class MockNode {
    private let descriptor: Int32
    /// The other end, opened once more, to see what it holds.
    private let readingEnd: Int32
    /// `TIOCGPTN` (ioctl_tty(2)), a macro that Swift cannot import.
    private static let getTerminalNumber: UInt = 0x8004_5430

    /// - Parameter descriptor: umockdev's end of the node, which stays open as long as its test bed.
    init(_ descriptor: Int32) throws {
        self.descriptor = descriptor
        var number: Int32 = -1
        let known = ioctl(descriptor, Self.getTerminalNumber, &number) == 0
        readingEnd = known ? open("/dev/pts/\(number)", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1
        if readingEnd < 0 { throw TestBed.Failure(message: "the node cannot be watched") }
    }

    deinit { close(readingEnd) }

    /// Writes a frame and waits until it has arrived.
    func write(_ frame: [input_event]) {
        // A pseudo-terminal holds 4095 bytes; no report of these recordings is as long.
        let size = frame.count * MemoryLayout<input_event>.stride
        precondition(unread == 0, "the reader has left \(unread) bytes of the report before")
        precondition(Glibc.write(descriptor, frame, size) == size, "the node did not take a report of \(size) bytes")
        while unread < size {
            var arrival = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
            poll(&arrival, 1, -1)
        }
    }

    /// How many bytes the reader has not read yet.
    private var unread: Int {
        let count = unread_bytes(readingEnd)
        precondition(count >= 0, "the node cannot be asked what it holds: error \(-count)")
        return Int(count)
    }
}
