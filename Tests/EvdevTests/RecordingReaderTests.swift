import Evdev
import Foundation
import Testing

@Suite("Reading recordings")
struct RecordingReaderTests {
    @Test(
        "An error in a recording is reported with its file, line and column",
        arguments: [
            ("E: 1.000000 0003 0035", ":1:22: error: expected the event's value"),
            ("N: x\nE: 1.5 zz 0035 1", ":2:8: error: expected the event type in hexadecimal"),
            ("N: x\nB: 03 xx", ":2:7: error: expected a byte in hexadecimal"),
            ("N: x\nA: 35 0 99", ":2:11: error: expected the fuzz"),
            ("E: 1.5 0003 0035 99999999999", ":1:18: error: the event's value is too large"),
            ("N: x\nQ: 1", ":2:1: error: not a line of evemu text; its lines begin with N: I: P: B: A: L: S: E: or #"),
            ("Event: time 1.5, type 3 (EV_ABS), code 53", ":1:42: error: expected the value"),
            ("devices:\n- [ 1, 2, 3 ]", ":2:13: error: expected ',' in the event"),
        ])
    func malformed(_ text: String, _ problem: String) throws {
        #expect(try error(of: text) == problem)
    }

    @Test("A missing file, an empty one and one of another kind have different errors")
    func notARecording() throws {
        let missing = #expect(throws: RecordingError.self) { _ = try RecordingReader(path: "/nonexistent") }
        #expect(missing?.description == "/nonexistent: error: cannot be read: No such file or directory")
        let empty = try temporaryFile("")
        #expect(throws: RecordingError.notARecording(path: empty)) { _ = try RecordingReader(path: empty) }
        let other = try temporaryFile("Dear reader,\n")
        #expect(throws: RecordingError.notARecording(path: other)) { _ = try RecordingReader(path: other) }
    }

    @Test("libinput's YAML gives the same as evemu's text")
    func libinputRecord() throws {
        let path = try temporaryFile(
            """
            # libinput record
            version: 1
            ndevices: 2
            libinput:
              version: "1.22.1"
            devices:
            - node: /dev/input/event4
              evdev:
                # Event type 3 (EV_ABS)
                #   Event code 0 (ABS_X)
                #       Value       33
                name: "A: \\"panel\\""
                id: [3, 1386, 36, 256]
                codes:
                  0: [0, 1, 2, 3] # EV_SYN
                  1: [330] # EV_KEY
                  3: [0, 1] # EV_ABS
                absinfo:
                  0: [0, 99, 0, 0, 10]
                  1: [-5, 199, 0, 0, 10]
                properties: [1]
              udev:
                properties:
                - ID_INPUT=1
                - ID_INPUT_TOUCHSCREEN=1
              events:
              - evdev:
                - [  0,     10,   1, 330,       1] # EV_KEY / BTN_TOUCH                 1
                - [  0,     10,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
              - evdev:
                - [  1,     20,   1, 330,       0]
                - [  1,     20,   0,   0,       0]
            - node: /dev/input/event5
              events:
              - evdev:
                - [  0,     10,   1, 272,       1]
            """)
        var reader = try RecordingReader(path: path)
        #expect(reader.description.vendor == 1386)
        #expect(reader.description.axes[0] == AxisInfo(minimum: 0, maximum: 99, resolution: 10, value: 33))
        #expect(reader.description.axes[1]?.minimum == -5)
        #expect(reader.udevProperties["ID_INPUT_TOUCHSCREEN"] == "1")
        #expect(DeviceRole(reader.description) == DeviceRole(kind: .touchscreen, touchProtocol: .single))
        var times: [Int64] = []
        while let event = try reader.next() { times.append(event.time.microseconds) }
        #expect(times == [0, 0, 1_000_010, 1_000_010])
    }

    @Test("Output of evtest and libinput contains the contacts of its evemu recording")
    func otherFormats() throws {
        let evemu = try contacts("atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-fast-taps.events")
        #expect(evemu.count == 18)
        #expect(try contacts("atmel-maxtouch-printed/fast-taps.evtest") == evemu)
        #expect(try contacts("atmel-maxtouch-printed/fast-taps.yml") == evemu)
    }

