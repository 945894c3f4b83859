import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// The lasting connection of a layout's `mqtt:`, with a real broker.
@MainActor @Suite(.needs("mosquitto"), .needs("mosquitto-clients")) final class BrokerLinkTests {
    private let loop: EpollRunLoop
    private let broker: Broker
    private var messages: [BrokerMessage] = []
    private var changes: [BrokerLink.Change] = []

    init() throws {
        broker = try Broker()
        loop = try EpollRunLoop()
    }

    private func link(_ topics: [String] = ["kiosk/command/go"]) -> BrokerLink {
        let link = BrokerLink(
            .init(host: "127.0.0.1", port: broker.port, availability: "kiosk/availability", subscriptions: topics),
            loop: loop, credentials: Credentials(directory: nil), firstPause: .milliseconds(20))
        link.didReceive = { [unowned self] in messages.append($0) }
        link.didChange = { [unowned self] in changes.append($0) }
        return link
    }

    private func run(until isDone: () throws -> Bool) rethrows {
        while try !isDone() { _ = loop.run(until: .after(.milliseconds(50))) }
    }

    @Test("the broker retains the latest state, and loses a topic that is no longer part of it")
    func state() throws {
        try broker.start()
        let link = link()
        link.set(["kiosk/page": "start", "kiosk/idle": "false"])
        link.open()
        try run { try broker.retained("kiosk/page") == "start" }
        link.set(["kiosk/page": "pay"])
        try run { try broker.retained("kiosk/page") == "pay" }
        try run { try broker.retained("kiosk/idle") == nil }
        #expect(try broker.retained("kiosk/availability", patience: 600) == "online")
        link.close()
        #expect(try broker.retained("kiosk/availability", patience: 600) == "offline")
        #expect(changes == [.connected])
    }

    @Test("a lost connection is the last will; after the broker's restart, state and subscriptions are renewed")
    func reconnection() throws {
        try broker.start()
        var lost: BrokerLink? = link([])
        lost?.open()
        try run { try broker.retained("kiosk/availability") == "online" }
        lost = nil
        try run { try broker.retained("kiosk/availability") == "offline" }

        let link = link()
        link.set(["kiosk/page": "start"])
        link.open()
        try run { try broker.retained("kiosk/availability") == "online" }
        broker.stop()
        run { changes.contains { if case .unreachable = $0 { true } else { false } } }
        try broker.start()
        try run { try broker.retained("kiosk/page") == "start" && broker.retained("kiosk/availability") == "online" }
        try broker.publish("pay", to: "kiosk/command/go")
        run { !messages.isEmpty }
        #expect(messages == [BrokerMessage(topic: "kiosk/command/go", payload: Array("pay".utf8), isRetained: false)])
        #expect(changes.count == 4)
        link.close()
    }

    @Test("a message from before the subscription is marked, and a large one has no payload")
    func unusualMessages() throws {
        try broker.start()
        try broker.publish("old", to: "kiosk/command/go", retain: true)
        let link = link()
        link.open()
        run { !messages.isEmpty }
        #expect(messages.first?.isRetained == true)
        try broker.publish(String(repeating: "x", count: BrokerMessage.payloadLimit + 1), to: "kiosk/command/go")
        try broker.publish("", to: "kiosk/command/hide")
        try broker.publish("pay", to: "kiosk/command/go")
        run { messages.count == 3 }
        #expect(messages[1].payload == nil && messages[2].payload == Array("pay".utf8))
        #expect(changes == [.connected])
        link.close()
    }

    @Test("a retained message that is too large is reported once, and costs only its own topic")
    func oversizedMessage() throws {
        try broker.start("allow_anonymous true\nmax_packet_size 2000000")
        let file = broker.folder.appending(path: "large")
        try Data(count: 2 * BrokerLink.retainedLimit).write(to: file)
        let sender = try Server([
            "/usr/bin/mosquitto_pub", "-h", "localhost", "-p", "\(broker.port)", "-q", "1", "-t", "kiosk/command/go",
            "-r", "-f", file.path,
        ])
        while sender.line() != nil {}
        let link = link(["kiosk/command/show", "kiosk/command/go", "kiosk/command/hide"])
        link.set(["kiosk/page": "start"])
        link.open()
        run { changes.count == 3 }
        #expect(changes == [.connected, .oversized("kiosk/command/go"), .connected])
        try broker.publish("a", to: "kiosk/command/hide")
        try broker.publish("b", to: "kiosk/command/show")
        run { messages.count == 2 }
        #expect(messages.map(\.topic) == ["kiosk/command/hide", "kiosk/command/show"])
        #expect(try broker.retained("kiosk/page", patience: 600) == "start")
        #expect(changes.count == 3)
        link.close()
    }

    @Test("a subscription that the broker does not allow is reported")
    func refusedSubscription() throws {
        let script = """
            import socket, sys
            listener = socket.socket(); listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", \(broker.port))); listener.listen(); print("listening", flush=True)
            peer, _ = listener.accept(); peer.recv(4096); peer.sendall(b"\\x20\\x02\\x00\\x00")
            packet = peer.recv(4096); peer.sendall(b"\\x90\\x03" + packet[2:4] + b"\\x80"); peer.recv(4096); sys.stdin.read()
            """
        let refusing = try Server(["/usr/bin/python3", "-c", script])
        #expect(refusing.line() == "listening")
        let link = link()
        link.open()
        run { changes.count >= 2 }
        #expect(changes.prefix(2) == [.connected, .subscriptionRefused])
        link.close()
        refusing.stop()
    }
}
