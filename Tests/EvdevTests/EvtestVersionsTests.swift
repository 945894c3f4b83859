import CLinux
import Evdev
import Testing

/// The output of evtest's versions, also as quoted in mails and web pages.
@Suite("The output of evtest")
struct EvtestVersionsTests {
    private static let header = """
        Input driver version is 1.0.0
        Input device ID: bus 0x3 vendor 0x1b96 product 0x1 version 0x110
        Input device name: "panel"
        Supported events:
          Event type 0 (Sync)
          Event type 1 (Key)
            Event code 330 (Touch)
          Event type 3 (Absolute)
            Event code 53 (?)
              Value      0
              Min        0
              Max     9600
            Event code 54 (?)
              Value      0
              Min        0
              Max     7200
        Testing ... (interrupt to exit)

        """

    @Test(
        "Every version's words for ends of reports and lost events are understood",
        arguments: [
            // Before 1.27, 1.27 and 1.28, 1.29 to 1.31, 1.32, 1.33 and later.
            ("-------------- Config Sync ------------", SYN_MT_REPORT),
            ("-------------- Report Sync ------------", SYN_REPORT),
            ("++++++++++++++ MT Sync ++++++++++++", SYN_MT_REPORT),
            ("-------------- SYN_REPORT ------------", SYN_REPORT),
            ("++++++++++++++ SYN_MT_REPORT ++++++++++++", SYN_MT_REPORT),
            ("-------------- EV_SYN ------------", SYN_REPORT),
            ("++++++++++++++ EV_REL ++++++++++++", SYN_MT_REPORT),
            ("-------------- EV_ABS ------------", SYN_DROPPED),
            (">>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<", SYN_DROPPED),
        ])
    func synchronization(_ words: String, _ code: Int32) throws {
        let text =
            Self.header + "Event: time 5.000000, type 3 (Absolute), code 53 (?), value 1\n"
            + "Event: time 5.000000, \(words)\n"
        #expect(try read(text: text).events.last?.code == UInt16(code))
        #expect(try read(text: text).events.last?.type == UInt16(EV_SYN))
    }

    @Test("An unknown form of a report's end is an error")
    func unknownSynchronization() throws {
        let text = Self.header + "Event: time 5.000000, -------------- Whatever ------------\n"
        #expect(try error(of: text)?.hasPrefix(":18:23: error: unknown synchronization event (got 'Whatever')") == true)
    }

    @Test("A scan code is hexadecimal in every version, whatever its name")
    func scanCode() throws {
        let line = "Event: time 5.000000, type 4 (Misc), code 4 (ScanCode), value 7001e\n"
        #expect(try read(text: Self.header + line).events.map(\.value) == [0x7001e])
    }

    @Test(
        "An indented or mail-quoted recording is read with its header",
        arguments: ["    ", "> ", ">> ", "| ", "\t> ", "###### ", "> # "])
    func quoted(_ prefix: String) throws {
        let body = "Event: time 5.0, type 3 (Absolute), code 53 (?), value 12\nEvent: time 5.0, ---- Report Sync ---"
        let text = (Self.header + body).split(separator: "\n").map { prefix + $0 }.joined(separator: "\n")
        let (description, events) = try read(text: "Dear list,\n\n" + text)
        #expect(description.name == "panel")
        #expect(description.axes[UInt16(ABS_MT_POSITION_X)]?.maximum == 9600)
        #expect(events.map(\.value) == [12, 0])
    }

    @Test("An event missing from the header is an error: half of the header is missing")
    func halfAHeader() throws {
        let line = "Event: time 5.000000, type 3 (Absolute), code 57 (?), value 1\n"
        #expect(
            try error(of: Self.header + line)
                == ":18:1: error: the header does not list this event (got type 3, code 57); "
                + "complete the header, or remove it to infer the axes from the events")
    }

    @Test("Key repeat settings do not change the last axis")
    func keyRepeat() throws {
        let text =
            Self.header.replacing(
                "Testing",
                with:
                    "Key repeat handling:\n  Repeat type 20 (EV_REP)\n    Repeat code 0 (REP_DELAY)\n      Value    250\nTesting"
            ) + "Event: time 5.0, type 3 (Absolute), code 53 (?), value 12\n"
        #expect(try read(text: text).description.axes[UInt16(ABS_MT_POSITION_Y)]?.value == 0)
    }

    @Test("Without a header the name is kept, and the axes are derived from the events")
    func nameAlone() throws {
        let text =
            "Input device name: \"panel\"\n" + "Event: time 5.0, type 3 (EV_ABS), code 0 (ABS_X), value 12\n"
        let description = try read(text: text).description
        #expect(description.name == "panel")
        #expect(description.axes[UInt16(ABS_X)]?.maximum == 12)
    }

    @Test("A second recording in one file is reported as an error, in every format")
    func twoRecordings() throws {
        let evtest = Self.header + "Event: time 5.0, type 3 (Absolute), code 53 (?), value 12\n"
        let evemu = "N: panel\nA: 35 0 99 0 0\nE: 0.0 0003 0035 1\n"
        let libinput = """
            version: 1
            ndevices: 1
            devices:
            - node: /dev/input/event1
              events:
              - evdev:
                - [  0, 10, 3, 0, 1]

            """
        let device = libinput.split(separator: "\n").dropFirst(3).joined(separator: "\n") + "\n"
        let second = "a second recording begins here; split the file"
        let count = "'ndevices' must be the number of devices in the recording"
        for (text, problem) in [
            (evtest + evtest, ":19:1: error: \(second)"), (evemu + evemu, ":4:1: error: \(second)"),
            (libinput + "---\n" + libinput, ":8:1: error: \(second)"), (libinput + libinput, ":8:1: error: \(second)"),
            (
                libinput.replacing("ndevices: 1", with: "ndevices: 2"),
                ":7:1: error: \(count) (got 2, but there is 1); if the recording was interrupted, set it to 1"
            ),
            (libinput + device, ":8:1: error: \(count) (got 1, but another device begins here)"),
        ] {
            #expect(try error(of: text) == problem)
        }
    }
}
