import Recordings
import Evdev

/// A bundled recording, played repeatedly beside the generated visitors, on its own device.
final class RecordedVisit {
    private let pipeline: FramePipeline
    private let frames: [[InputEvent]]
    private var position: Int?

    /// Reads a whole recording.
    init(path: String, device: DeviceID, onFrame: @escaping (borrowing InputFrame) -> Void) throws(RecordingError) {
        var reader = try RecordingReader(path: path)
        let info = DeviceInfo(
            id: device, path: path, description: reader.description,
            role: DeviceRole(reader.description, udevProperties: reader.udevProperties), use: .used,
            settings: DeviceSettings(description: reader.description, path: path, properties: [:]))
        pipeline = FramePipeline(info, onFrame: onFrame)
        var frames: [[InputEvent]] = [[]]
        while let event = try reader.next() {
            frames[frames.count - 1].append(event)
            // SYN_REPORT of EV_SYN; both are 0.
            if event.type == 0, event.code == 0 { frames.append([]) }
        }
        self.frames = frames
    }

    /// Starts the recording, unless it is playing.
    func begin() { if position == nil { position = 0 } }

    /// Plays the next frame at a time if the recording is playing; returns its number of events.
    func play(at time: InputTimestamp) -> Int {
        guard let now = position else { return 0 }
        guard now < frames.count else {
            // As at the end of a replay.
            pipeline.cancelAll(at: time)
            position = nil
            return 0
        }
        for event in frames[now] {
            pipeline.feed(InputEvent(type: event.type, code: event.code, value: event.value, time: time))
        }
        position = now + 1
        return frames[now].count
    }

    /// Stops in the middle, as when its device is unplugged.
    func stop(at time: InputTimestamp) {
        pipeline.cancelAll(at: time)
        position = nil
    }
}
