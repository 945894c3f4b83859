import ControlProtocol
import EventLoop
import Foundation

@testable import Handlers

/// The other end of a connection to the network, which a test drives packet by packet.
final class NetworkPeerStand {
    let loop: EpollRunLoop
    let client: NetworkClient
    private let listener = ListeningPath()
    /// The current connection.
    private(set) var connection: PacketSocket?
    /// The failures of handlers, and what the delegate got.
    private(set) var failures: [String] = [], events: [String] = []

    /// - Parameter answerTime: How long the other end may take to answer.
    init(answerTime: Duration = .seconds(3600)) throws {
        loop = try EpollRunLoop()
        client = NetworkClient(loop: loop, endpoint: .socket(listener.path), answerTime: answerTime)
        client.didFail = { [unowned self] in failures.append("\($0.name): \($1)") }
        client.report = { [unowned self] in note($0) }
        _ = fcntl(listener.descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Sends a message of a handler to a broker.
    func send(_ text: String, qos: Int = 1, to broker: String = "mqtt://b:1883") throws {
        let message = OutgoingMessage {
            $0.handler = "say"
            $0.mqtt = MQTTMessage { ($0.broker, $0.topic, $0.qos) = (broker, "t", qos) }
            $0.body = Array(text.utf8)
        }
        try client.send(message, of: "say")
    }

    /// Runs the loop until touchd connects, and greets it; returns the setup.
    @discardableResult
    func accept() throws -> NetworkSetup {
        acceptSilently()
        guard case .hello(let hello)? = next(), case .setup(let setup)? = next() else { throw Unexpected() }
        try answer(.hello(hello.version))
        return setup
    }

    /// Runs the loop until touchd connects.
    func acceptSilently() {
        var descriptor: Int32 = -1
        while descriptor < 0 {
            descriptor = Foundation.accept(listener.descriptor, nil, nil)
            if descriptor < 0 { step() }
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        connection = PacketSocket(descriptor)
    }

    struct Unexpected: Error {}

    /// The next order; nil if the connection has ended.
    func next() -> NetworkOrder? {
        while let connection {
            switch connection.receive(limit: NetworkOrder.packetLimit, NetworkOrder.init) {
            case .value(let order, _): return order
            case .end: return nil
            case .nothing: step()
            }
        }
        return nil
    }

    /// The texts of the next messages, with their numbers.
    func messages(_ count: Int) -> [String] {
        (0..<count).map { _ in
            guard case .message(let message)? = next() else { return "no message" }
            return "\(message.number) \(String(decoding: message.body, as: UTF8.self))"
        }
    }

    /// Sends a report, and lets touchd read it.
    func answer(_ report: NetworkReport, descriptor: Int32 = -1) throws {
        try connection?.send(report, descriptor: descriptor)
        step()
    }

    /// Sends any packet, and returns whether touchd ended the connection.
    func isEnded(after packet: [UInt8]) throws -> Bool {
        try connection?.send(packet)
        step()
        return next() == nil
    }

    /// Ends the connection, as when the process is killed.
    func die() {
        connection = nil
        step()
    }

    /// Runs the loop until nothing is to be done at once.
    func step() { _ = loop.run(until: .after(.milliseconds(5)), returnAfterSourceHandled: true) }

    func note(_ news: NetworkClient.Report) {
        switch news {
        case .peer(let peer, _): events.append("\(peer.name) \(peer.phase) \(peer.error ?? "")")
        case .problems(let problems): events += problems.map { "\($0.location) \($0.message)" }
        case .command(let command): events.append("\(command)")
        case .refused(let kind, let reason): events.append("\(kind) \(reason)")
        case .datagrams: events.append("datagrams")
        case .failed(let reason): events.append(reason)
        }
    }
}
