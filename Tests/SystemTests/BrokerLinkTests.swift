import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// The lasting connection of a layout's `mqtt:`, with a real broker.
@MainActor @Suite(.needs("mosquitto"), .needs("mosquitto-clients")) final class BrokerLinkTests {
    private let loop: EpollRunLoop
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")
    private let port = freePort()
    private var messages: [BrokerMessage] = []
    private var changes: [BrokerLink.Change] = []

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The broker drops root privileges before it reads its files.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        loop = try EpollRunLoop()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func broker(_ more: String = "") throws -> Server {
        let file = folder.appending(path: "mosquitto.conf")
        try "listener \(port) 127.0.0.1\nallow_anonymous true\n\(more)\n".write(
            to: file, atomically: true, encoding: .utf8)
        let broker = try Server(["/usr/sbin/mosquitto", "-c", file.path], mergingErrors: true)
        while let line = broker.line(), !line.contains(" running") {}
        return broker
    }

    private func link(_ topics: [String] = ["kiosk/command/go"]) -> BrokerLink {
        let link = BrokerLink(
            .init(host: "127.0.0.1", port: port, availability: "kiosk/availability", subscriptions: topics),
            loop: loop, credentials: Credentials(directory: nil), firstPause: .milliseconds(20))
        link.didReceive = { [unowned self] in messages.append($0) }
        link.didChange = { [unowned self] in changes.append($0) }
        return link
    }

    private func publish(_ message: String, to topic: String = "kiosk/command/go", retain: Bool = false) throws {
        let sender = try Server(
            ["/usr/bin/mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", message]
                + (retain ? ["-r"] : []))
        while sender.line() != nil {}
    }

    /// The payload that the broker retains; nil if none arrives within a number of seconds.
    private func retained(_ topic: String, patience: Int = 1) throws -> String? {
        // Tests run on threads of libdispatch, which block the signal of -W, and the program inherits that.
        let unblock =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM]); "
            + "os.execv(sys.argv[1], sys.argv[1:])"
        let subscriber = try Server([
            "/usr/bin/python3", "-c", unblock, "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-t",
            topic, "--retained-only", "-C", "1",
            "-W", "\(patience)",
        ])
        return subscriber.line()
    }

    private func run(until isDone: () throws -> Bool) rethrows {
        while try !isDone() { _ = loop.run(until: .after(.milliseconds(50))) }
    }

    @Test("the broker retains the latest state, and loses a topic that is no longer part of it")
    func state() throws {
        let broker = try broker(), link = link()
        link.set(["kiosk/page": "start", "kiosk/idle": "false"])
        link.open()
        try run { try retained("kiosk/page") == "start" }
        link.set(["kiosk/page": "pay"])
        try run { try retained("kiosk/page") == "pay" }
        try run { try retained("kiosk/idle") == nil }
        #expect(try retained("kiosk/availability", patience: 600) == "online")
        link.close()
        #expect(try retained("kiosk/availability", patience: 600) == "offline")
        #expect(changes == [.connected])
        broker.stop()
    }

    @Test("a lost connection is the last will; after the broker's restart, state and subscriptions are renewed")
    func reconnection() throws {
        let first = try broker()
        var lost: BrokerLink? = link([])
        lost?.open()
        try run { try retained("kiosk/availability") == "online" }
        lost = nil
        try run { try retained("kiosk/availability") == "offline" }

        let link = link()
        link.set(["kiosk/page": "start"])
        link.open()
        try run { try retained("kiosk/availability") == "online" }
        first.stop()
        run { changes.contains { if case .unreachable = $0 { true } else { false } } }
        let second = try broker()
        try run { try retained("kiosk/page") == "start" && retained("kiosk/availability") == "online" }
        try publish("pay")
        run { !messages.isEmpty }
        #expect(messages == [BrokerMessage(topic: "kiosk/command/go", payload: Array("pay".utf8), isRetained: false)])
        #expect(changes.count == 4)
        link.close()
        second.stop()
    }

    @Test("a message from before the subscription is marked, and a large one has no payload")
    func unusualMessages() throws {
        let broker = try broker()
        try publish("old", retain: true)
        let link = link()
        link.open()
        run { !messages.isEmpty }
        #expect(messages.first?.isRetained == true)
        try publish(String(repeating: "x", count: BrokerMessage.payloadLimit + 1))
        try publish("", to: "kiosk/command/hide")
        try publish("pay")
        run { messages.count == 3 }
        #expect(messages[1].payload == nil && messages[2].payload == Array("pay".utf8))
        #expect(changes == [.connected])
        link.close()
        broker.stop()
    }

    @Test("a retained message that is too large is reported once, and costs only its own topic")
    func oversizedMessage() throws {
        let broker = try broker("max_packet_size 2000000")
        let file = folder.appending(path: "large")
        try Data(count: 2 * BrokerLink.retainedLimit).write(to: file)
        let sender = try Server([
            "/usr/bin/mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", "kiosk/command/go", "-r",
            "-f",
            file.path,
        ])
        while sender.line() != nil {}
        let link = link(["kiosk/command/show", "kiosk/command/go", "kiosk/command/hide"])
        link.set(["kiosk/page": "start"])
        link.open()
        run { changes.count == 3 }
        #expect(changes == [.connected, .oversized("kiosk/command/go"), .connected])
        try publish("a", to: "kiosk/command/hide")
        try publish("b", to: "kiosk/command/show")
        run { messages.count == 2 }
        #expect(messages.map(\.topic) == ["kiosk/command/hide", "kiosk/command/show"])
        #expect(try retained("kiosk/page", patience: 600) == "start")
        #expect(changes.count == 3)
        link.close()
        broker.stop()
    }

    @Test("a subscription that the broker does not allow is reported")
    func refusedSubscription() throws {
        let script = """
            import socket, sys
            listener = socket.socket(); listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", \(port))); listener.listen(); print("listening", flush=True)
            peer, _ = listener.accept(); peer.recv(4096); peer.sendall(b"\\x20\\x02\\x00\\x00")
            packet = peer.recv(4096); peer.sendall(b"\\x90\\x03" + packet[2:4] + b"\\x80"); peer.recv(4096); sys.stdin.read()
            """
        let broker = try Server(["/usr/bin/python3", "-c", script])
        #expect(broker.line() == "listening")
        let link = link()
        link.open()
        run { changes.count >= 2 }
        #expect(changes.prefix(2) == [.connected, .subscriptionRefused])
        link.close()
        broker.stop()
    }
}
