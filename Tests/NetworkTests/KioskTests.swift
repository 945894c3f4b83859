import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network

/// The kiosk's state and commands, against a model of the broker.
@Suite struct KioskTests {
    private func topics(_ start: String, _ commands: [LayoutCommand.Kind] = []) -> KioskTopics {
        KioskTopics { ($0.start, $0.commands, $0.discovery) = (start, commands, "homeassistant") }
    }

    @Test("two kiosks never share an id of discovery")
    func ids() {
        #expect(topics("touchd/kiosk-1").nodeID == "touchd_kiosk-1")
        let starts = ["a/b", "a_b", "a b", "a.b", "ä", "ö", "a\u{308}", "a-b", "a", "A", "a//b", "a__b", "_", "/"]
        #expect(Set(starts.map { topics($0).nodeID }).count == starts.count)
        #expect(starts.allSatisfy { topics($0).nodeID.utf8.allSatisfy { ($0 as UInt8) < 128 } })
        #expect(topics("a_b").nodeID == "a_b_1ba46871")
    }

    @Test("a select for pages only with the command and a choice; topics of what is not known are missing")
    func entities() {
        var state = KioskState()
        (state.pages, state.choices) = (["a", "b"], ["a", "b"])
        var payloads = state.payloads(topics("k", [.go, .reload, .ignore]))
        #expect(payloads["k/page"] == "a, b" && payloads["k/idle"] == nil && payloads["k/last-touch"] == nil)
        #expect(payloads["homeassistant/select/k/page/config"]?.contains(#""options": ["a", "b"]"#) == true)
        #expect(payloads["homeassistant/button/k/reload/config"] != nil)
        #expect(payloads["homeassistant/button/k/ignore/config"]?.contains(#""payload_press": "60""#) == true)
        state.isIdle = true
        state.lastTouch = "2026-11-01T01:00:00Z"
        payloads = state.payloads(topics("k"))
        #expect(payloads["homeassistant/sensor/k/page/config"] != nil && payloads["k/idle"] == "true")
        #expect(payloads["k/last-touch"] == "2026-11-01T01:00:00Z")
    }

    @Test("a message gives a command if it is not retained, short, UTF-8 and of the right kind")
    func commands() throws {
        func command(_ kind: LayoutCommand.Kind, _ payload: [UInt8]?, isRetained: Bool = false) -> String {
            do throws(LayoutCommand.Refusal) {
                let command = try LayoutCommand(
                    kind, BrokerMessage(topic: "", payload: payload, isRetained: isRetained))
                return "\(command)"
            } catch { return error.reason }
        }
        #expect(command(.go, Array("pay".utf8)) == "\(LayoutCommand.named(.go, "pay"))")
        #expect(command(.ignore, Array("10 min".utf8)) == "\(LayoutCommand.ignore(seconds: 600))")
        #expect(command(.reload, []) == "\(LayoutCommand.reload)")
        #expect(command(.go, Array("pay".utf8), isRetained: true).contains("retained"))
        #expect(command(.go, nil).contains("1024 bytes"))
        #expect(command(.go, [0xff]).contains("UTF-8") && command(.go, [10]).contains("control characters"))
        #expect(command(.ignore, Array("2 d".utf8)).contains("at most 1 d"))
    }

    /// A broker that remembers what a kiosk sent over one connection.
    private final class Broker {
        var published: [String] = []
        var subscribed: [String] = []
        var reports: [NetworkReport] = []
        let loop: EpollRunLoop
        let kiosk: KioskLink
        private var number: Int32 = 0

        init(_ topics: KioskTopics, after former: KioskLink? = nil) throws {
            loop = try EpollRunLoop()
            var settings = SenderSettings()
            settings.firstPause = .milliseconds(10)
            let context = SenderContext(loop: loop, settings: settings)
            kiosk = KioskLink(topics, after: former, context)
            context.report = { [unowned self] in reports.append($0) }
        }

        func connect() {
            kiosk.connected(
                BrokerClient(
                    publish: { [unowned self] payload, topic, _, _ in
                        published.append("\(topic) \(String(decoding: payload, as: UTF8.self))")
                        number += 1
                        return .sent(number)
                    }, subscribe: { [unowned self] in subscribed.append($0) }, close: {}))
        }

        /// Confirms all messages until now.
        func confirm() { for number in 1...number { kiosk.published(number) } }
    }

