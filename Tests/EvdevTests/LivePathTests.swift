import Evdev
import Foundation
import Testing

/// The way a device's events really take, libudev and libevdev included, with umockdev in the kernel's place.
@Suite("Live devices")
struct LivePathTests {
    @Test(
        "A device read through udev and libevdev makes the frames that its recording makes without them",
        arguments: Expectation.all.filter { $0.isPlayable })
    func sameFrames(_ expected: Expectation) throws {
        let arguments = expected.arguments
        let decoded = try run(Self.probe, ["--decode"] + arguments)
        let live = try run("/usr/bin/umockdev-wrapper", [Self.probe] + arguments)
        #expect(live == ["added 1 \(expected.kind)"] + decoded + ["removed 1"])
    }

    @Test("A device that is unplugged with a finger down cancels its touch before it is removed")
    func unpluggedWithFingerDown() throws {
        let drag = Expectation.folder + RecordingPlayerTests.drag
        let live = try run("/usr/bin/umockdev-wrapper", [Self.probe, drag, "--until", "10"])
        #expect(live.filter { $0.contains("began") }.count == 1)
        #expect(live.suffix(2).first?.contains("; cancelled 1 slot 0") == true)
        #expect(live.last == "removed 1")
    }

    @Test(
        "Touchpads, tablets, keyboards and traps are left alone",
        arguments: Expectation.all.filter { $0.recording != nil && $0.isLeftAlone })
    func leftAlone(_ expected: Expectation) throws {
        let live = try run("/usr/bin/umockdev-wrapper", [Self.probe] + expected.arguments)
        #expect(live == ["ignored \(expected.kind)"])
    }

    /// The program is built into the folder that has the test runner.
    private static let probe: String = {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().appendingPathComponent("EvdevProbe").path
    }()

    /// The lines a program writes; its errors go where the test's go.
    private func run(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
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
