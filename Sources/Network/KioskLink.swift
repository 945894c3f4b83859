import ControlProtocol
import EventLoop

/// The kiosk on the connection to its broker: the state that the broker retains, and the commands of its messages.
///
/// The topics of commands are subscribed to one after another, and each is followed by a fence: `online` again, which the
/// broker confirms after it has sent what it retains for the topic. So a retained message that is too large to be read
/// is found by its topic, and costs only that command.
final class KioskLink {
    /// The most commands and refusals per second, and at once: more than touchd performs, so that it can log the rest.
    private static let rate = 20.0, burst = 100.0

    /// The topics; another discovery does not need another connection.
    var topics: KioskTopics {
        didSet { update() }
    }
    /// Publishes a retained message and returns its number; nil if the connection is gone.
    var publish: (_ payload: String, _ topic: String) -> Int32? = { _, _ in nil }
    var subscribe: (_ topic: String) -> Void = { _ in }
    var report: (NetworkReport) -> Void = { _ in }

    private let loop: EpollRunLoop
    private let answerPause: Duration
    private var answer: RunLoopTimer?
    private var state: KioskState?
    /// What the broker retains, as far as it is reached.
    private var retained: [String: String] = [:]
    /// Topics to clear with the next connection.
    private var stale: Set<String> = []
    private var isConnected = false
    /// Whether touchd runs, so that the kiosk is `online`.
    private var isPresent = true
    /// The commands whose topics are not subscribed to yet.
    private var waiting: ArraySlice<LayoutCommand.Kind> = []
    /// The command whose retained message may be arriving, and the message whose confirmation follows it.
    private var suspect: LayoutCommand.Kind?
    private var fence: Int32?
    /// The commands with a retained message that is too large.
    private var oversized: Set<LayoutCommand.Kind> = []
    private var tokens = TokenBucket(rate: rate, capacity: burst)

    /// - Parameter answerPause: The time from an `offline` that another client has published to the next `online`.
    init(_ topics: KioskTopics, loop: EpollRunLoop, answerPause: Duration) {
        self.topics = topics
        self.loop = loop
        self.answerPause = answerPause
    }

    isolated deinit { answer?.invalidate() }

    /// The topic of `online` and `offline`.
    var availability: String { "\(topics.start)/availability" }
    /// The topics of which messages may arrive.
    var subscriptions: Set<String> { Set(topics.commands.map(topic) + [availability]) }

    private func topic(of kind: LayoutCommand.Kind) -> String { "\(topics.start)/command/\(kind.rawValue)" }

    // MARK: State

    /// Replaces the state.
    func set(_ state: KioskState) {
        self.state = state
        update()
    }

    /// Publishes `online`, or `offline` because touchd has ended.
    func set(isPresent: Bool) {
        guard self.isPresent != isPresent else { return }
        self.isPresent = isPresent
        sayPresence()
    }

    /// Publishes the last message of the connection and returns its number.
    ///
    /// - Parameter clearing: Whether Home Assistant forgets the kiosk.
    func leave(clearing: Bool) -> Int32? {
        isPresent = false
        if clearing, topics.discovery != nil { topics.discovery = nil }
        return sayPresence()
    }

    @discardableResult
    private func sayPresence() -> Int32? { isConnected ? publish(isPresent ? "online" : "offline", availability) : nil }

    private func update() {
        guard let new = state?.payloads(topics) else { return }
        let old = retained
        retained = new
        stale.formUnion(old.keys)
        stale.subtract(new.keys)
        guard isConnected else { return }
        clearStale()
        for (topic, payload) in new.sorted(by: { $0.key < $1.key }) where old[topic] != payload {
            _ = publish(payload, topic)
        }
    }

    private func clearStale() {
        for topic in stale.sorted() { _ = publish("", topic) }
        stale = []
    }

    // MARK: Connection

    /// Publishes the whole state, and subscribes.
    func connected() {
        isConnected = true
        sayPresence()
        subscribe(availability)
        clearStale()
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) { _ = publish(payload, topic) }
        waiting = topics.commands.filter { !oversized.contains($0) }[...]
        subscribeNext()
    }

    private func subscribeNext() {
        suspect = waiting.popFirst()
        guard let suspect else { return }
        subscribe(topic(of: suspect))
        fence = sayPresence()
    }

    /// Notes a confirmed message.
    func published(_ number: Int32) {
        guard number == fence else { return }
        fence = nil
        subscribeNext()
    }

    /// Handles the end of a connection on which too much arrived; returns whether a retained message is the reason.
    ///
    /// The message cannot be skipped, because the library holds it in memory as a whole, and the broker sends it after
    /// each subscription.
    func flooded() -> Bool {
        defer { disconnected() }
        guard let suspect else { return false }
        oversized.insert(suspect)
        let topic = topic(of: suspect)
        report(
            .refused(
                suspect,
                reason: "the broker retains a message of over \(MosquittoClient.allowanceForMessages >> 10) KiB for "
                    + "'\(topic)', so this command is ignored; remove it with 'mosquitto_pub -r -n -t \(topic)', then "
                    + "restart touchd-network"))
        return true
    }

    /// Notes that the connection has ended.
    func ended() {
        // The message may be gone by the next connection.
        oversized = []
        disconnected()
    }

    private func disconnected() {
        isConnected = false
        (suspect, fence, waiting) = (nil, nil, [])
    }

    /// Handles a message of a subscribed topic.
    func received(_ message: BrokerMessage) {
        if message.topic == availability {
            // The will of a connection that the broker has lost comes late, such as after a power cut.
            if message.payload == Array("offline".utf8), isPresent { answerLater() }
            return
        }
        guard tokens.take(), let kind = topics.commands.first(where: { topic(of: $0) == message.topic }) else { return }
        do throws(LayoutCommand.Refusal) {
            report(.command(try LayoutCommand(kind, message)))
        } catch {
            report(.refused(kind, reason: error.reason))
        }
    }

    /// Publishes `online` after a pause: another client might publish `offline` each time.
    private func answerLater() {
        guard answer == nil else { return }
        let timer = RunLoopTimer(name: "mqtt.online", after: answerPause) { [weak self] _ in
            self?.answer = nil
            self?.sayPresence()
        }
        answer = timer
        loop.add(timer)
    }

    /// Handles a subscription that the broker does not allow.
    func subscriptionRefused() {
        guard let kind = suspect ?? topics.commands.first else { return }
        report(.refused(kind, reason: "the broker does not allow a subscription; check its access control list"))
    }
}
