import CLinux
import Evdev
import Glibc

/// Reads bytes as a recording, from a file in memory, and decodes it.
enum FuzzedRecording {
    /// - Parameter header: the line that makes the reader take the rest for its format.
    static func violation(_ bytes: UnsafeRawBufferPointer, after header: StaticString) -> String? {
        let descriptor = memfd_create("recording", MFD_CLOEXEC)
        precondition(descriptor >= 0, "memfd_create: error number \(errno)")
        defer { close(descriptor) }
        // gzip's output starts with its own magic bytes.
        let isCompressed = bytes.count > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b
        if !isCompressed { write(descriptor, header.utf8Start, header.utf8CodeUnitCount) }
        write(descriptor, bytes.baseAddress, bytes.count)
        let path = "/proc/self/fd/\(descriptor)"
        do {
            return try read(path)
        } catch {
            return "\(error)".hasPrefix("\(path):") ? nil : "an error without its place: \(error)"
        }
    }

    private static func read(_ path: String) throws(RecordingError) -> String? {
        var reader = try RecordingReader(path: path)
        let role = DeviceRole(reader.description, udevProperties: reader.udevProperties, isWanted: true)
        let device = DeviceID(rawValue: 1)
        var decoder = Decoder(device: device, description: reader.description, role: role)
        var report = DecodeReport(description: reader.description, role: role)
        var frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
        var ledger = FrameLedger()
        var last = frame.timestamp
        var failure: RecordingError?
        do {
            while let event = try reader.next() {
                last = event.time
                _ = report.feed(event)
                decoder.feed(event)
                while decoder.nextFrame(into: &frame) { ledger.record(frame) }
            }
        } catch {
            failure = error
        }
        decoder.cancelAll(at: last)
        while decoder.nextFrame(into: &frame) { ledger.record(frame) }
        ledger.close()
        if let violation = ledger.violation { return violation }
        if let failure { throw failure }
        return nil
    }
}
