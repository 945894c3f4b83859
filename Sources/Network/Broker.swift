import ControlProtocol
import EventLoop

/// A broker of the layout: one lasting connection for the messages of handlers and for the kiosk's state and commands.
///
/// After a connection has ended, another one is opened with growing delays. Unconfirmed messages are sent again, in
/// order. The delays restart only after a confirmation: a broker that accepts and then disconnects must not be tried
/// every second.
final class Broker {
    /// A connection that lasted longer was not a failed attempt.
    private static let steadyTime = Duration.seconds(60)

    let name: String
    private let context: NetworkContext
    private var setup = NetworkBroker()
    private var queue = MessageQueue<Delivery>()
    private var kiosk: KioskLink?
    private var target: BrokerClient.Target?
    private var client: BrokerClient?
    private var connectedAt: Deadline?
    /// Whether the kiosk uses this connection already.
    private var isKioskStarted = false
    private var delays: RetryDelays
    private var timer: RunLoopTimer?
    /// The end of the time for the messages of a broker that the layout does not have any more.
    private var retirementTimer: RunLoopTimer?
    /// The last message before the connection is closed.
    private var farewell: Int32?
    /// Whether it closes when it is empty, and whether Home Assistant then forgets the kiosk.
    private var retirement: (isClearing: Bool, isNow: Bool)?

    init(_ name: String, _ context: NetworkContext) {
        self.name = name
        self.context = context
        delays = RetryDelays(first: context.settings.firstPause)
    }

    isolated deinit {
        timer?.invalidate()
        retirementTimer?.invalidate()
        client?.close()
    }

    /// Whether no message waits or is in flight.
    var isEmpty: Bool { queue.isEmpty }
    /// The messages without an outcome.
    var messages: [Delivery] { Array(queue.messages) }
    /// Whether it has retired, and has no connection any more.
    var isClosed: Bool { retirement != nil && client == nil && timer == nil }

    // MARK: Setup

    /// Follows a setup. The connection stays if nothing changed that needs another one.
    func apply(_ new: NetworkBroker) {
        retirement = nil
        retirementTimer?.invalidate()
        retirementTimer = nil
        let old = setup
        setup = new
        if kiosk?.topics.start != new.kiosk?.start, kiosk != nil {
            // The old topics get their last messages over the old connection.
            if client != nil { farewell = kiosk?.leave(clearing: true) ?? farewell }
            kiosk = nil
        }
        if let topics = new.kiosk {
            if let kiosk { if kiosk.topics != topics { kiosk.topics = topics } } else { kiosk = newKiosk(topics) }
            kiosk?.set(isPresent: true)
        }
        guard client != nil else { return connect() }
        if farewell == nil, old != new, target?.sharesConnection(with: newTarget()) == false { reopen() }
    }

    private func newKiosk(_ topics: KioskTopics) -> KioskLink {
        let kiosk = KioskLink(topics, loop: context.loop, answerPause: context.settings.firstPause)
        kiosk.publish = { [weak self] payload, topic in
            guard case .sent(let number) = self?.client?.publish(Array(payload.utf8), topic, 1, true) else {
                return nil
            }
            return number
        }
        kiosk.subscribe = { [weak self] in self?.client?.subscribe($0) }
        kiosk.report = { [weak self] in self?.context.report($0) }
        return kiosk
    }

    /// Follows touchd's state.
    func set(_ state: KioskState) { kiosk?.set(state) }

    /// Publishes `offline`, because touchd has ended, and keeps the connection.
    func sayOffline() { kiosk?.set(isPresent: false) }

    /// Closes the connection after the last message.
    ///
    /// - Parameters:
    ///   - clearing: Whether Home Assistant forgets the kiosk.
    ///   - now: Whether the messages that wait stay here.
    func retire(clearing: Bool, now: Bool = false) {
        retirement = (clearing, now)
        settle()
        guard !now, !isClosed, retirementTimer == nil else { return }
        let timer = RunLoopTimer(name: "mqtt.retire", after: context.settings.drainTime) { [weak self] _ in
            guard let self, retirement != nil else { return }
            retirementTimer = nil
            for delivery in messages { delivery.fail("the layout does not have this broker any more") }
            queue = MessageQueue()
            retire(clearing: clearing, now: true)
        }
        retirementTimer = timer
        context.loop.add(timer)
    }

