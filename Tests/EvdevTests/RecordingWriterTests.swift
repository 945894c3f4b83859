import Testing

@testable import Evdev

/// The output of `touchd record`, read again.
@Suite("Recordings that touchd writes")
struct RecordingWriterTests {
    @Test(
        "A rewritten recording has the same device and events",
        arguments: Expectation.all.filter { $0.recording != nil })
    func roundTrip(_ expected: Expectation) throws {
        let (path, description) = try expected.paths
        let original = try read(path, description: description)
        var writer = RecordingWriter()

        let again = try read(
            text: writer.header(for: original.description) + original.events.map { writer.line(for: $0) }.joined())

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

    @Test("What the device held at the start is in the recording")
    func state() throws {
        var device = try read(text: panelHeader).description
        device.axes[AbsCode.slot]?.value = 3
        device.pressedKeys.insert(KeyCode.touch)
        device.pressedKeys.insert(KeyCode.toolPen)
        device.slots = (0..<4).map { slot in
            var content = SlotContent()
            content.trackingID = slot == 2 ? 77 : -1
            for (index, axis) in ContactAxes.codes.enumerated() {
                content.axes[keyPath: axis.value] = Int32(slot * 100 - index)
            }
            return content
        }

        let again = try read(text: RecordingWriter().header(for: device)).description

        #expect(again.slots == device.slots)
        #expect(again.pressedKeys == device.pressedKeys)
        #expect(again.axes[AbsCode.slot]?.value == 3)
        #expect(!RecordingWriter().header(for: device.atRest).contains("Event"))
    }
}
