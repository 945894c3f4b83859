import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network
@testable import TestSupport

/// Messages and the kiosk's state through `touchd network`, to brokers that behave as a test needs.
@Suite final class BrokerTests {
    private let helper: Helper
    private let touchd: TouchdEnd

    init() throws {
        helper = try Helper()
        touchd = try helper.connect()
    }

    /// The lines of a broker until one of them is so.
    private func lines(_ broker: Server, until isLast: (String) -> Bool) -> [String] {
        var lines: [String] = []
        while let line = broker.line() {
            lines.append(line)
            if isLast(line) { break }
        }
        return lines
    }

    private func kiosk(
        _ start: String = "touchd/k", _ commands: [LayoutCommand.Kind] = [], discovery: String? = nil
    ) -> KioskTopics {
        KioskTopics { ($0.start, $0.commands, $0.discovery) = (start, commands, discovery) }
    }

    // MARK: Messages

    @Test("a broker that resets connections costs no message and no order", arguments: [0, 1, 2])
    func reset(qos: Int) throws {
        let (broker, port) = try helper.start("broker.py", ["reset", "3"])
        touchd.setBroker(port)
        for number in 1...60 { touchd.publish("\(number)", to: port, qos: qos) }
        touchd.waitForOutcomes(60)
        // The last one of quality of service 0 may be lost.
        touchd.publish("end", to: port, qos: 1)
        touchd.waitForOutcomes(61)
        let published = lines(broker) { $0 == "publish 1 t end" }.filter { $0.hasPrefix("publish") }.dropLast()
        if qos == 0 {
            // What was in flight when a connection ended is given up, and nothing is sent twice.
            #expect(touchd.failures.values.allSatisfy { $0 == "it may have been lost, because the connection ended" })
            #expect(Set(published).count == published.count)
            #expect(touchd.begun == Array(1...60))
        } else {
            #expect(touchd.done.sorted() == Array(1...61))
            #expect(Array(published) == (1...60).map { "publish \(qos) t \($0)" })
        }
        #expect(Set(touchd.done).isDisjoint(with: touchd.failures.keys))
    }

    @Test("messages without a confirmation are sent again, the first one alone, then the others in order")
    func unconfirmed() throws {
        let (broker, port) = try helper.start("broker.py", ["forget", "5"])
        touchd.setBroker(port)
        for number in 1...8 { touchd.publish("\(number)", to: port) }
        touchd.waitForOutcomes(8)
        #expect(touchd.done == Array(1...8))
        let published = lines(broker) { $0 == "publish 1 t 8" }.filter { $0.hasPrefix("publish") }
        #expect(published.suffix(8) == (1...8).map { "publish 1 t \($0)" })
    }

    @Test("a message that the broker refuses by ending the connection fails alone, and the others arrive")
    func refusedMessage() throws {
        let (broker, port) = try helper.start("broker.py", ["bad"])
        touchd.setBroker(port, kiosk: kiosk())
        for text in ["1", "2", "bad", "3", "4"] { touchd.publish(text, to: port) }
        touchd.waitForOutcomes(5)
        #expect(touchd.failures == [3: "the broker ended the connection three times after this message"])
        #expect(touchd.done == [1, 2, 4, 5])
        let published = lines(broker) { $0 == "publish 1 t 4" }.filter { $0.hasPrefix("publish 1 t ") }
        // Three times alone, and among the others once at first and once for each of the two before it.
        #expect(published.filter { $0.hasSuffix("bad") }.count <= 6)
    }

    @Test("an invalid topic fails its message only", arguments: ["a/#", "a/+/b", "", "a\u{0}b"])
    func invalidTopic(topic: String) throws {
        let (broker, port) = try helper.start("broker.py")
        touchd.setBroker(port)
        touchd.publish("no", to: port, topic: topic)
        touchd.publish("yes", to: port)
        touchd.waitForOutcomes(2)
        #expect(touchd.done == [2] && Array(touchd.failures.keys) == [1])
        broker.stop()
    }