    @Test("the topics of commands are subscribed to one after another; a retained flood costs only its own")
    func fences() throws {
        let broker = try Broker(topics("k", [.show, .go, .hide]))
        broker.connect()
        #expect(broker.subscribed == ["k/availability", "k/command/show"])
        broker.confirm()
        #expect(broker.subscribed.last == "k/command/go")
        #expect(broker.kiosk.flooded())
        guard case .refused(.go, let reason) = broker.reports.first else {
            Issue.record("not reported")
            return
        }
        #expect(reason.contains("'k/command/go'") && reason.contains("mosquitto_pub -r -n"))
        broker.subscribed = []
        broker.connect()
        for _ in 0..<3 { broker.confirm() }
        #expect(broker.subscribed == ["k/availability", "k/command/show", "k/command/hide"])
        // Nothing is subscribed to now, so a flood has another reason.
        #expect(!broker.kiosk.flooded())
        broker.kiosk.ended()
        broker.subscribed = []
        broker.connect()
        for _ in 0..<4 { broker.confirm() }
        #expect(broker.subscribed.contains("k/command/go"))
    }

    @Test("only changes are published, and what is gone is cleared, also after the connection was lost")
    func changes() throws {
        var topics = topics("k")
        topics.discovery = nil
        let broker = try Broker(topics)
        var state = KioskState()
        (state.pages, state.isIdle) = (["a"], false)
        broker.kiosk.set(state)
        #expect(broker.published == [])
        broker.connect()
        #expect(broker.published.contains("k/page a") && broker.published.contains("k/idle false"))
        broker.published = []
        state.pages = ["b"]
        broker.kiosk.set(state)
        #expect(broker.published == ["k/page b"])
        broker.kiosk.ended()
        broker.published = []
        state.isIdle = nil
        broker.kiosk.set(state)
        #expect(broker.published == [])
        broker.connect()
        #expect(broker.published.contains("k/idle ") && broker.published.contains("k/page b"))
    }

    @Test("topics that are left while the broker is away are cleared when it is back, until it confirms that")
    func formerTopics() throws {
        let former = try Broker(topics("a"))
        former.kiosk.set(KioskState())
        former.connect()
        former.confirm()
        former.kiosk.ended()
        #expect(former.kiosk.leave(clearing: true) == nil)
        let broker = try Broker(topics("b"), after: former.kiosk)
        let last = [
            "a/availability offline", "homeassistant/sensor/a/page/config ", "homeassistant/sensor/a/version/config ",
        ]
        for _ in 0..<2 {
            broker.published = []
            broker.connect()
            #expect(last.allSatisfy(broker.published.contains))
            #expect(!broker.published.contains { $0.hasPrefix("a/page") })
            broker.kiosk.ended()
        }
        broker.connect()
        broker.confirm()
        broker.kiosk.ended()
        broker.published = []
        broker.connect()
        #expect(!last.contains(where: broker.published.contains))
    }

    @Test("a broker that confirms nothing gets a limited part of the state, and the latest when it confirms")
    func unconfirmed() throws {
        let broker = try Broker(topics("k"))
        var state = KioskState()
        broker.kiosk.set(state)
        broker.connect()
        for number in 1...1000 {
            state.lastTouch = "\(number)"
            broker.kiosk.set(state)
        }
        #expect(broker.published.count < 20)
        for _ in 0..<3 { broker.confirm() }
        #expect(broker.published.last { $0.hasPrefix("k/last-touch") } == "k/last-touch 1000")
    }

    @Test(
        "the kiosk says online again when it sees its own offline, as after a power cut, but not when touchd has ended")
    func ownWill() throws {
        let broker = try Broker(topics("k"))
        broker.connect()
        broker.published = []
        let offline = BrokerMessage(topic: "k/availability", payload: Array("offline".utf8), isRetained: false)
        for _ in 0..<5 { broker.kiosk.received(offline) }
        // Ends when no timer is left.
        #expect(broker.loop.run() == .finished)
        #expect(broker.published == ["k/availability online"])
        broker.kiosk.set(isPresent: false)
        broker.kiosk.received(offline)
        #expect(broker.loop.run() == .finished)
        #expect(broker.published == ["k/availability online", "k/availability offline"])
    }

    @Test("the reports on commands have a limit, however many messages arrive")
    func flood() throws {
        let broker = try Broker(topics("k", [.go]))
        broker.connect()
        for _ in 0..<10_000 {
            broker.kiosk.received(BrokerMessage(topic: "k/command/go", payload: Array("a".utf8), isRetained: false))
        }
        #expect(broker.reports.count < 200)
    }
}
