import Recordings
import Evdev

/// The frames that the decoder makes of a recording's events without a device.
struct Decoding: ~Copyable {
    private(set) var frames: [InputFrame] = []
    private var decoder: Decoder
    private var frame: InputFrame
    private var lastTime = InputTimestamp(microseconds: 0)

    init(_ reader: borrowing RecordingReader) {
        let id = DeviceID(rawValue: 1)
        decoder = Decoder(device: id, description: reader.description, role: DeviceRole(reader.description))
        frame = InputFrame(device: id, timestamp: lastTime)
    }

    mutating func feed(_ event: InputEvent) {
        lastTime = event.time
        decoder.feed(event)
        record()
    }

    /// Cancels all contacts, as when the device is unplugged.
    mutating func cancelAll() {
        decoder.cancelAll(at: lastTime)
        record()
    }

    private mutating func record() {
        while decoder.nextFrame(into: &frame) { frames.append(frame) }
    }
}