    private func settle() {
        guard let retirement, retirement.isNow || queue.isEmpty, farewell == nil else { return }
        if connectedAt != nil { farewell = kiosk?.leave(clearing: retirement.isClearing) }
        if farewell == nil { reopen() }
    }

    /// Closes the connection, and opens another one unless the broker has retired.
    private func reopen() {
        client?.close()
        disconnected()
        kiosk?.ended()
        timer?.invalidate()
        timer = nil
        giveUp(queue.connectionEnded(byBroker: false))
        if retirement == nil { connect() } else { context.didSettle() }
    }

    // MARK: Messages

    /// Adds a message.
    func append(_ delivery: Delivery) {
        let topic = delivery.message.mqtt?.topic ?? ""
        // The library takes texts that end with a NUL.
        guard (1..<65536).contains(topic.utf8.count), !topic.utf8.contains(0) else {
            return delivery.fail("the topic must be 1 to 65535 bytes long, without NUL (got \(topic.utf8.count))")
        }
        queue.append(delivery, isOnce: delivery.message.mqtt?.qos == 0)
        if client == nil { connect() } else { pump() }
    }

    /// Hands waiting messages to the library.
    func pump() {
        guard connectedAt != nil, farewell == nil else { return }
        while let client, let next = queue.next, let mqtt = next.message.mqtt {
            // Continued when touchd has read.
            if mqtt.qos == 0, !next.session.begin(next.message.number) { break }
            switch client.publish(next.message.body, mqtt.topic, mqtt.qos, mqtt.retain) {
            case .sent(let number): queue.sent(as: number)
            case .invalid(let reason):
                queue.dropNext()
                next.fail(reason)
                context.didSettle()
            case .disconnected(let reason):
                client.close()
                return ended(reason, byBroker: true)
            }
        }
        // A message that is sent alone goes first, so that the kiosk's messages are not the reason for what follows.
        if !isKioskStarted, queue.isEmpty || !queue.isAlone {
            isKioskStarted = true
            kiosk?.connected()
        }
    }

    private func giveUp(_ deliveries: [(Delivery, MessageQueue<Delivery>.Failure)]) {
        for (delivery, failure) in deliveries {
            switch failure {
            case .perhapsLost: delivery.fail("it may have been lost, because the connection ended")
            case .refused: delivery.fail("the broker ended the connection three times after this message")
            }
        }
    }

    // MARK: Connection

    private func newTarget() -> BrokerClient.Target {
        BrokerClient.Target(
            host: setup.host, port: setup.port, clientID: setup.clientID, availability: kiosk?.availability,
            topics: kiosk?.subscriptions ?? [], username: context.credentials["mqtt.\(setup.host).username"],
            password: context.credentials["mqtt.\(setup.host).password"],
            usesTLS: setup.port == MosquittoClient.securePort || context.settings.certificates != nil,
            certificates: context.settings.certificates)
    }

    private func connect() {
        guard client == nil, timer == nil else { return }
        if let reason = context.loadBrokerLibrary() {
            for delivery in queue.messages { delivery.fail(reason) }
            queue = MessageQueue()
            return
        }
        context.peer(name, .connecting)
        let target = newTarget()
        self.target = target
        client = context.connect(target) { [weak self] in self?.handle($0) }
    }

    private func handle(_ report: BrokerClient.Report) {
        switch report {
        case .connected:
            connectedAt = .now
            context.peer(name, .connected)
            pump()
        case .published(let number): published(number)
        case .received(let message): kiosk?.received(message)
        case .subscriptionRefused: kiosk?.subscriptionRefused()
        case .flooded(let reason):
            let isExplained = kiosk?.flooded() == true
            ended(isExplained ? nil : reason, byBroker: false)
        case .ended(let reason, let byBroker): ended(reason, byBroker: byBroker)
        }
    }