    private func contacts(_ path: String) throws -> [Contact] {
        var contacts: [Contact] = []
        try played(Expectation.folder + path) { contacts += $0.contacts }
        return contacts
    }

    @Test("A truncated compressed recording is reported after its readable part")
    func truncatedCompression() throws {
        let whole = Expectation.folder + "wacom-dth2242-touch/Wacom DTH2242 Finger.events.gz"
        let cut = try temporaryFile("to be cut")
        try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(50_000).write(to: URL(fileURLWithPath: cut))
        var events = 0
        let error = #expect(throws: RecordingError.self) {
            var reader = try RecordingReader(path: cut)
            while try reader.next() != nil { events += 1 }
        }
        #expect(error?.description == "\(cut): error: cannot be read: unexpected end of file")
        #expect(events > 1000)
    }

    @Test("A set of codes can contain the largest code")
    func lastCode() {
        var codes = CodeSet()
        codes.insert(.max)
        #expect(codes.codes == [.max])
    }

    @Test(
        "A recording without a description is read for its codes; SYN_MT_REPORT distinguishes protocol A from B",
        arguments: [("", DeviceRole.TouchProtocol.slots), ("E: 1.0 0000 0002 0\n", .anonymous)])
    func inferredDescription(_ end: String, _ touchProtocol: DeviceRole.TouchProtocol) throws {
        let contact = "E: 1.0 0003 0039 4\nE: 1.0 0003 0035 300\nE: 1.0 0003 0036 20\n"
        let description = try read(text: contact + end + "E: 1.0 0000 0000 0\n").description
        #expect(DeviceRole(description) == DeviceRole(kind: .touchscreen, touchProtocol: touchProtocol))
        #expect(description.axes[0x35]?.maximum == 300)
    }

    @Test("A byte order mark before the first line is ignored, in every format")
    func byteOrderMark() throws {
        #expect(try read(text: "\u{FEFF}N: panel\nE: 1.0 0003 0000 5\n").description.name == "panel")
        #expect(try read(text: "\u{FEFF}E: 1.0 0003 0000 5\nE: 1.0 0000 0000 0\n").events.count == 2)
    }

    @Test("A separate description replaces the recording's own")
    func separateDescription() throws {
        let own = try temporaryFile("N: own\nA: 00 0 99 0 0\nA: 01 0 99 0 0\nE: 1.0 0003 0000 5\n")
        let given = try temporaryFile("N: given\nA: 00 0 4095 0 0\n")
        let description = try read(own, description: given).description
        #expect(description.name == "given")
        #expect(description.axes.mapValues(\.maximum) == [0: 4095])
    }

    @Test("A recording without a description is read with a remark")
    func remark() throws {
        let text = "E: 1.0 0003 0000 5\nE: 1.0 0000 0000 0\n"
        let remarks = try RecordingReader(path: temporaryFile(text)).remarks
        #expect(remarks.first?.hasPrefix("no device description") == true)
        #expect(try RecordingReader(path: temporaryFile("A: 00 0 99 0 0\n" + text)).remarks == [])
    }

    @Test("Times never go backwards: they continue after a step of the clock")
    func stepOfTheClock() throws {
        let text = ["5.0", "5.5", "2.0", "2.25", "1.0"].map { "E: \($0) 0003 0000 1\n" }.joined()
        #expect(try read(text: text).events.map(\.time.microseconds) == [0, 500_000, 500_000, 750_000, 750_000])
    }

    @Test("libinput 1.22's times before its first event, modulo 2⁶⁴, are read as negative")
    func wrappedTimes() throws {
        let text = """
            version: 1
            ndevices: 1
            devices:
            - node: /dev/input/event4
              evdev:
                absinfo:
                  0: [0, 99, 0, 0, 10]
              events:
              - evdev:
                - [18446744073709, 551500, 3, 0, 1]
                - [18446744073709, 551510, 3, 0, 2]
                - [  0,     10, 3, 0, 3]
            """
        #expect(try read(text: text).events.map(\.time.microseconds) == [0, 10, 126])
    }
}
