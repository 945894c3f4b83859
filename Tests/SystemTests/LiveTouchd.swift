import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// A running touchd with a touchscreen whose fingers the test moves: umockdev passes input events on as the kernel does.
final class LiveTouchd {
    let control: String
    private let folder: TemporaryFolder
    private let process = Process()
    private let events: FileHandle
    private let size: (width: Double, height: Double)
    private var contacts = 0

    /// - Parameters:
    ///     A slow machine would drop touches that wait.
    ///   - size: The layout's screen, in points.
    ///   - control: The path of the control socket, if it is that of an earlier one.
    init(layout: String, size: (width: Double, height: Double), control: String? = nil) throws {
        folder = try TemporaryFolder()
        self.size = size
        self.control = control ?? folder.url.appending(path: "control").path
        let pipe = folder.url.appending(path: "events").path
        guard mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        // Also for reading: it then has no end while umockdev has not opened it.
        events = FileHandle(fileDescriptor: open(pipe, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        process.executableURL = URL(filePath: "/usr/bin/umockdev-run")
        process.arguments = [
            "--device", try folder.file("panel.umockdev", MockedPanel.device).path,
            "--ioctl", "/dev/input/event3=\(try folder.file("panel.ioctl", MockedPanel.answers).path)",
            "--script", "/dev/input/event3=\(pipe)", "--", TouchdProgram.path, "run",
            "--layout", try folder.file("layout.yaml", layout + "watchdog: {drop-after: 3600 s}\n").path, "--output",
            "json", "--control", self.control,
        ]
        process.currentDirectoryURL = TouchdProgram.root
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while try !state().devices.contains(where: { $0.use == "used" }) {
            guard process.isRunning else { throw CocoaError(.executableLoad) }
        }
    }

    deinit { end() }

    /// Kills touchd as a crash does.
    func end() {
        // umockdev-run ends after both touchd and its events.
        try? events.close()
        guard process.isRunning else { return }
        if let number = try? state().process { kill(pid_t(number), SIGKILL) }
        process.waitUntilExit()
    }

    /// The running touchd's state; an empty one while it does not listen yet.
    private func state() throws -> (process: Int, devices: [(name: String, use: String)]) {
        guard let status = try? ControlConnection(path: control, timeout: .seconds(600)).status() else {
            return (0, [])
        }
        return (Int(status.process), status.devices.map { ($0.name, $0.use) })
    }

    /// The slot's entry in touchd's answer to `layout`.
    func slot(_ name: String = "page") throws -> [String: Any] {
        let answer = try ControlConnection(path: control, timeout: .seconds(600)).send(.layout)
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(answer)) as? [String: Any]
        let slots = object?["slots"] as? [[String: Any]] ?? []
        return slots.first { $0["slot"] as? String == name } ?? [:]
    }

    /// The view that a touch at a point of the screen would hit.
    func hit(_ x: Double, _ y: Double) throws -> String? {
        let answer = try ControlConnection(path: control, timeout: .seconds(600)).send(.hit(x: x, y: y))
        guard case .object(let object) = answer, case .string(let view)? = object["view"] else { return nil }
        return view
    }

    /// Touches a point of the screen and lifts the finger.
    func tap(_ point: (x: Double, y: Double)) {
        putDown(at: point)
        lift()
    }

    /// Puts a finger down at a point of the screen.
    func putDown(at point: (x: Double, y: Double)) {
        contacts += 1
        send([(3, 0x39, contacts), (1, 0x14A, 1)] + position(point))
    }

    /// Moves the finger. Moves that touchd has not delivered yet become one; umockdev passes on about 50 at once.
    func move(to point: (x: Double, y: Double)) { send(position(point)) }

    /// Lifts the finger.
    func lift() { send([(3, 0x39, -1), (1, 0x14A, 0)]) }

    private func position(_ point: (x: Double, y: Double)) -> [(type: UInt16, code: UInt16, value: Int)] {
        [(3, 0x35, Int(point.x / size.width * 4095)), (3, 0x36, Int(point.y / size.height * 4095))]
    }

    /// Sends a report: types, codes and values of linux/input-event-codes.h.
    private func send(_ report: [(type: UInt16, code: UInt16, value: Int)]) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        var text: [UInt8] = []
        for (type, code, value) in report + [(0, 0, 0)] {
            var event = Data()
            withUnsafeBytes(of: (Int64(now.tv_sec), Int64(now.tv_nsec / 1000))) { event.append(contentsOf: $0) }
            withUnsafeBytes(of: (type, code, Int32(value))) { event.append(contentsOf: $0) }
            // umockdev's script: the program reads this, at once; control characters as ^A, and ^ as ^`.
            text += Array("r 0 ".utf8)
            for byte in event {
                text += byte < 32 ? [94, byte + 64] : byte == 94 ? [94, 96] : [byte]
            }
            text.append(UInt8(ascii: "\n"))
        }
        try? events.write(contentsOf: Data(text))
    }
}