    private func published(_ number: Int32) {
        let delivery = queue.confirm(number)
        // A message of quality of service 0 is only sent, not confirmed.
        if delivery?.message.mqtt?.qos != 0 { delays.restart() }
        if let delivery { delivery.session.done(delivery.message) }
        if number == farewell { return reopen() }
        kiosk?.published(number)
        pump()
        settle()
        if delivery != nil { context.didSettle() }
    }

    private func disconnected() {
        client = nil
        isKioskStarted = false
        farewell = nil
        if let connectedAt, Deadline.now - connectedAt > Self.steadyTime { delays.restart() }
        connectedAt = nil
    }

    /// Connects again later.
    ///
    /// - Parameter reason: The failure to report; nil for none.
    private func ended(_ reason: String?, byBroker: Bool) {
        disconnected()
        if reason != nil { kiosk?.ended() }
        giveUp(queue.connectionEnded(byBroker: byBroker))
        if let reason { context.peer(name, .waiting, error: reason) }
        if let retirement, retirement.isNow || queue.isEmpty { return context.didSettle() }
        let timer = RunLoopTimer(name: "mqtt.retry", after: delays.next()) { [weak self] _ in
            self?.timer = nil
            self?.connect()
        }
        self.timer = timer
        context.loop.add(timer)
        context.didSettle()
    }
}

/// One attempt to have a connection to a broker, as the helper uses it: `MosquittoClient`, or a model in a test.
struct BrokerClient {
    /// The values that a connection needs.
    nonisolated struct Target: Equatable {
        var host = "", port = 0
        /// The client identifier; empty to let the broker choose one.
        var clientID = ""
        /// The topic that the broker sets to `offline` when the connection is lost; nil for none.
        var availability: String?
        /// The topics of which messages may arrive.
        var topics: Set<String> = []
        var username: String?, password: String?
        var usesTLS = false
        /// A file of certificates to trust instead of the system's; for tests only.
        var certificates: String?

        /// Whether two targets share a connection: credentials are only for the next one.
        func sharesConnection(with other: Target) -> Bool {
            clientID == other.clientID && availability == other.availability && topics == other.topics
        }
    }

    /// The result of handing a message over.
    nonisolated enum Handover: Equatable {
        /// `.published` will report this number.
        case sent(Int32)
        /// The message itself is invalid; with the reason.
        case invalid(String)
        /// The connection is gone, and the message with none of its last bytes sent; with the reason.
        case disconnected(String)
    }

    /// A report of a connection; nothing follows `.ended` and `.flooded`.
    nonisolated enum Report: Equatable {
        /// The broker accepted the client.
        case connected
        /// A message was confirmed as its quality of service requires.
        case published(Int32)
        /// A message of a subscribed topic arrived.
        case received(BrokerMessage)
        /// The broker does not allow a subscription.
        case subscriptionRefused
        /// The connection was ended because too much arrived; with the reason.
        case flooded(String)
        /// The connection ended or failed; with the reason, and whether a message may be the broker's reason.
        case ended(String, byBroker: Bool)
    }

    /// Starts to connect; reports come later, and none after `close`.
    typealias Connect = (Target, @escaping (Report) -> Void) -> BrokerClient

    /// Hands a message over: payload, topic, quality of service, whether it is retained.
    var publish: ([UInt8], String, Int, Bool) -> Handover
    /// Subscribes to one of the target's topics.
    var subscribe: (String) -> Void
    /// Closes the connection without a report.
    var close: () -> Void
}

/// A message of a subscribed topic.
nonisolated struct BrokerMessage: Equatable, Sendable {
    /// The largest payload that is kept.
    static let payloadLimit = 1024

    var topic = ""
    /// The payload; nil if it is larger than the limit.
    var payload: [UInt8]?
    /// Whether the broker had kept the message from before the subscription.
    var isRetained = false
}