    @Test("a message of quality of service 0 is reported before it is sent")
    func begins() throws {
        let (broker, port) = try helper.start("broker.py")
        touchd.setBroker(port)
        for number in 1...20 { touchd.publish("\(number)", to: port, qos: 0) }
        touchd.waitForOutcomes(20)
        #expect(touchd.begun == Array(1...20) && touchd.done == Array(1...20))
        var places: [Int: Int] = [:]
        for (place, report) in touchd.reports.enumerated() {
            if case .begun(let number) = report { places[number] = place }
            if case .done(let numbers) = report { #expect(numbers.allSatisfy { places[$0] != nil }) }
        }
        broker.stop()
    }

    // MARK: Phases

    @Test(
        "each phase of a failed connection is named",
        arguments: [
            (["silent"], "waiting the broker does not answer"),
            (["code", "5"], "waiting not authorized; check the user name and the password"),
            (["code", "4"], "waiting not authorized; check the user name and the password"),
            (["reset", "1"], "waiting the broker closed the connection"),
        ])
    func phases(arguments: [String], last: String) throws {
        let helper = try Helper {
            $0.answerTime = .milliseconds(200)
            $0.firstPause = .seconds(3600)
        }
        let touchd = try helper.connect()
        let (broker, port) = try helper.start("broker.py", arguments)
        touchd.setBroker(port, kiosk: kiosk())
        helper.run { touchd.peers.last == last }
        #expect(touchd.peers.filter { $0 != "connected -" } == ["connecting -", last])
        broker.stop()
    }

    @Test("a broker that is not there, and a name that is not known, are named")
    func absent() throws {
        let helper = try Helper { $0.firstPause = .seconds(3600) }
        let touchd = try helper.connect()
        touchd.setBroker(freePort())
        helper.run { touchd.peers.count == 2 }
        #expect(touchd.peers == ["connecting -", "waiting the broker refused the connection"])
        touchd.setBroker(1883, host: "broker.invalid")
        helper.run { touchd.peers.count == 4 }
        #expect(touchd.peers.last == "waiting the host name 'broker.invalid' was not found")
    }

    @Test("a phase is reported once, and an error until the broker is reached")
    func changes() throws {
        let (broker, port) = try helper.start("broker.py", ["reset", "2"])
        touchd.setBroker(port, kiosk: kiosk())
        helper.run { touchd.peers.filter { $0 == "connected -" }.count == 3 }
        let ended = ["waiting the broker closed the connection", "connecting the broker closed the connection"]
        #expect(touchd.peers == ["connecting -", "connected -"] + ended + ["connected -"] + ended + ["connected -"])
        broker.stop()
    }

    @Test("a broker with TLS gets no connection if TLS cannot be used")
    func noTLS() throws {
        let (broker, port) = try self.helper.start("broker.py")
        // libmosquitto refuses a file that it cannot read, as it refuses all TLS if it was built without it.
        let helper = try Helper { $0.certificates = "/nowhere" }
        let touchd = try helper.connect()
        touchd.setBroker(port)
        helper.run { touchd.peers.count == 2 }
        #expect(touchd.peers == ["connecting -", "waiting TLS cannot be used: Invalid function arguments provided."])
        broker.stop()
        #expect(broker.line() == nil)
    }

    // MARK: Kiosk

    @Test("the client has a lasting identifier, a keep-alive of 30 s and a last will, and says online")
    func identity() throws {
        let (broker, port) = try helper.start("broker.py")
        touchd.setBroker(port, kiosk: kiosk())
        helper.run { touchd.peers.last == "connected -" }
        #expect(
            lines(broker) { $0.hasPrefix("publish") } == [
                "connect kiosk 30 True", "publish 1 touchd/k/availability online",
            ])
        broker.stop()
    }

