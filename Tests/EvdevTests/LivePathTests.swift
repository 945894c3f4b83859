import Evdev
import Foundation
import Testing

/// The real path of a device's events, including libudev and libevdev, with umockdev in the kernel's place.
@Suite("Live devices")
struct LivePathTests {
    private static let drag = Expectation.folder + RecordingPlayerTests.drag

    @Test(
        "A device read through udev and libevdev gives the frames of its recording",
        arguments: Expectation.all.filter { $0.isPlayable })
    func sameFrames(_ expected: Expectation) throws {
        let lines = try live(["--compare"] + expected.arguments)
        let decoded = lines.prefix { $0.hasPrefix("decoded ") }.map { String($0.dropFirst("decoded ".count)) }
        #expect(Array(lines.dropFirst(decoded.count)) == ["added 1 \(expected.kind)"] + decoded + ["removed 1"])
    }

    @Test("Unplugging a device with a finger down cancels its touch before the removal")
    func unpluggedWithFingerDown() throws {
        let live = try live(["--unplug", Self.drag])
        #expect(live.filter { $0.contains("began") }.count == 1)
        #expect(live.suffix(2).first?.contains("; cancelled 1 slot 0") == true)
        #expect(live.last == "removed 1")
    }

    @Test("A device that returns to its port, as another node, is the same device")
    func replugged() throws {
        let taps = Expectation.folder + "atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-fast-taps.events"
        let live = try live(["--replug", taps])
        #expect(live.first == "added 1 touchscreen")
        #expect(live.suffix(3) == ["removed 1", "added 1 touchscreen", "removed 1"])
    }

    @Test("A device that udev announces again unchanged is read on, with its finger down")
    func triggered() throws {
        let decoded = try run(Self.probe, ["--decode", Self.drag])
        #expect(try live(["--trigger", Self.drag]) == ["added 1 touchscreen"] + decoded + ["removed 1"])
    }

