import Evdev
import Foundation
import Testing

/// `libinput record` with several devices, or with --all, writes them in sequence.
@Suite("A recording of several devices")
struct SeveralDevicesTests {
    @Test("By default the first device that touchd would use is read")
    func firstUsed() throws {
        let reader = try RecordingReader(path: recording())

        #expect(reader.device == 2)
        #expect(reader.description.name == "Left: \"panel\"")
        #expect(reader.udevProperties == ["ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1"])
        #expect(
            reader.remarks == [
                "not reading device 1 of 3, Typewriter: keyboard, 2 events",
                "reading device 2 of 3, Left: \"panel\": touchscreen, 3 events",
                "not reading device 3 of 3, Right panel: touchscreen, 3 events",
            ])
    }

    @Test("A touchscreen comes before keys, and of touchscreens the one with events")
    func touchscreenFirst() throws {
        let text = """
            version: 1
            ndevices: 4
            devices:
            \(entry("Power Button", codes: "1: [116]", events: false))
            \(entry("Mouse", codes: "1: [272, 273]\n      2: [0, 1]", events: true))
            \(entry("Still panel", codes: Self.panelCodes, events: false))
            \(entry("Panel", codes: Self.panelCodes, events: true))
            """
        func chosen(_ text: String) throws -> String {
            try read(text: text).description.name
        }
        #expect(try chosen(text) == "Panel")
        #expect(try chosen(text.replacing("- [  0, 10, 3, 0, 1]", with: "# nothing")) == "Still panel")
    }

    private static let panelCodes =
        "1: [330]\n      3: [0, 1]\n    absinfo:\n      0: [0, 9, 0, 0, 0]\n      1: [0, 9, 0, 0, 0]"

    private func entry(_ name: String, codes: String, events: Bool) -> String {
        """
        - node: /dev/input/event1
          evdev:
            name: "\(name)"
            codes:
              \(codes)
          events:
          - evdev:
            \(events ? "- [  0, 10, 3, 0, 1]" : "# nothing")
        """
    }

    @Test(
        "A number or a name, with or without wildcards, selects a device",
        arguments: [("3", 3), ("Right*", 3), ("Typewriter", 1)])
    func chosen(_ name: String, _ number: Int) throws {
        let reader = try RecordingReader(path: recording(), device: name)

        #expect(reader.device == number)
    }

    @Test("The selected device has its own events, with times since its own first event", arguments: 1...3)
    func events(_ number: Int) throws {
        let (description, read) = try read(recording(), device: "\(number)")
        let events = read.map { [$0.time.microseconds, Int64($0.type), Int64($0.code), Int64($0.value)] }
        let position = Int64(number * 10)
        #expect(
            events
                == (number == 1
                    ? [[0, 1, 30, 1], [0, 0, 0, 0]] : [[0, 3, 0, position], [0, 1, 330, 1], [5, 0, 0, 0]]))
        #expect(description.axes[0]?.maximum == (number == 1 ? nil : Int32(number * 100)))
    }

    @Test("A missing device is rejected with a list of those in the recording")
    func noSuchDevice() throws {
        let path = try recording()
        let error = #expect(throws: RecordingError.self) { _ = try RecordingReader(path: path, device: "4") }

        #expect(
            error?.description
                == path
                + ": error: no device '4' in this recording; it has 1, Typewriter; 2, Left: \"panel\"; 3, Right panel")
    }

    @Test("A recording of one device is read in any format, also by number or name")
    func one() throws {
        let taps = Expectation.folder + "atmel-maxtouch-printed/fast-taps.yml"

        #expect(try RecordingReader(path: taps).remarks == [])
        #expect(try RecordingReader(path: taps, device: "1").device == 1)
        #expect(try RecordingReader(path: taps, device: "Atmel*").device == 1)
        #expect(throws: RecordingError.self) { _ = try RecordingReader(path: taps, device: "Elan*") }
    }

    /// A keyboard and two panels, as `libinput record` writes them.
    private func recording() throws -> String {
        func panel(_ number: Int, _ name: String) -> String {
            """
            - node: /dev/input/event\(number)
              evdev:
                name: "\(name)"
                id: [3, \(number), 2, 256]
                codes:
                  0: [0]
                  1: [330] # EV_KEY
                  3: [0, 1] # EV_ABS
                absinfo:
                  0: [0, \(number)00, 0, 0, 0]
                  1: [0, \(number)00, 0, 0, 0]
                properties: [1]
              udev:
                properties:
                - ID_INPUT=1
                - ID_INPUT_TOUCHSCREEN=1
              quirks:
              events:
              - evdev:
                - [  \(number), 000000, 3, 0, \(number)0] # EV_ABS / ABS_X
                - [  \(number), 000000, 1, 330, 1]
                - [  \(number), 000005, 0, 0, 0]

            """
        }
        let text =
            """
            # libinput record
            version: 1
            ndevices: 3
            libinput:
              version: "1.22.1"
            devices:
            - node: /dev/input/event1
              evdev:
                name: "Typewriter"
                id: [3, 1, 2, 256]
                codes:
                  0: [0]
                  1: [\((1...31).map(String.init).joined(separator: ", "))]
              udev:
                properties:
                - ID_INPUT=1
                - ID_INPUT_KEYBOARD=1
              events:
              - evdev:
                - [  0, 000007, 1, 30, 1]
                - [  0, 000007, 0, 0, 0]

            """ + panel(2, "Left: \"panel\"") + panel(3, "Right panel")
        return try temporaryFile(text)
    }
}
