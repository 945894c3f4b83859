import Evdev
import Foundation
import Recordings
import TouchKit

extension Stage {
    /// Delivers a recording, after which the stage can go on: with fingers, or with another recording.
    ///
    /// The events take the path of a live device's, through the decoder. The recording's clock continues the stage's.
    /// Contacts that are down at its end are cancelled, as if the device were unplugged.
    ///
    ///     try stage.plays("visit.evemu")
    ///     stage.advanceTime(by: 1)
    /// - Parameters:
    ///   - path: evemu text, `libinput record` YAML or `evtest` output; may be gzipped.
    ///   - description: a file with the device's description for a recording that has none.
    /// - Throws: if the file is not a recording or becomes invalid; everything before that point is delivered.
    public func plays(_ path: String, description: String? = nil) throws(RecordingError) {
        var reader = try RecordingReader(path: path, description: description)
        let device = DeviceID(rawValue: 1000 + newContact())
        application.setScreen(screen, for: device)
        let info = DeviceInfo(
            id: device, path: path, description: reader.description,
            role: DeviceRole(reader.description, udevProperties: reader.udevProperties), use: .used,
            settings: DeviceSettings(description: reader.description, path: path, properties: [:]))
        let pipeline = FramePipeline(info) { [application] frame in
            application.enqueue(frame)
            application.drainEvents()
        }
        let start = tick()
        var first: InputTimestamp?
        defer { pipeline.cancelAll(at: time) }
        while var event = try reader.next() {
            let origin = first ?? event.time
            first = origin
            event.time.microseconds += start.microseconds - origin.microseconds
            time = max(time, event.time)
            pipeline.feed(event)
        }
    }
}
