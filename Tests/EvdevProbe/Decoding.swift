import Evdev

/// The frames that the decoder makes of a recording without a device: of its reports, and of the removal at its end.
func decoded(_ path: String, _ description: String?) throws -> (reports: [InputFrame], removal: [InputFrame]) {
    var reader = try RecordingReader(path: path, description: description)
    let id = DeviceID(rawValue: 1)
    var decoder = Decoder(device: id, description: reader.description, role: DeviceRole(reader.description))
    var frame = InputFrame(device: id, timestamp: InputTimestamp(microseconds: 0))
    var frames: (reports: [InputFrame], removal: [InputFrame]) = ([], [])
    var last = frame.timestamp
    while let event = try reader.next() {
        last = event.time
        decoder.feed(event)
        while decoder.nextFrame(into: &frame) { frames.reports.append(frame) }
    }
    decoder.cancelAll(at: last)
    while decoder.nextFrame(into: &frame) { frames.removal.append(frame) }
    return frames
}
