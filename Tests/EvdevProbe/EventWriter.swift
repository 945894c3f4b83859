import CLinux
import Evdev
import Glibc

/// Writes a recording's events to a node as fast as they are read, never waiting.
final class EventWriter {
    private var reader: RecordingReader
    private let descriptor: Int32
    private var left: [UInt8] = []

    init(_ reader: consuming RecordingReader, to descriptor: Int32) throws {
        self.reader = reader
        self.descriptor = descriptor
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw TestBed.Failure(message: "the node cannot be written to")
        }
    }

    /// Writes what the node takes now.
    func write() {
        while true {
            while left.count < 1024, let event = try? reader.next() { append(event) }
            if left.isEmpty { return }
            let count = Glibc.write(descriptor, left, left.count)
            if count <= 0 { return }
            left.removeFirst(count)
        }
    }

    private func append(_ event: InputEvent) {
        var raw = input_event()
        raw.time.tv_sec = Int(event.time.microseconds / 1_000_000)
        raw.time.tv_usec = Int(event.time.microseconds % 1_000_000)
        raw.type = event.type
        raw.code = event.code
        raw.value = event.value
        withUnsafeBytes(of: raw) { left += $0 }
    }
}
