import ControlProtocol
import EventLoop
import Layout
import Testing

@testable import Handlers
@testable import Service

/// The commands that messages of a broker give.
@Suite struct BrokerCommandTests {
    private func command(
        _ kind: LayoutCommand.Kind, _ payload: [UInt8]?, isRetained: Bool = false
    ) throws -> LayoutCommand {
        try LayoutCommand(kind, BrokerMessage(topic: "t", payload: payload, isRetained: isRetained))
    }

    @Test(
        "the payload is the page, the view or the time",
        arguments: [
            (LayoutCommand.Kind.go, "pay", LayoutCommand.named(.go, "pay")),
            (.switchOn, "lamp", .named(.switchOn, "lamp")),
            (.ignore, "30", .ignore(seconds: 30)), (.ignore, "10 min", .ignore(seconds: 600)),
            (.ignore, "0", .ignore(seconds: 0)), (.reload, "", .reload), (.reload, "PRESS", .reload),
        ])
    func commands(kind: LayoutCommand.Kind, payload: String, expected: LayoutCommand) throws {
        #expect(try command(kind, Array(payload.utf8)) == expected)
    }

    @Test("a malformed, too long or retained message is refused with the reason")
    func refusals() throws {
        func reason(_ kind: LayoutCommand.Kind, _ payload: [UInt8]?, isRetained: Bool = false) -> String? {
            do {
                _ = try command(kind, payload, isRetained: isRetained)
                return nil
            } catch {
                return (error as? ControlError)?.message
            }
        }
        #expect(reason(.go, nil) == "the payload must be at most 1024 bytes long")
        #expect(reason(.go, [0xFF]) == "the payload must be UTF-8 without control characters")
        #expect(reason(.go, Array("a\u{1B}[2J".utf8)) == "the payload must be UTF-8 without control characters")
        #expect(reason(.go, [], isRetained: true)?.hasPrefix("the message was retained") == true)
        for text in ["soon", "-1", "2 d", "1e9"] {
            #expect(reason(.ignore, Array(text.utf8))?.contains("a time of at most 1 d") == true, "\(text)")
        }
    }

    @Test("a bucket gives its capacity at once, and then its rate")
    func rate() {
        var bucket = TokenBucket(rate: 5, capacity: 20)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 1_000_000_000)) } == 20)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 3_000_000_000)) } == 10)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 1_000_000_000_000)) } == 20)
    }

    @Test("the state has a topic for each fact, and discovery describes only allowed commands")
    func topics() {
        let state = BrokerState(
            pages: ["start"], choices: ["start", "pay"], isIdle: false, lastTouch: nil,
            devices: [(name: "EP \"1\"", use: "used")])
        var spec = MQTTSpec(host: "h", location: SourceLocation(file: "kiosk.yaml"))
        #expect(
            state.topics(spec, start: "kiosk/7").keys.sorted() == [
                "kiosk/7/devices", "kiosk/7/idle", "kiosk/7/page", "kiosk/7/version",
            ])
        #expect(state.topics(spec, start: "kiosk/7")["kiosk/7/devices"] == #"[{"name": "EP \"1\"", "use": "used"}]"#)
        spec.discovery = "homeassistant"
        let plain = state.topics(spec, start: "kiosk/7")
        #expect(plain["homeassistant/sensor/kiosk_7/page/config"]?.contains("command_topic") == false)
        spec.commands = [.go, .reload]
        let commanded = state.topics(spec, start: "kiosk/7")
        #expect(commanded["homeassistant/sensor/kiosk_7/page/config"] == nil)
        #expect(
            commanded["homeassistant/select/kiosk_7/page/config"]?.contains(#""options": ["start", "pay"]"#) == true)
        #expect(commanded["homeassistant/button/kiosk_7/reload/config"] != nil)
        #expect(commanded["homeassistant/button/kiosk_7/ignore/config"] == nil)
    }
}
