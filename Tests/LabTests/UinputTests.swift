import LabSupport
import Testing

/// The kernel's events for uinput-play, on which the lab's other tests rely.
@Suite("uinput-play, in a booted machine", .needsLab)
struct UinputTests {
    @Test("udev identifies the panel as a touchscreen and the mouse as a mouse")
    func classification() async throws {
        let run = try await LabRun.kernel.value

        #expect(try run.lines("udev-panel").contains("ID_INPUT_TOUCHSCREEN=1"))
        #expect(try run.lines("udev-mouse").contains("ID_INPUT_MOUSE=1"))
    }

    @Test("a device matches its description")
    func description() async throws {
        let panel = try await LabRun.kernel.value.lines("panel")

        #expect(panel.contains("Input device ID: bus 0x18 vendor 0x0 product 0x0 version 0x0"))
        #expect(panel.contains("Input device name: \"EP0430M09\""))
        #expect(panel.contains("  Property type 1 (INPUT_PROP_DIRECT)"))
        let maxima = panel.filter { $0.hasPrefix("      Max") }.map { $0.split(separator: " ").last }
        #expect(maxima == ["1279", "767", "4", "1279", "767", "65535"])
    }

    @Test("two fingers reach a reader frame by frame, the oldest as the single touch")
    func twoFingers() async throws {
        let frames = events(in: try await LabRun.kernel.value.lines("panel"))

        #expect(
            frames.prefix(4) == [
                [
                    "ABS_MT_TRACKING_ID 0", "ABS_MT_POSITION_X 100", "ABS_MT_POSITION_Y 200", "ABS_MT_SLOT 3",
                    "ABS_MT_TRACKING_ID 1", "ABS_MT_POSITION_X 640", "ABS_MT_POSITION_Y 384", "BTN_TOUCH 1",
                    "ABS_X 100",
                    "ABS_Y 200",
                ],
                ["ABS_MT_POSITION_X 641", "ABS_MT_POSITION_Y 385"],
                ["ABS_MT_SLOT 0", "ABS_MT_TRACKING_ID -1", "ABS_X 641", "ABS_Y 385"],
                ["ABS_MT_SLOT 3", "ABS_MT_TRACKING_ID -1", "BTN_TOUCH 0"],
            ])
    }

    @Test("a mouse's motion and button reach a reader; releases end with a SYN_REPORT")
    func mouse() async throws {
        // Eight 16-bit words of time, then type, code, and the value in two halves. The last line is od's error.
        let events = try await LabRun.kernel.value.lines("mouse").dropLast()
            .map { $0.split(separator: " ").dropFirst(8).joined(separator: " ") }

        #expect(
            events == [
                "2 0 5 0", "2 1 -7 -1", "0 0 0 0",
                "1 272 1 0", "0 0 0 0",
                "1 272 0 0", "0 0 0 0",
                "1 272 1 0", "0 0 0 0",
                "1 272 0 0", "0 0 1 0",
            ])
    }

    @Test("an unplugged device's button is released, but the finger on it is never lifted")
    func fingerOnUnpluggedDevice() async throws {
        let frames = events(in: try await LabRun.kernel.value.lines("panel"))

        #expect(
            frames.dropFirst(4) == [
                [
                    "ABS_MT_SLOT 1", "ABS_MT_TRACKING_ID 2", "ABS_MT_POSITION_X 7", "ABS_MT_POSITION_Y 8",
                    "BTN_TOUCH 1",
                    "ABS_X 7", "ABS_Y 8",
                ],
                ["BTN_TOUCH 0"],
                [],
            ])
    }

    @Test("a destroyed device is gone for its reader and from /dev/input")
    func unplug() async throws {
        let run = try await LabRun.kernel.value

        #expect(try run.lines("panel").last == "evtest: error reading: No such device")
        #expect(try run.lines("destroyed") == ["destroyed panel", "destroyed mouse"])
        #expect(try run.lines("nodes-left") == [])
    }

    /// The events that evtest printed, as "NAME VALUE", one array per frame.
    private func events(in lines: [String]) -> [[String]] {
        var frames: [[String]] = [[]]
        for line in lines where line.hasPrefix("Event: time") {
            if line.contains("SYN_REPORT") {
                frames.append([])
            } else if let name = line.split(separator: "(").last?.prefix(while: { $0 != ")" }),
                let value = line.split(separator: " ").last
            {
                frames[frames.count - 1].append("\(name) \(value)")
            }
        }
        return frames
    }
}
