import Recordings
import CLinux
import Evdev
import Glibc

/// Writes a recording's events to a node as fast as they are read, without blocking.
///
/// The node is a pseudo-terminal, which holds 4095 bytes and would cut an event in two when full. Therefore the next
/// events are written only after the previous ones were read, and in batches of which two fit.
final class EventWriter {
    /// Whether the last event was written.
    private(set) var isAtEnd = false
    private var reader: RecordingReader
    private let descriptor: Int32
    private let readingEnd: Int32
    private static let eventsInLot = 75
    /// `TIOCGPTN` (ioctl_tty(2)), a macro that Swift cannot import.
    private static let getTerminalNumber: UInt = 0x8004_5430

    init(_ reader: consuming RecordingReader, to descriptor: Int32) throws {
        self.reader = reader
        self.descriptor = descriptor
        var number: Int32 = -1
        let known = ioctl(descriptor, Self.getTerminalNumber, &number) == 0
        readingEnd = known ? open("/dev/pts/\(number)", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1
        if readingEnd < 0 { throw TestBed.Failure(message: "the node cannot be watched") }
    }

    deinit { close(readingEnd) }

    /// Writes as much as the node accepts now.
    func write() {
        var unread = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&unread, 1, 0) == 0 else { return }
        var lot: [UInt8] = []
        for _ in 0..<Self.eventsInLot {
            guard let event = try? reader.next() else {
                isAtEnd = true
                break
            }
            withUnsafeBytes(of: input_event(event)) { lot += $0 }
        }
        if !lot.isEmpty { precondition(Glibc.write(descriptor, lot, lot.count) == lot.count) }
    }
}

extension input_event {
    fileprivate init(_ event: InputEvent) {
        self.init()
        time.tv_sec = Int(event.time.microseconds / 1_000_000)
        time.tv_usec = Int(event.time.microseconds % 1_000_000)
        type = event.type
        code = event.code
        value = event.value
    }
}
