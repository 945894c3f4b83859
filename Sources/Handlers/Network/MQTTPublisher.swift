import DequeModule
import EventLoop
import Foundation

/// Publishes to MQTT brokers over one connection per broker, opened for the first message and then kept.
///
/// Messages to a broker are sent in the order of their occasions. While the broker is unreachable, messages wait and
/// the connection is retried with growing delays; when the queue is full, the oldest messages are kept. A message that
/// was not confirmed when a connection ended is sent again over the next one, so a message of quality of service 1 or 2
/// arrives at least once.
final class MQTTPublisher {
    /// The maximum number of messages that wait for one broker, and the maximum size of a message in bytes.
    static let queueLimit = 256, messageLimit = 64 * 1024
    /// The maximum number of messages that libmosquitto holds. The rest wait here if the broker does not read.
    static let inFlightLimit = 16
    /// The IANA port for MQTT over TLS.
    static let securePort = 8883

    /// A message that waits or is being sent.
    struct Message {
        let handler: String
        let topic: String
        let payload: [UInt8]
        let qos: Int
        let retain: Bool
        /// The message number of libmosquitto; nil while the message waits here.
        var number: Int32?
    }

    private final class Broker {
        var messages: Deque<Message> = []
        var client: MosquittoClient?
        var isConnected = false
        var delays: RetryDelays
        var timer: RunLoopTimer?
        var wasToldUnreachable = false

        init(delays: RetryDelays) { self.delays = delays }
    }

    private let loop: EpollRunLoop
    private let failures: LateFailures
    private let credentials: Credentials
    /// The delays between connection attempts.
    private let delays: RetryDelays
    private let certificates: String?
    private var brokers: [MosquittoClient.Address: Broker] = [:]

    init(
        loop: EpollRunLoop, failures: LateFailures, credentials: Credentials, firstPause: Duration = .seconds(1),
        certificates: String? = nil
    ) {
        self.loop = loop
        self.failures = failures
        self.credentials = credentials
        delays = RetryDelays(first: firstPause)
        self.certificates = certificates
    }

    /// The number of messages that wait or are not confirmed yet.
    var count: Int { brokers.values.reduce(0) { $0 + $1.messages.count } }

    /// The names of the credentials with a broker's user name and password.
    static func credentialNames(host: String) -> (username: String, password: String) {
        ("mqtt.\(host).username", "mqtt.\(host).password")
    }

    /// Queues a message for its broker.
    func publish(_ message: Message, to address: MosquittoClient.Address) throws(HandlerFailure) {
        let name = Self.name(address)
        if let reason = MosquittoClient.load() { throw .messageNotSent(to: name, reason: reason) }
        guard !message.topic.isEmpty, message.topic.utf8.count < 65536 else {
            throw .messageNotSent(to: name, reason: "a topic of \(message.topic.utf8.count) bytes is none")
        }
        guard message.payload.count <= Self.messageLimit else {
            throw .messageNotSent(to: name, reason: "\(message.payload.count) bytes are more than \(Self.messageLimit)")
        }
        let broker = brokers[address] ?? Broker(delays: delays)
        brokers[address] = broker
        guard broker.messages.count < Self.queueLimit else {
            throw .messageNotSent(to: name, reason: "\(broker.messages.count) messages wait already")
        }
        broker.messages.append(message)
        if broker.isConnected { send(to: broker, address) } else { connect(broker, address) }
    }

    /// Drops all unconfirmed messages, closes the connections, and returns the number of dropped messages.
    func close() -> Int {
        let count = count
        for broker in brokers.values {
            broker.timer?.invalidate()
            broker.client?.close()
        }
        brokers = [:]
        return count
    }

    private func connect(_ broker: Broker, _ address: MosquittoClient.Address) {
        guard broker.client == nil, broker.timer == nil else { return }
        let names = Self.credentialNames(host: address.host)
        let security = MosquittoClient.Security(
            username: credentials[names.username], password: credentials[names.password],
            usesTLS: address.port == Self.securePort || certificates != nil, certificates: certificates)
        broker.client = MosquittoClient(loop: loop, address: address, security: security) {
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
        case .published(let number):
            // Reset here and not on connection: a broker that accepts and then disconnects must not be retried every
            // second.
            broker.delays.restart()
            broker.wasToldUnreachable = false
            if let place = broker.messages.firstIndex(where: { $0.number == number }) {
                broker.messages.remove(at: place)
            }
            send(to: broker, address)
        case .ended(let reason):
            broker.client = nil
            broker.isConnected = false
            for index in broker.messages.indices { broker.messages[index].number = nil }
            // Without messages there is no need to reconnect.
            guard let first = broker.messages.first else { return }
            if !broker.wasToldUnreachable {
                broker.wasToldUnreachable = true
                failures.report(
                    .messageNotSent(to: Self.name(address), reason: "\(reason); it is tried again"), of: first.handler)
            }
            wait(broker, address)
        }
    }

    private func wait(_ broker: Broker, _ address: MosquittoClient.Address) {
        let timer = RunLoopTimer(name: "mqtt.retry", after: broker.delays.next()) { [weak self, weak broker] _ in
            guard let self, let broker else { return }
            broker.timer = nil
            connect(broker, address)
        }
        broker.timer = timer
        loop.add(timer)
    }

    /// Passes queued messages to libmosquitto, up to its limit.
    private func send(to broker: Broker, _ address: MosquittoClient.Address) {
        guard broker.isConnected, let client = broker.client else { return }
        var index = 0
        while index < broker.messages.count, index < Self.inFlightLimit {
            let message = broker.messages[index]
            if message.number != nil {
                index += 1
                continue
            }
            switch client.publish(message.payload, to: message.topic, qos: message.qos, retain: message.retain) {
            case .success(let number):
                broker.messages[index].number = number
                index += 1
            case .failure(let error):
                broker.messages.remove(at: index)
                failures.report(.messageNotSent(to: Self.name(address), reason: error.reason), of: message.handler)
            }
        }
    }

    private static func name(_ address: MosquittoClient.Address) -> String { "mqtt://\(address.host):\(address.port)" }
}