    @Test("Reopening with other rules cancels touches and reports only changed devices")
    func reopened() throws {
        let live = try live(["--reopen", Self.drag])
        #expect(live.first == "added 1 touchscreen")
        #expect(live.dropFirst().prefix(10).filter { $0.contains("cancelled") }.isEmpty)
        let after = Array(live.dropFirst(11))
        #expect(after.dropFirst().first?.contains("; cancelled 1 slot 0") == true)
        #expect(
            after.enumerated().filter { $0.offset != 1 }.map { $0.element } == [
                "reopen as before", "settings [[]]",
                "reopen [\"turned\"]", "settings [[\"turned\"]]",
                "reopen [\"unused\"]", "removed 1", "ignored touchscreen", "settings [[\"unused\"]]",
                "reopen [\"unused\"]", "settings [[\"unused\"]]",
                "reopen []", "added 1 touchscreen", "settings [[]]",
                "reopen [\"grabbed\"]", "settings [[\"grabbed\"]]",
                "reopen [\"grabbed\"]", "settings [[\"grabbed\"]]",
                "reopen []", "settings [[]]",
                "removed 1",
            ])
    }

    @Test("Two devices of one kind keep their identities when reopened in another order")
    func reopenedTwins() throws {
        #expect(
            try live(["--twins", Self.drag]) == [
                "added 1 touchscreen", "added 2 touchscreen",
                "removed 2", "ignored touchscreen", "removed 1", "ignored touchscreen",
                "added 2 touchscreen", "added 1 touchscreen",
                "1 /dev/input/event901, 2 /dev/input/event900",
            ])
    }

    @Test("a device that floods touchd is closed; other devices continue")
    func flooded() throws {
        #expect(
            try live(["--flood", Self.drag]) == [
                "added 1 touchscreen", "added 2 touchscreen",
                "device 1: began", "device 1: cancelled",
                "failed failed(/dev/input/event900: sent 250001 events in a second; ignored until it is plugged in again)",
                "device 2: began", "device 2: ended",
            ])
    }

    @Test("each time that the kernel drops events is counted")
    func overrun() throws {
        #expect(try live(["--overrun", Self.drag]) == ["added 1 touchscreen", "overruns: 1"])
    }

    @Test("A panel without slots in the kernel, which repeats the tracking id in each report, touches")
    func repeatedID() throws {
        let script = "id=61 x=100 y=200;id=61 x=110;id=61 x=120 y=201;id=-1;id=62 x=400;id=62 x=410;id=-1"
        let seen = [
            "added 1 touchscreen", "began 1 at 100,200", "moved 1 at 110,200", "moved 1 at 120,201",
            "ended 1 at 120,201", "began 2 at 400,201", "moved 2 at 410,201", "ended 2 at 410,201",
        ]
        #expect(try live(["--script-without-slots", script]) == seen)
        #expect(try live(["--script-without-slots", script.replacing(";", with: "&")]) == seen)
    }

    @Test("A panel without slots in the kernel touches on after lost events, whether its finger was lifted or not")
    func lossWithoutSlots() throws {
        #expect(
            try live(["--script-without-slots", "id=1 x=100 y=100;x=110;overrun;x=120;id=-1;id=2 x=300;id=-1"]) == [
                "added 1 touchscreen", "began 1 at 100,100", "moved 1 at 110,100", "cancelled 1 at 110,100",
                "began 2 at 120,100", "ended 2 at 120,100", "began 3 at 300,100", "ended 3 at 300,100",
            ])
        #expect(
            try live(["--script-without-slots", "id=1 x=100 y=100;id=-1&overrun;id=2 x=300;id=-1"]) == [
                "added 1 touchscreen", "began 1 at 100,100", "cancelled 1 at 100,100", "began 2 at 300,100",
                "ended 2 at 300,100",
            ])
    }

    @Test("Touches that wait behind a tracking id which replaced another are not lost")
    func replacedID() throws {
        let script = "id=1 x=100 y=100&id=2 x=300&id=-1&id=3 x=500&id=-1&id=4 id=5 x=700&id=-1"
        #expect(
            try live(["--script", script]) == [
                "added 1 touchscreen", "began 1 at 100,100", "ended 1 at 100,100; began 2 at 300,100",
                "ended 2 at 300,100", "began 3 at 500,100", "ended 3 at 500,100", "began 4 at 700,100",
                "ended 4 at 700,100",
            ])
    }

    @Test("A tracking id that replaced another stays when events are lost")
    func replacedIDThenLoss() throws {
        #expect(
            try live(["--script", "id=1 x=100 y=100;id=2 x=300;overrun;x=310;id=-1"]) == [
                "added 1 touchscreen", "began 1 at 100,100", "ended 1 at 100,100; began 2 at 300,100",
                "moved 2 at 310,100", "ended 2 at 310,100",
            ])
    }

    @Test("The axes of an empty slot are those that its contact left in the lost events")
    func axesAfterLoss() throws {
        #expect(
            try live([
                "--script", "slot=2 id=5 x=100 y=100 tool=2;id=-1&id=6 x=300 tool=0&id=-1&overrun;id=7 y=200;id=-1",
            ]) == ["added 1 touchscreen", "began 1 at 300,200", "ended 1 at 300,200"])
    }

    @Test("The replay of a recording that begins at any moment has the touches of the device")
    func recorded() throws {
        let before = "slot=0 id=5 x=100 y=100&slot=1 id=4 x=300 y=20&id=-1"
        let live = try live([
            "--record", before + ";id=6 x=310;slot=0 x=110;slot=1 id=-1;slot=0 id=-1;id=7 y=90;id=-1",
        ])
        let touches = ["began 1 at 310,20", "ended 1 at 310,20", "began 2 at 110,90", "ended 2 at 110,90"]
        #expect(live == ["added 1 touchscreen"] + touches + ["replay"] + touches)
    }

    @Test("A finger that was down at opening ends after the lift delay, and begins when it moves")
    func restingAtOpening() throws {
        #expect(
            try live(["--resting", "id=1 x=100 y=100;x=110;x=120;id=-1;id=2 x=300"]) == [
                "added 1 touchscreen", "began 1 at 110,100",
            ])
    }

    @Test("A handler may stop and reopen the monitor when a debounced contact begins")
    func closedByHandler() throws {
        let script = "id=5 x=100 y=100"
        for scenario in ["--stop-debounced", "--reopen-debounced"] {
            let seen = ["added 1 touchscreen", "began 1 at 100,100", "cancelled 1 at 100,100"]
            #expect(try live([scenario, script]) == seen)
        }
    }

    @Test(
        "A device that cannot be opened is retried without an event; stop ends retries")
    func retried() throws {
        #expect(
            try live(["--retry", Self.drag]) == [
                "failed failed(/dev/input/event900: open: No such file or directory)",
                "failed failed(/dev/input/event901: open: No such file or directory)",
                "added 3 touchscreen",
                "stopped: finished",
            ])
    }

    @Test("A device that is not used is reported once, although its attributes change")
    func changedAttributes() throws {
        #expect(
            try live(["--attributes", Self.drag]) == [
                "failed failed(/dev/input/event900: open: No such file or directory)", "ignored keyboard",
                "added 3 touchscreen",
            ])
    }

    @Test("A panel whose events have another clock is read, with a remark")
    func otherClock() throws {
        #expect(
            try live(["--script-without-clocks", "id=1 x=100 y=100;id=-1"]) == [
                "added 1 touchscreen",
                "its events have the times of another clock (libevdev_set_clock_id: Invalid argument); 'lift-after' and "
                    + "'filter' may act late", "began 1 at 100,100", "ended 1 at 100,100",
            ])
    }

    @Test("A node for root only is reported after the retry, because udev may be late")
    func settling() throws {
        #expect(
            try live(["--settle", Self.drag]) == [
                "started", "added 3 touchscreen",
                "failed failed(/dev/input/event901: only root may open it; add a udev rule such as "
                    + "SUBSYSTEM==\"input\", KERNEL==\"event*\", GROUP=\"input\", MODE=\"0660\")",
            ])
    }

    @Test(
        "Touchpads, tablets, keyboards and traps are left alone",
        arguments: Expectation.all.filter { $0.recording != nil && $0.isLeftAlone })
    func leftAlone(_ expected: Expectation) throws {
        #expect(try live(expected.arguments) == ["ignored \(expected.kind)"])
    }

    /// What the program prints of umockdev's devices.
    func live(_ arguments: [String]) throws -> [String] {
        try run("/usr/bin/umockdev-wrapper", [Self.probe] + arguments)
    }

    /// The program in the build folder of the test runner.
    private static let probe: String = {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().appendingPathComponent("EvdevProbe").path
    }()

    /// The output lines of a program; its errors go to the test's standard error.
    private func run(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        // A program that just exits leaves its test bed behind. The path is short, because it contains local sockets.
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { _, new in new }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension Expectation {
    fileprivate var isLeftAlone: Bool { ["touchpad", "tablet", "keyboard", "joystick", "other"].contains(kind) }
    fileprivate var isPlayable: Bool { recording != nil && !isLeftAlone }
    fileprivate var arguments: [String] { [recording, description].compactMap { $0.map { Self.folder + $0 } } }
}
