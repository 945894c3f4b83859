import Evdev
import Recordings

/// A panel on which a recording is played again and again, each time at another place of the screen.
final class Visit {
    private(set) var plays = 0
    private let info: DeviceInfo
    private let onFrame: (borrowing InputFrame) -> Void
    private var pipeline: FramePipeline?
    private let events: [InputEvent]
    private var next: Int?
    /// What is added to the recording's times.
    private var shift: Int64 = 0
    /// The recording takes a half of the screen in each direction; this is its corner.
    private var corner = SurfacePoint(x: 0, y: 0)

    init(path: String, device: DeviceID, onFrame: @escaping (borrowing InputFrame) -> Void)
        throws(RecordingError)
    {
        var reader = try RecordingReader(path: path)
        info = DeviceInfo(
            id: device, path: path, description: reader.description,
            role: DeviceRole(reader.description, udevProperties: reader.udevProperties), use: .used,
            settings: DeviceSettings(description: reader.description, path: "", properties: [:]))
        self.onFrame = onFrame
        var events: [InputEvent] = []
        while let event = try reader.next() { events.append(event) }
        self.events = events
        plugIn()
    }

    var isPlaying: Bool { next != nil }
    var device: DeviceID { info.id }

    /// Starts the recording.
    func begin(at time: InputTimestamp, corner: SurfacePoint) {
        (next, self.corner, shift) = (0, corner, time.microseconds - events[0].time.microseconds)
        plays += 1
    }

    /// Plays the events up to a time; returns their number.
    func play(until time: InputTimestamp) -> Int {
        guard let first = next else { return 0 }
        var index = first
        while index < events.count, events[index].time.microseconds + shift <= time.microseconds {
            var event = events[index]
            event.time.microseconds += shift
            pipeline?.feed(event)
            index += 1
        }
        next = index < events.count ? index : nil
        if next == nil { pipeline?.cancelAll(at: time) }
        return index - first
    }

    /// Unplugs the panel, whatever is down on it, and plugs it in again.
    func replug(at time: InputTimestamp) {
        pipeline?.cancelAll(at: time)
        next = nil
        plugIn()
    }

    private func plugIn() {
        pipeline = FramePipeline(info) { [unowned self] frame in
            var moved = copy frame
            for index in moved.contacts.indices {
                let place = moved.contacts[index].position
                moved.contacts[index].position = SurfacePoint(
                    x: corner.x + place.x / 2, y: corner.y + place.y / 2)
            }
            onFrame(moved)
        }
    }
}
