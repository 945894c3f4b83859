import Recordings
import Evdev
import Foundation
import Testing

/// The output of `touchd record`, read again.
@Suite("Recordings that touchd writes")
struct RecordingWriterTests {
    @Test("A rewritten recording has the same device and events", arguments: Expectation.all)
    func roundTrip(_ expected: Expectation) throws {
        guard let recording = expected.recording else { return }
        let path = Expectation.folder + recording
        let description = expected.description.map { Expectation.folder + $0 }
        let original = try read(path, description)
        var writer = RecordingWriter()
        let copy = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).evemu")
        defer { try? FileManager.default.removeItem(at: copy) }
        let text = writer.header(for: original.description) + original.events.map { writer.line(for: $0) }.joined()
        try Data(text.utf8).write(to: copy)

        let again = try read(copy.path, nil)

        #expect(again.events == original.events)
        #expect(again.description.name == original.description.name)
        #expect(again.description.properties == original.description.properties)
        #expect(again.description.axes.keys.sorted() == original.description.axes.keys.sorted())
        for (code, axis) in original.description.axes {
            #expect(again.description.axes[code]?.minimum == axis.minimum)
            #expect(again.description.axes[code]?.maximum == axis.maximum)
            #expect(again.description.axes[code]?.resolution == axis.resolution)
        }
        #expect(DeviceRole(again.description) == DeviceRole(original.description))
    }

    private func read(_ path: String, _ description: String?) throws -> (
        description: DeviceDescription, events: [InputEvent]
    ) {
        var reader = try RecordingReader(path: path, description: description)
        var events: [InputEvent] = []
        while let event = try reader.next() { events.append(event) }
        return (reader.description, events)
    }
}
