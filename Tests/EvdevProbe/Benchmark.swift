import Recordings
import Evdev

/// The cost of decoding: `EvdevProbe --bench TIMES EVENTS [DESCRIPTION]` decodes a recording from memory TIMES times.
///
/// Run it with two different TIMES under `valgrind` and compare the allocations: frames cost none.
enum Benchmark {
    static func run(_ times: Int, _ path: String, _ description: String?) throws {
        var reader = try RecordingReader(path: path, description: description)
        var events: [InputEvent] = []
        while let event = try reader.next() { events.append(event) }
        let id = DeviceID(rawValue: 1)
        var decoder = Decoder(device: id, description: reader.description, role: DeviceRole(reader.description))
        var frame = InputFrame(device: id, timestamp: InputTimestamp(microseconds: 0))
        var frames = 0
        var contacts = 0
        let start = ContinuousClock.now
        for _ in 0..<times {
            for event in events {
                decoder.feed(event)
                while decoder.nextFrame(into: &frame) {
                    frames += 1
                    contacts += frame.contacts.count
                }
            }
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        print(
            "\(frames) frames, \(contacts) changes, \(events.count * times) events:",
            "\(Int(nanoseconds / Double(max(frames, 1)))) ns a frame,",
            "\(Int(nanoseconds / Double(max(events.count * times, 1)))) ns an event")
    }
}