    @Test("a changed page needs no other connection; another start of the topics ends the old ones")
    func changedTopics() throws {
        let (broker, port) = try helper.start("broker.py")
        let state = KioskState { $0.pages = ["start"] }
        touchd.setBroker(port, kiosk: kiosk("touchd/a", discovery: "homeassistant"))
        touchd.send(.state(state))
        touchd.publish("1", to: port)
        touchd.waitForOutcomes(1)
        touchd.setBroker(port, kiosk: kiosk("touchd/a", discovery: "other"))
        touchd.publish("2", to: port)
        touchd.waitForOutcomes(2)
        touchd.setBroker(port, kiosk: kiosk("touchd/b", discovery: "other"))
        touchd.publish("3", to: port)
        touchd.waitForOutcomes(3)
        let all = lines(broker) { $0 == "publish 1 t 3" }
        #expect(all.filter { $0.hasPrefix("connect") }.count == 2)
        #expect(all.contains("publish 1 homeassistant/sensor/touchd_a/page/config "))
        #expect(all.contains("publish 1 other/sensor/touchd_a/page/config "))
        #expect(all.contains("publish 1 touchd/a/availability offline"))
        let end = try #require(all.firstIndex(of: "publish 1 touchd/a/availability offline"))
        #expect(all[end...].contains("disconnect"))
        // The state of the former layout is not published under new topics.
        touchd.publish("4", to: port)
        touchd.waitForOutcomes(4)
        #expect(!(all + lines(broker) { $0 == "publish 1 t 4" }).contains { $0.hasPrefix("publish 1 touchd/b/page") })
        touchd.send(.state(state))
        touchd.publish("5", to: port)
        touchd.waitForOutcomes(5)
        #expect(lines(broker) { $0 == "publish 1 t 5" }.contains("publish 1 touchd/b/page start"))
    }

    @Test("a removed broker sends what it holds, then offline, clears the discovery and closes")
    func removedBroker() throws {
        let (broker, port) = try helper.start("broker.py")
        touchd.setBroker(port, kiosk: kiosk("touchd/a", discovery: "homeassistant"))
        touchd.send(.state(KioskState()))
        touchd.publish("last", to: port)
        touchd.send { _ in }
        touchd.waitForOutcomes(1)
        helper.run { helper.server.context.peers.isEmpty }
        let all = lines(broker) { $0 == "disconnect" }
        let cleared = try #require(all.firstIndex(of: "publish 1 homeassistant/sensor/touchd_a/page/config "))
        let last = try #require(all.firstIndex(of: "publish 1 t last"))
        #expect(last < cleared)
        #expect(all.suffix(2) == ["publish 1 touchd/a/availability offline", "disconnect"])
    }

    @Test("a subscription that the broker does not allow is reported")
    func deniedSubscription() throws {
        let (broker, port) = try helper.start("broker.py", ["denied"])
        touchd.setBroker(port, kiosk: kiosk("touchd/k", [.go]))
        let reason = "the broker does not allow a subscription; check its access control list"
        helper.run { touchd.reports.contains(.refused(.go, reason: reason)) }
        broker.stop()
    }

    @Test("the kiosk is offline when touchd has ended without a word and does not come back")
    func deserted() throws {
        let (broker, port) = try self.helper.start("broker.py")
        let helper = try Helper { $0.linger = .milliseconds(50) }
        let touchd = try helper.connect()
        touchd.setBroker(port, kiosk: kiosk())
        helper.run { touchd.peers.last == "connected -" }
        touchd.close()
        helper.run { helper.didEnd }
        let all = lines(broker) { $0 == "disconnect" }
        #expect(all.filter { $0.hasPrefix("publish") }.last == "publish 1 touchd/k/availability offline")
    }

    // MARK: Hostile brokers

    @Test("a broker that sends messages without a subscription is disconnected and named")
    func unsolicited() throws {
        let (broker, port) = try helper.start("hostile-broker.py", ["message"])
        touchd.setBroker(port)
        helper.run { touchd.peers.contains { $0.hasPrefix("waiting") } }
        #expect(
            touchd.peers.first { $0.hasPrefix("waiting") }
                == "waiting the broker sent a message that touchd did not subscribe to; check that it is the right broker"
        )
        #expect(broker.line() == "closed")
        broker.stop()
    }

    @Test(
        "a broker that sends too much is disconnected",
        arguments: ["publish2", "huge", "acks"])
    func flood(kind: String) throws {
        let (broker, port) = try helper.start("hostile-broker.py", [kind])
        touchd.setBroker(port)
        helper.run { touchd.peers.contains { $0.contains("more than touchd's messages need") } }
        // libmosquitto reads one packet in one call while the broker is fast enough; MemoryMax= of the unit bounds that.
        #expect(broker.line() == "closed" || kind == "huge")
        broker.stop()
    }
}
