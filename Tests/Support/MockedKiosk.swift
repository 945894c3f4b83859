import ControlProtocol
import Foundation

/// A touchscreen of 1280 by 768 units whose fingers the test moves, and the touchscreen of a self-test; `mock-play` has both.
final class MockedDevices {
    /// The event nodes.
    let panel, finger: String
    /// The variables with which a program finds these devices, and no others.
    let variables: [String: String]
    private let player = Process()
    private let commands = Pipe()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let answers = Pipe()
        player.executableURL = URL(filePath: "/usr/bin/umockdev-wrapper")
        player.arguments = [
            URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: "mock-play").path,
            folder.url.path,
        ]
        player.standardInput = commands
        player.standardOutput = answers
        try player.run()
        let recording = TouchdProgram.root.appending(path: "Tests/EvdevTests/Recordings/edt-ep0430m09/EP0430M09.desc")
        let text = try String(contentsOf: recording, encoding: .utf8)
        let own = try folder.file("own.desc", text.replacing("EP0430M09", with: "touchd virtual self-test 1"))
        var nodes: [String] = []
        for (name, file) in [("panel", recording), ("finger", own)] {
            try commands.fileHandleForWriting.write(contentsOf: Data("attach \(name) \(file.path)\n".utf8))
            let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
            nodes.append(String(answer.split(whereSeparator: \.isWhitespace).last ?? ""))
        }
        (panel, finger) = (nodes[0], nodes[1])
        variables = [
            "LD_PRELOAD": "libumockdev-preload.so.0",
            "UMOCKDEV_DIR": folder.url.appending(path: "bed").resolvingSymlinksInPath().path,
        ]
    }

    /// Sends commands of `mock-play` (Tests/Lab/README.md).
    func play(_ lines: String...) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data(lines.map { "\($0)\n" }.joined().utf8))
    }

    /// Removes the devices. No program may read them any more: umockdev would end it.
    func end() {
        // It inherits the tests' signal mask, so it may not receive SIGTERM.
        kill(player.processIdentifier, SIGKILL)
        player.waitUntilExit()
    }
}

/// A running touchd that reads a mocked panel.
final class MockedKiosk {
    let devices: MockedDevices
    private let touchd: RunningTouchd
    private let size: (width: Double, height: Double)

    /// - Parameters:
    ///   - size: The layout's screen, in points.
    ///   - service: The folder with the control socket, for one that outlasts this touchd.
    init(layout: String, size: (width: Double, height: Double), service: URL? = nil) throws {
        self.size = size
        devices = try MockedDevices()
        // A slow machine would drop touches that wait.
        touchd = try RunningTouchd(
            layout: layout + "watchdog: {drop-after: 3600 s}\n", isLive: true, service: service,
            variables: devices.variables)
        touchd.ready()
    }

    private var isEnded = false

    /// Kills touchd, as a crash does.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        touchd.signal(SIGKILL)
        _ = touchd.end()
        devices.end()
    }

    deinit { end() }

    var control: String { touchd.control }

    func connect() throws -> ControlConnection { try ControlConnection(path: control, timeout: .seconds(600)) }

    /// Replaces the layout's text, except the watchdog's.
    func reload(_ text: String) throws {
        try Data((text + "watchdog: {drop-after: 3600 s}\n").utf8).write(to: touchd.layout)
        _ = try connect().send(.command(.reload))
    }

    /// The slot's entry in touchd's answer to `layout`.
    func slot(_ name: String = "page") throws -> [String: Any] {
        let answer = try connect().send(.layout)
        let object = try JSONSerialization.jsonObject(with: Data(answer.json)) as? [String: Any]
        let slots = object?["slots"] as? [[String: Any]] ?? []
        return slots.first { $0["slot"] as? String == name } ?? [:]
    }

    /// The view that a touch at a point of the screen would hit.
    func hit(_ x: Double, _ y: Double) throws -> String? {
        try connect().send(.hit(x: x, y: y))["view"]?.string
    }

    /// Puts a finger down at a point of the screen and lifts it.
    func tap(_ point: (x: Double, y: Double)) throws {
        try putDown(at: point)
        try lift()
    }

    func putDown(at point: (x: Double, y: Double)) throws { try send("down", point) }

    /// Moves the finger. Moves that touchd has not delivered yet become one.
    func move(to point: (x: Double, y: Double)) throws { try send("move", point) }

    func lift() throws { try devices.play("up panel 0", "frame panel") }

    private func send(_ command: String, _ point: (x: Double, y: Double)) throws {
        let (x, y) = (Int(point.x / size.width * 1280), Int(point.y / size.height * 768))
        try devices.play("\(command) panel 0 \(x) \(y)", "frame panel")
    }
}
