import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// The request `rehearse`, with umockdev's devices in the place of a self-test's touchscreen.
@Suite struct RehearsalTests {
    private static let layout = """
        screen: {size: [1280, 768]}
        views:
          - id: left
            frame: [0, 0, 640, 768]
            on: {began: log}
            gestures: [{tap: {}, on: {recognized: log}}]
          - {id: right, frame: [640, 0, 640, 768], control: button, on: {pressed: log}}
          - id: pad
            frame: [0, 400, 640, 368]
            private: true
            views: [{id: seven, frame: [0, 0, 640, 368]}]

        """

    @Test("the running service hit-tests a rehearsed finger, reports it to its client, and does nothing else")
    func onlyHitTested() throws {
        let kiosk = try MockedKiosk(layout: Self.layout)
        defer { kiosk.end() }
        let subscriber = try kiosk.connect()
        _ = try subscriber.send(.subscribe(to: [.touches, .gestures, .controls, .pages, .inspection], moves: true))
        // The touches that are down: none.
        _ = try subscriber.nextEvent(within: .seconds(60))
        let client = try kiosk.connect()
        _ = try client.send(.rehearse(device: kiosk.finger))

        try kiosk.play("down finger 0 320 200", "frame finger", "move finger 0 960 200", "frame finger")
        try kiosk.play("up finger 0", "frame finger", "down finger 0 960 200", "frame finger")
        try kiosk.play("down finger 1 320 600", "frame finger", "up finger 1", "frame finger")
        try kiosk.play("detach finger")

        var records: [RehearsalRecord] = []
        for _ in 0..<6 {
            records.append(
                try JSONDecoder().decode(RehearsalRecord.self, from: client.nextEvent(within: .seconds(60))))
        }
        #expect(
            records.map { "\($0.phase) \($0.view)" } == [
                "began view 'left'", "ended view 'left'", "began view 'right'", "began view 'pad'",
                "ended view 'pad'", "cancelled view 'right'",
            ])
        #expect(records[0].x == 320 && records[0].y == 200 && records[0].delay >= 0)

        let status = try client.status()
        #expect(status.touches.began == 0 && status.handlers.isEmpty && status.latency.count == 0)
        // Nothing comes before the layout's event.
        _ = try client.send(.command(.reload))
        let first = try subscriber.nextEvent(within: .seconds(60))
        #expect(String(decoding: first, as: UTF8.self).contains("\"layout\""))
    }

    @Test("a client that disconnects leaves the touchscreen to the next one")
    func disconnected() throws {
        let kiosk = try MockedKiosk(layout: Self.layout)
        defer { kiosk.end() }
        do {
            let client = try kiosk.connect()
            _ = try client.send(.rehearse(device: kiosk.finger))
            try kiosk.play("down finger 0 320 200", "frame finger")
            _ = try client.nextEvent(within: .seconds(60))
        }
        let next = try kiosk.connect()
        // The service may not have read the end of the first connection yet.
        var isOpen = false
        while !isOpen {
            do { isOpen = try next.send(.rehearse(device: kiosk.finger)) == .object([:]) } catch is ControlError {}
        }
        try kiosk.play("up finger 0", "frame finger", "down finger 0 960 200", "frame finger")
        var views: [String] = []
        while views.last != "view 'right'", views.count < 3 {
            let event = try next.nextEvent(within: .seconds(60))
            views.append(try JSONDecoder().decode(RehearsalRecord.self, from: event).view)
        }
        #expect(views.last == "view 'right'")
    }

    @Test("neither the panel in use, nor a path that touchd has not found, can be rehearsed")
    func refused() throws {
        let kiosk = try MockedKiosk(layout: Self.layout)
        defer { kiosk.end() }
        let client = try kiosk.connect()
        for (path, reason) in [(kiosk.panel, "not the touchscreen of a self-test"), ("/etc/passwd", "has not found")] {
            let error = #expect(throws: ControlError.self) { try client.send(.rehearse(device: path)) }
            #expect(error?.code == .unavailable && error?.message.contains(reason) == true)
        }
        try kiosk.play("down panel 0 320 200", "frame panel")
        while try client.status().touches.began != 1 {}
    }
}

/// A running touchd that reads a mocked panel, and beside it the touchscreen of a self-test.
private final class MockedKiosk {
    /// The event nodes.
    let panel, finger: String
    private let touchd: RunningTouchd
    private let player = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    private let folder: TemporaryFolder

    init(layout: String) throws {
        folder = try TemporaryFolder()
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
        touchd = try RunningTouchd(
            layout: layout, isLive: true,
            variables: [
                "LD_PRELOAD": "libumockdev-preload.so.0",
                "UMOCKDEV_DIR": folder.url.appending(path: "bed").resolvingSymlinksInPath().path,
            ])
        _ = touchd.notifications(until: "READY=1")
    }

    func connect() throws -> ControlConnection { try ControlConnection(path: touchd.control, timeout: .seconds(60)) }

    func play(_ lines: String...) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data(lines.map { "\($0)\n" }.joined().utf8))
    }

    /// Ends touchd before its devices: umockdev ends a program that reads a node without one.
    func end() {
        touchd.signal(SIGKILL)
        _ = touchd.end()
        // It inherits the tests' signal mask, so it may not receive SIGTERM.
        kill(player.processIdentifier, SIGKILL)
        player.waitUntilExit()
    }
}
