import Basics
import ControlProtocol
import EventLoop

/// A broker of the layout: one lasting connection for the messages of handlers and for the kiosk's state and commands.
///
/// After a connection has ended, another one is opened with growing delays. Unconfirmed messages are sent again, in
/// order. The delays restart only after a confirmation: a broker that accepts and then disconnects must not be tried
/// every second.
final class Broker {
    let name: String
    private let context: SenderContext
    private var setup = BrokerSetup()
    private var kiosk: KioskLink?
    private var target: BrokerClient.Target?
    private var client: BrokerClient?
    private var connectedAt: Deadline?
    private var delays: RetryDelays
    private var retryTimer: RunLoopTimer?
    /// The end of the time for the messages of a broker that the layout does not have any more.
    private var retirementTimer: RunLoopTimer?
    /// The last message before the connection is closed.
    private var farewell: Int32?
    /// Whether it closes when it is empty, and whether Home Assistant then forgets the kiosk.
    private var retirement: (isClearing: Bool, isNow: Bool)?

    init(_ name: String, _ context: SenderContext) {
        self.name = name
        self.context = context
        delays = RetryDelays(first: context.settings.firstPause)
    }

    isolated deinit {
        retryTimer?.invalidate()
        retirementTimer?.invalidate()
        client?.close()
    }

    private var queue: MessageQueue<Delivery> {
        get { context.deliveries[name] }
        _modify { yield &context.deliveries[name] }
    }
    /// Whether it has retired, and has no connection any more.
    var isClosed: Bool { retirement != nil && client == nil && !isWaiting }
    /// Whether it connects again later.
    private var isWaiting: Bool { retryTimer?.isArmed == true }

    // MARK: Setup

    /// Follows a setup. The connection stays if nothing changed that needs another one.
    func apply(_ new: BrokerSetup) {
        retirement = nil
        retirementTimer?.invalidate()
        let old = setup
        setup = new
        let former = kiosk
        if former?.topics.start != new.kiosk?.start, let former {
            // The old topics get their last messages over the old connection, or else over the next one.
            farewell = former.leave(clearing: true) ?? farewell
            kiosk = nil
        }
        if let topics = new.kiosk {
            let link = kiosk ?? KioskLink(topics, after: former, context)
            if link.topics != topics { link.topics = topics }
            link.set(isPresent: true)
            kiosk = link
        }
        guard client != nil else { return connect() }
        if farewell == nil, old != new, target?.sharesConnection(with: newTarget()) == false { reopen() }
    }

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
        guard !now, !isClosed, retirementTimer?.isArmed != true else { return }
        retirementTimer = context.loop.add(
            RunLoopTimer(name: "mqtt.retire", after: context.settings.drainTime) { [weak self] _ in
                self?.failAll("the layout does not have this broker any more")
                self?.retire(clearing: clearing, now: true)
            })
    }

    private func settle() {
        guard let retirement, retirement.isNow || queue.isEmpty, farewell == nil else { return }
        if connectedAt != nil { farewell = kiosk?.leave(clearing: retirement.isClearing) }
        if farewell == nil { reopen() }
    }

    /// Closes the connection, and opens another one unless the broker has retired.
    private func reopen() {
        client?.close()
        disconnected(byBroker: false)
        kiosk?.ended()
        retryTimer?.invalidate()
        if retirement == nil { connect() } else { context.didSettle() }
    }

    // MARK: Messages

    func append(_ delivery: Delivery) {
        let topic = delivery.message.mqtt?.topic ?? ""
        // The library takes texts that end with a NUL.
        guard (1..<65536).contains(topic.utf8.count), !topic.utf8.contains(0) else {
            return delivery.fail("the topic must be 1 to 65535 bytes long, without NUL (got \(topic.utf8.count))")
        }
        queue.append(delivery, isOnce: delivery.isOnce)
        if client == nil { connect() } else { pump() }
    }

    /// Hands waiting messages to the library.
    func pump() {
        guard connectedAt != nil, farewell == nil else { return }
        while let client, let next = queue.next, let mqtt = next.message.mqtt {
            // Continued when touchd has read.
            if next.isOnce, !next.begin() { break }
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
        if let client, queue.isEmpty || !queue.isAlone { kiosk?.connected(client) }
    }

    func failAll(_ reason: String) {
        for delivery in queue.messages { delivery.fail(reason) }
        queue = MessageQueue()
    }

    // MARK: Connection

    private func newTarget() -> BrokerClient.Target {
        BrokerClient.Target(
            host: setup.host, port: setup.port, clientID: setup.clientID, willTopic: kiosk?.availability,
            topics: kiosk?.subscriptions ?? [], username: context.credentials["mqtt.\(setup.host).username"],
            password: context.credentials["mqtt.\(setup.host).password"],
            usesTLS: setup.port == MosquittoClient.securePort || context.settings.certificates != nil,
            certificates: context.settings.certificates)
    }

    private func connect() {
        guard client == nil, !isWaiting else { return }
        if let reason = context.loadBrokerLibrary() { return failAll(reason) }
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
        delivery?.done()
        if number == farewell {
            kiosk?.didLeave()
            return reopen()
        }
        kiosk?.published(number)
        pump()
        settle()
        if delivery != nil { context.didSettle() }
    }

    private func disconnected(byBroker: Bool) {
        client = nil
        farewell = nil
        delays.connectionEnded(after: connectedAt.map { .now - $0 })
        connectedAt = nil
        for (delivery, failure) in queue.connectionEnded(byBroker: byBroker) {
            switch failure {
            case .perhapsLost: delivery.fail("it may have been lost, because the connection ended")
            case .refused: delivery.fail("the broker ended the connection three times after this message")
            }
        }
    }

    /// Connects again later.
    ///
    /// - Parameter reason: The failure to report; nil for none.
    private func ended(_ reason: String?, byBroker: Bool) {
        disconnected(byBroker: byBroker)
        if let reason {
            kiosk?.ended()
            context.peer(name, .waiting, error: reason)
        }
        if let retirement, retirement.isNow || queue.isEmpty { return context.didSettle() }
        retryTimer = context.loop.add(
            RunLoopTimer(name: "mqtt.retry", after: delays.next()) { [weak self] _ in self?.connect() })
        context.didSettle()
    }
}
