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

    private let kiosk: MockedKiosk

    init() throws { kiosk = try MockedKiosk(layout: Self.layout, size: (1280, 768)) }

    @Test("the running service hit-tests a rehearsed finger, reports it to its client, and does nothing else")
    func onlyHitTested() throws {
        let subscriber = try kiosk.connect()
        _ = try subscriber.send(.subscribe(to: [.touches, .gestures, .controls, .pages, .inspection], moves: true))
        // The touches that are down: none.
        _ = try subscriber.nextEvent(within: .seconds(60))
        let client = try kiosk.connect()
        _ = try client.send(.rehearse(device: kiosk.devices.finger))

        try kiosk.devices.play("down finger 0 320 200", "frame finger", "move finger 0 960 200", "frame finger")
        try kiosk.devices.play("up finger 0", "frame finger", "down finger 0 960 200", "frame finger")
        try kiosk.devices.play("down finger 1 320 600", "frame finger", "up finger 1", "frame finger")
        try kiosk.devices.play("detach finger")

        var records: [RehearsalRecord] = []
        for _ in 0..<6 {
            records.append(
                try JSONTree(try client.nextEvent(within: .seconds(60))).decode(RehearsalRecord.self))
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
        do {
            let client = try kiosk.connect()
            _ = try client.send(.rehearse(device: kiosk.devices.finger))
            try kiosk.devices.play("down finger 0 320 200", "frame finger")
            _ = try client.nextEvent(within: .seconds(60))
        }
        let next = try kiosk.connect()
        // The service may not have read the end of the first connection yet.
        var isOpen = false
        while !isOpen {
            do { isOpen = try next.send(.rehearse(device: kiosk.devices.finger)).members == [:] } catch is ControlError
            {}
        }
        try kiosk.devices.play("up finger 0", "frame finger", "down finger 0 960 200", "frame finger")
        var views: [String] = []
        while views.last != "view 'right'", views.count < 3 {
            let event = try next.nextEvent(within: .seconds(60))
            views.append(try JSONTree(event).decode(RehearsalRecord.self).view)
        }
        #expect(views.last == "view 'right'")
    }

    @Test("neither the panel in use, nor a path that touchd has not found, can be rehearsed")
    func refused() throws {
        let client = try kiosk.connect()
        for (path, reason) in [
            (kiosk.devices.panel, "not the touchscreen of a self-test"), ("/etc/passwd", "has not found"),
        ] {
            let error = #expect(throws: ControlError.self) { try client.send(.rehearse(device: path)) }
            #expect(error?.code == .unavailable && error?.message.contains(reason) == true)
        }
        try kiosk.devices.play("down panel 0 320 200", "frame panel")
        while try client.status().touches.began != 1 {}
    }
}
