import Evdev
import Testing

@Suite("Device names")
struct DeviceNameTests {
    @Test("Control characters in a device name are replaced; all else is kept")
    func controlCharacters() {
        let name = "\u{1B}[2JBad\r\nPanel\u{0}\u{7F}\u{9B}31m Gerät 触摸屏 👩‍👩‍👧"
        let clean = "\u{FFFD}[2JBad\u{FFFD}\u{FFFD}Panel\u{FFFD}\u{FFFD}\u{FFFD}31m Gerät 触摸屏 👩‍👩‍👧"
        #expect(DeviceDescription(name: name).name == clean)
        var description = DeviceDescription(name: "Panel")
        #expect(description.name == "Panel")
        description.name = name
        #expect(description.name == clean)
    }

    @Test(
        "A recorded name keeps its blanks and quotation marks, whatever the format",
        arguments: ["Demo 7\" Touch", "CoolTap  System   ", " a"])
    func exact(_ name: String) throws {
        let libinput = """
            version: 1
            ndevices: 1
            devices:
            - node: /dev/input/event3
              evdev:
                name: "\(name)"
            """
        let evtest = "Input driver version is 1.0.1\nInput device name: \"\(name)\"\n"
        let evemu = RecordingWriter().header(for: DeviceDescription(name: name))
        let event = "Event: time 5.0, type 3 (EV_ABS), code 0 (ABS_X), value 12\n"
        for text in [
            evemu + "E: 0.0 0003 0000 12\n", evtest + event,
            libinput + "\n    absinfo:\n      0: [0, 99, 0, 0, 0]\n",
            libinput.replacing("7\"", with: "7\\\"") + "\n    absinfo:\n      0: [0, 99, 0, 0, 0]\n",
        ] {
            #expect(try read(text: text).description.name == name)
        }
    }

    @Test("A recording's device has no control characters in its name, whatever the format")
    func recorded() throws {
        let name = "Bad\u{1B}[2J\u{9B}Panel"
        let evemu = try temporaryFile("N: \(name)\nA: 00 0 99 0 0\nE: 0.000000 0000 0000 0\n")
        let libinput = try temporaryFile(
            """
            # libinput record
            devices:
            - node: /dev/input/event3
              evdev:
                name: "\(name)"
                absinfo:
                  0: [0, 99, 0, 0, 0]
            """)
        for path in [evemu, libinput] {
            #expect(try RecordingReader.description(path: path).name == "Bad\u{FFFD}[2J\u{FFFD}Panel")
        }
    }
}
