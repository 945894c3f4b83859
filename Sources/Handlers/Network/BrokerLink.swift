import EventLoop

/// A lasting connection to an MQTT broker: state that the broker retains, and messages of subscribed topics.
///
/// After a connection has ended, it is opened again with growing delays, the topics are subscribed again, and the whole
/// state is sent again. The broker's last will sets the availability to `offline` when the connection is lost.
package final class BrokerLink {
    /// The broker and the topics.
    package struct Settings: Equatable {
        var address: MosquittoClient.Address
        /// The topic of `online` and `offline`.
        var availability: String
        /// The topics to subscribe to.
        var subscriptions: [String]

        /// Makes settings.
        package init(host: String, port: Int, availability: String, subscriptions: [String]) {
            address = MosquittoClient.Address(host: host, port: port)
            self.availability = availability
            self.subscriptions = subscriptions
        }
    }

    /// A change of the connection.
    package enum Change: Equatable {
        /// The broker accepted the connection.
        case connected
        /// The connection failed; reported once, until it succeeds again.
        case unreachable(String)
        /// The broker does not allow the subscriptions.
        case subscriptionRefused
        /// The broker retains a message of this topic that is too large; the topic is not subscribed to any more.
        case oversized(String)
    }

    /// The largest retained message in bytes that does not end the connection.
    package static var retainedLimit: Int { Int(MosquittoClient.allowanceForMessages) }

    /// Called for a message of a subscribed topic.
    package var didReceive: (BrokerMessage) -> Void = { _ in }
    /// Called when the connection changes.
    package var didChange: (Change) -> Void = { _ in }
    /// The broker, for log entries.
    package var name: String { "mqtt://\(settings.address.host):\(settings.address.port)" }

    private let settings: Settings
    private let loop: EpollRunLoop
    private let security: MosquittoClient.Security
    private var delays: RetryDelays
    private var client: MosquittoClient?
    private var timer: RunLoopTimer?
    private var isConnected = false
    private var isUnreachable = false
    private var state: [String: String] = [:]
    /// The topics with a retained message that is too large.
    private var oversized: Set<String> = []
    /// The topics that are still subscribed to one after another, to find one with such a message; nil otherwise.
    private var waiting: [String]?
    /// The topic whose retained message may be arriving, while one is searched.
    private var suspect: String?
    /// The message whose confirmation follows all retained messages.
    private var fence: Int32?

    /// Creates a connection; `open()` starts it.
    init(_ settings: Settings, loop: EpollRunLoop, credentials: Credentials, firstPause: Duration = .seconds(1)) {
        self.settings = settings
        self.loop = loop
        security = MosquittoClient.Security(of: settings.address, credentials, certificates: nil)
        delays = RetryDelays(first: firstPause)
    }

    isolated deinit { timer?.invalidate() }

    /// Connects, if libmosquitto can be loaded.
    package func open() {
        guard client == nil, timer == nil else { return }
        if let reason = MosquittoClient.load() { return didChange(.unreachable(reason)) }
        let subscription = MosquittoClient.Subscription(
            topics: settings.subscriptions, availability: settings.availability)
        client = MosquittoClient(
            loop: loop, address: settings.address, security: security, subscription: subscription
        ) { [weak self] report in self?.handle(report) }
    }

    /// Replaces the whole state: the payload that the broker retains for each topic. Changes are sent; a topic that is
    /// missing now is removed from the broker.
    package func set(_ new: [String: String]) {
        let old = state
        state = new
        guard isConnected else { return }
        for topic in old.keys where new[topic] == nil { send("", to: topic) }
        for (topic, payload) in new.sorted(by: { $0.key < $1.key }) where old[topic] != payload {
            send(payload, to: topic)
        }
    }

    /// Sets the availability to `offline` and closes the connection.
    package func close() {
        if isConnected { send("offline", to: settings.availability) }
        client?.close()
        client = nil
        isConnected = false
        timer?.invalidate()
        timer = nil
    }

    @discardableResult
    private func send(_ payload: String, to topic: String) -> Int32? {
        // A message that the library refuses is sent again with the next connection.
        try? client?.publish(Array(payload.utf8), to: topic, qos: 1, retain: true).get()
    }

    // MARK: Subscriptions

    /// Subscribes to all topics, or only to the next one while the topic of a retained message that is too large is
    /// searched.
    private func subscribe() {
        if waiting == nil {
            for topic in settings.subscriptions where !oversized.contains(topic) { client?.subscribe(topic) }
        } else {
            suspect = waiting?.popLast()
            if let suspect { client?.subscribe(suspect) } else { waiting = nil }
        }
        fence = send("online", to: settings.availability)
    }

    /// Ends a connection on which too much arrived; returns whether a retained message is the reason.
    ///
    /// The message cannot be skipped, because the library holds it in memory as a whole, and the broker sends it after
    /// each subscription.
    private func findOversized() -> Bool {
        guard fence != nil, !settings.subscriptions.isEmpty else { return false }
        if let suspect {
            oversized.insert(suspect)
            didChange(.oversized(suspect))
        } else if waiting != nil || oversized.count == settings.subscriptions.count {
            return false
        }
        waiting = settings.subscriptions.filter { !oversized.contains($0) }
        return true
    }

    private func handle(_ report: MosquittoClient.Report) {
        switch report {
        case .connected:
            isConnected = true
            isUnreachable = false
            if waiting == nil { didChange(.connected) }
            subscribe()
            for (topic, payload) in state.sorted(by: { $0.key < $1.key }) { send(payload, to: topic) }
        // A broker that accepts and then disconnects must not be retried every second.
        case .published(let message):
            delays.restart()
            guard message == fence else { return }
            fence = nil
            guard waiting != nil else { return }
            subscribe()
            if waiting == nil { didChange(.connected) }
        case .received(let message): didReceive(message)
        case .subscriptionRefused: didChange(.subscriptionRefused)
        case .flooded(let reason):
            ended(findOversized() ? nil : reason)
        case .ended(let reason):
            // The message may be gone by the next connection.
            oversized = []
            waiting = nil
            ended(reason)
        }
    }

    /// Connects again later.
    ///
    /// - Parameter reason: The failure to report; nil for none.
    private func ended(_ reason: String?) {
        client = nil
        isConnected = false
        (suspect, fence) = (nil, nil)
        if let reason, !isUnreachable {
            isUnreachable = true
            didChange(.unreachable(reason))
        }
        let timer = RunLoopTimer(name: "mqtt.retry", after: delays.next()) { [weak self] _ in
            self?.timer = nil
            self?.open()
        }
        self.timer = timer
        loop.add(timer)
    }
}
