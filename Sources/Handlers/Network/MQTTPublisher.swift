import EventLoop
import Foundation

/// Publishes to MQTT brokers over one connection per broker, opened for the first message and then kept.
///
/// Messages to a broker are sent in the order of their occasions. While the broker is unreachable, messages wait and
/// the connection is retried with growing delays; when the queue is full, the oldest messages are kept. A message that
/// was not confirmed when a connection ended is sent again over the next one, so a message of quality of service 1 or 2
/// arrives at least once.
final class MQTTPublisher {
    /// The maximum size of a message in bytes.
    static let messageLimit = 64 * 1024
    /// The maximum number of messages that libmosquitto holds. The rest wait here if the broker does not read.
    static let inFlightLimit = 16
    /// The IANA port for MQTT over TLS.
    static let securePort = 8883

    /// A message that waits or is being sent.
    struct Message {
        let handler: HandlerOrigin
        let topic: String
        let payload: [UInt8]
        let qos: Int
        let retain: Bool
        /// The message number of libmosquitto; nil while the message waits here.
        var number: Int32?
    }

    private final class Broker {
        let queue: RetryQueue<Message>
        var client: MosquittoClient?
        var isConnected = false
        var wasToldUnreachable = false

        init(_ queue: RetryQueue<Message>) { self.queue = queue }
    }

    private let network: NetworkContext
    private var brokers: [MosquittoClient.Address: Broker] = [:]

    init(_ network: NetworkContext) { self.network = network }

    /// The number of messages that wait or are not confirmed yet.
    var count: Int { brokers.values.reduce(0) { $0 + $1.queue.entries.count } }

    /// The names of the credentials with a broker's user name and password.
    static func credentialNames(host: String) -> (username: String, password: String) {
        ("mqtt.\(host).username", "mqtt.\(host).password")
    }

    /// Queues a message for its broker.
    func publish(_ message: Message, to address: MosquittoClient.Address) throws(HandlerFailure) {
        let name = Self.name(address)
        if let reason = MosquittoClient.load() { throw .messageNotSent(to: name, reason: reason) }
        guard !message.topic.isEmpty, message.topic.utf8.count < 65536 else {
            throw .messageNotSent(
                to: name, reason: "the topic must be 1 to 65535 bytes long (got \(message.topic.utf8.count))")
        }
        guard message.payload.count <= Self.messageLimit else {
            throw .messageNotSent(
                to: name,
                reason: "the message must be at most \(Self.messageLimit) bytes long (got \(message.payload.count))")
        }
        let broker = brokers[address] ?? Broker(RetryQueue(name: "mqtt.retry", network))
        brokers[address] = broker
        guard !broker.queue.isFull else {
            throw .messageNotSent(to: name, reason: "\(broker.queue.entries.count) messages are waiting already")
        }
        broker.queue.entries.append(message)
        if broker.isConnected { send(to: broker, address) } else { connect(broker, address) }
    }

    /// Drops all unconfirmed messages, closes the connections, and returns the number of dropped messages.
    func close() -> Int {
        let count = count
        for broker in brokers.values { broker.client?.close() }
        brokers = [:]
        return count
    }

    private func connect(_ broker: Broker, _ address: MosquittoClient.Address) {
        guard broker.client == nil, !broker.queue.isWaiting else { return }
        let security = MosquittoClient.Security(
            of: address, network.credentials, certificates: network.certificates)
        broker.client = MosquittoClient(loop: network.loop, address: address, security: security) {
            [weak self, weak broker] report in
            guard let self, let broker else { return }
            handle(report, broker, address)
        }
    }

    private func handle(_ report: MosquittoClient.Report, _ broker: Broker, _ address: MosquittoClient.Address) {
        switch report {
        case .connected:
            broker.isConnected = true
            send(to: broker, address)
        // It subscribes to nothing.
        case .received, .subscriptionRefused, .flooded: break
        case .published(let number):
            // Reset here and not on connection: a broker that accepts and then disconnects must not be retried every
            // second.
            broker.queue.restartDelays()
            broker.wasToldUnreachable = false
            if let place = broker.queue.entries.firstIndex(where: { $0.number == number }) {
                broker.queue.entries.remove(at: place)
            }
            send(to: broker, address)
        case .ended(let reason):
            broker.client = nil
            broker.isConnected = false
            for index in broker.queue.entries.indices { broker.queue.entries[index].number = nil }
            // Without messages there is no need to reconnect.
            guard let first = broker.queue.entries.first else { return }
            if !broker.wasToldUnreachable {
                broker.wasToldUnreachable = true
                network.failures.report(
                    .messageNotSent(to: Self.name(address), reason: "\(reason); touchd will retry"), of: first.handler)
            }
            broker.queue.wait { [weak self, weak broker] in
                if let self, let broker { connect(broker, address) }
            }
        }
    }

    /// Passes queued messages to libmosquitto, up to its limit.
    private func send(to broker: Broker, _ address: MosquittoClient.Address) {
        guard broker.isConnected, let client = broker.client else { return }
        var index = 0
        while index < broker.queue.entries.count, index < Self.inFlightLimit {
            let message = broker.queue.entries[index]
            if message.number != nil {
                index += 1
                continue
            }
            switch client.publish(message.payload, to: message.topic, qos: message.qos, retain: message.retain) {
            case .success(let number):
                broker.queue.entries[index].number = number
                index += 1
            case .failure(let error):
                broker.queue.entries.remove(at: index)
                network.failures.report(
                    .messageNotSent(to: Self.name(address), reason: error.reason), of: message.handler)
            }
        }
    }

    private static func name(_ address: MosquittoClient.Address) -> String { "mqtt://\(address.host):\(address.port)" }
}

extension MosquittoClient.Security {
    /// The security for a broker: its credentials, and TLS on its port.
    init(of address: MosquittoClient.Address, _ credentials: Credentials, certificates: String?) {
        let names = MQTTPublisher.credentialNames(host: address.host)
        self.init(
            username: credentials[names.username], password: credentials[names.password],
            usesTLS: address.port == MQTTPublisher.securePort || certificates != nil, certificates: certificates)
    }
}
