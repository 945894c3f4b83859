import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// `publish` to a malicious MQTT peer, over real sockets.
@Suite final class HostileBroker {
    private let loop: EpollRunLoop
    private let late = LateFailures()
    private var failures: [String] = []
    private let publisher: MQTTPublisher

    init() throws {
        loop = try EpollRunLoop()
        publisher = MQTTPublisher(
            NetworkContext(
                loop: loop, failures: late, credentials: Credentials(directory: nil), firstPause: .milliseconds(10)))
        late.didFail = { [unowned self] in failures.append("\($0.name): \($1)") }
    }

    /// Publishes a message to a broker that sends a script's bytes; returns the broker and its port.
    private func publish(to kind: String) throws -> (Server, port: Int) {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/hostile-broker.py")
        let broker = try Server(["/usr/bin/python3", script.path, kind])
        let port = try #require(broker.line().flatMap { Int($0) })
        try publisher.publish(
            .init(handler: "say", topic: "kiosk", payload: [1], qos: 1, retain: false),
            to: .init(host: "127.0.0.1", port: port))
        return (broker, port)
    }

    /// Connects to a broker that sends a script's bytes, and returns why the connection ended.
    private func end(_ kind: String) throws -> (failure: String?, broker: String?) {
        let (broker, port) = try publish(to: kind)
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        #expect(publisher.close() == 1)
        return (failures.first?.replacingOccurrences(of: "\(port)", with: "PORT"), broker.line())
    }

    @Test("a broker that sends messages without a subscription is disconnected and named")
    func unsolicited() throws {
        let (failure, broker) = try end("message")
        #expect(broker == "closed")
        #expect(
            failure
                == "say: not sent to mqtt://127.0.0.1:PORT: the broker sent a message that touchd did not subscribe to; "
                + "check that it is the right broker; touchd will retry")
    }

    @Test("a message that the broker has not confirmed when it disconnects is sent again")
    func unconfirmed() throws {
        let (broker, _) = try publish(to: "forget")
        let limit = Deadline.after(.seconds(20))
        while publisher.count > 0, loop.run(until: limit, returnAfterSourceHandled: true) != .timedOut {}
        #expect(publisher.count == 0)
        broker.stop()
    }

    @Test(
        "a broker that sends too much is disconnected before memory is exhausted",
        arguments: ["publish2", "huge", "acks"])
    func flood(kind: String) throws {
        let (failure, broker) = try end(kind)
        #expect(broker == "closed")
        #expect(failure?.contains("more than touchd's messages need; check that it is an MQTT broker") == true)
    }
}
