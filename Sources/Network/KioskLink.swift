import Basics
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
    /// How many messages of the state the broker may leave unconfirmed; what changes meanwhile is sent later.
    private static let inFlightLimit = 16

    /// The topics; another discovery does not need another connection.
    var topics: KioskTopics {
        didSet { update() }
    }

    private let context: SenderContext
    /// The connection, while there is one.
    private var client: BrokerClient?
    private var answer: RunLoopTimer?
    private var state: KioskState?
    /// The payloads that the broker is to retain.
    private var retained: [String: String] = [:]
    /// The last payloads of topics that the kiosk no longer has, until the broker has confirmed them.
    private var parting: [String: String] = [:]
    /// What was published on this connection, and the topics of the messages that are not confirmed.
    private var sent: [String: String] = [:], unconfirmed: [Int32: String] = [:]
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

    /// - Parameter former: The kiosk under other topics, which has left: the broker gets its last payloads, too.
    init(_ topics: KioskTopics, after former: KioskLink? = nil, _ context: SenderContext) {
        self.topics = topics
        self.context = context
        guard let former else { return }
        parting = former.parting
        parting[former.availability] = "offline"
        parting[availability] = nil
    }

    isolated deinit { answer?.invalidate() }

    /// The topic of `online` and `offline`.
    var availability: String { "\(topics.start)/availability" }
    /// The topics of which messages may arrive.
    var subscriptions: Set<String> { Set(topics.commands.map(topic) + [availability]) }

    private func topic(of kind: LayoutCommand.Kind) -> String { "\(topics.start)/command/\(kind.rawValue)" }

    // MARK: State

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
        if clearing { topics.discovery = nil }
        publishChanges(limit: .max)
        return sayPresence()
    }

    /// Notes that the last message of the connection has arrived, and so all before it.
    func didLeave() { parting = [:] }

    @discardableResult
    private func sayPresence() -> Int32? { publish(isPresent ? "online" : "offline", availability) }

    /// Publishes a retained message and returns its number; nil without a connection.
    private func publish(_ payload: String, _ topic: String) -> Int32? {
        guard case .sent(let number) = client?.publish(Array(payload.utf8), topic, 1, true) else { return nil }
        return number
    }

    private func update() {
        guard let new = state?.payloads(topics) else { return }
        for topic in retained.keys where new[topic] == nil { parting[topic] = "" }
        for topic in new.keys { parting[topic] = nil }
        retained = new
        publishChanges()
    }

    /// Publishes what the broker does not have yet.
    private func publishChanges(limit: Int = inFlightLimit) {
        for payloads in [parting, retained] {
            for (topic, payload) in payloads.sorted(by: { $0.key < $1.key }) where sent[topic] != payload {
                guard unconfirmed.count < limit, let number = publish(payload, topic) else { return }
                sent[topic] = payload
                unconfirmed[number] = topic
            }
        }
    }

    private func confirmed(_ topic: String) {
        if parting[topic] == sent[topic], !unconfirmed.values.contains(topic) { parting[topic] = nil }
        publishChanges()
    }

    // MARK: Connection

    /// Publishes the whole state on a new connection, and subscribes.
    func connected(_ client: BrokerClient) {
        guard self.client == nil else { return }
        self.client = client
        sayPresence()
        client.subscribe(availability)
        publishChanges()
        waiting = topics.commands.filter { !oversized.contains($0) }[...]
        subscribeNext()
    }

    private func subscribeNext() {
        suspect = waiting.popFirst()
        guard let suspect else { return }
        client?.subscribe(topic(of: suspect))
        fence = sayPresence()
    }

    func published(_ number: Int32) {
        if let topic = unconfirmed.removeValue(forKey: number) { confirmed(topic) }
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
        context.report(
            .refused(
                suspect,
                reason: "the broker retains a message of over \(ByteAllowance.forMessages >> 10) KiB for "
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
        client = nil
        (suspect, fence, waiting) = (nil, nil, [])
        (sent, unconfirmed) = ([:], [:])
    }

    func received(_ message: BrokerMessage) {
        if message.topic == availability {
            // The will of a connection that the broker has lost comes late, such as after a power cut.
            if message.payload == Array("offline".utf8), isPresent { answerLater() }
            return
        }
        guard tokens.take(), let kind = topics.commands.first(where: { topic(of: $0) == message.topic }) else { return }
        do throws(LayoutCommand.Refusal) {
            context.report(.command(try LayoutCommand(kind, message)))
        } catch {
            context.report(.refused(kind, reason: error.reason))
        }
    }

    /// Publishes `online` after a pause: another client might publish `offline` each time.
    private func answerLater() {
        guard answer?.isArmed != true else { return }
        let timer = RunLoopTimer(name: "mqtt.online", after: context.settings.firstPause) { [weak self] _ in
            self?.sayPresence()
        }
        answer = context.loop.add(timer)
    }

    /// Handles a subscription that the broker does not allow.
    func subscriptionRefused() {
        guard let kind = suspect ?? topics.commands.first else { return }
        let reason = "the broker does not allow a subscription; check its access control list"
        context.report(.refused(kind, reason: reason))
    }
}

nonisolated extension KioskState {
    /// The payload of each topic that the broker retains.
    func payloads(_ topics: KioskTopics) -> [String: String] {
        let start = topics.start
        var payloads = [
            "\(start)/page": pages.joined(separator: ", "), "\(start)/version": StatusReport.currentVersion,
            "\(start)/devices": devices.map { ["name": $0.name, "use": $0.use.rawValue] }.jsonText(),
            "\(start)/network": network.jsonText(),
        ]
        if let isIdle { payloads["\(start)/idle"] = "\(isIdle)" }
        if let lastTouch { payloads["\(start)/last-touch"] = lastTouch }
        if let prefix = topics.discovery {
            payloads.merge(discovery(topics, prefix: prefix)) { first, _ in first }
        }
        return payloads
    }

    /// The configuration of Home Assistant's entities (home-assistant.io, MQTT discovery).
    private func discovery(_ topics: KioskTopics, prefix: String) -> [String: String] {
        let (start, node) = (topics.start, topics.nodeID)
        var payloads: [String: String] = [:]
        func add(_ component: String, _ object: String, _ name: String, _ values: [(String, String)]) {
            let config = JSONWriter.object { config in
                config.member("name", name)
                config.member("unique_id", "\(node)_\(object)")
                config.member("availability_topic", "\(start)/availability")
                for (name, value) in values {
                    config.name(name)
                    config.write(value)
                }
                config.member("options", component == "select" ? choices : nil)
                config.name("device")
                config.beginObject()
                config.member("identifiers", [node])
                config.member("name", start)
                config.member("manufacturer", "touchd")
                config.member("sw_version", StatusReport.currentVersion)
                config.end()
            }
            payloads["\(prefix)/\(component)/\(node)/\(object)/config"] = String(decoding: config, as: UTF8.self)
        }
        if topics.commands.contains(.go), choices.count > 1 {
            add("select", "page", "Page", [("state_topic", "\(start)/page"), ("command_topic", "\(start)/command/go")])
        } else {
            add("sensor", "page", "Page", [("state_topic", "\(start)/page")])
        }
        add(
            "sensor", "last_touch", "Last touch",
            [("state_topic", "\(start)/last-touch"), ("device_class", "timestamp")])
        add("sensor", "version", "Version", [("state_topic", "\(start)/version"), ("entity_category", "diagnostic")])
        add(
            "sensor", "dropped", "Dropped messages",
            [
                ("state_topic", "\(start)/network"), ("entity_category", "diagnostic"),
                ("value_template", "{{ value_json | sum(attribute='dropped') }}"),
            ])
        if isIdle != nil {
            add(
                "binary_sensor", "idle", "Idle",
                [("state_topic", "\(start)/idle"), ("payload_on", "true"), ("payload_off", "false")])
        }
        if topics.commands.contains(.reload) {
            add("button", "reload", "Reload", [("command_topic", "\(start)/command/reload")])
        }
        if topics.commands.contains(.ignore) {
            add(
                "button", "ignore", "Ignore touches for a minute",
                [("command_topic", "\(start)/command/ignore"), ("payload_press", "60")])
        }
        return payloads
    }
}

nonisolated extension KioskTopics {
    /// The name of the kiosk in Home Assistant's topics and ids, which allow only letters, digits, `-` and `_`.
    ///
    /// No two kiosks share it: where another character than the `/` between levels is replaced, a hash of the whole
    /// follows.
    var nodeID: String {
        var node = "", isExact = true
        for scalar in start.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": node.unicodeScalars.append(scalar)
            case "/": node += "_"
            default:
                node += "_"
                isExact = false
            }
        }
        return isExact ? node : "\(node)_\(hash)"
    }

    /// FNV-1a of 32 bits, as 8 hexadecimal digits.
    private var hash: String {
        let digits = String(start.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

nonisolated extension LayoutCommand {
    /// Why a message gives no command.
    struct Refusal: Error { let reason: String }

    /// The command that a message gives: its payload is the page, the view, the time, or on or off.
    init(_ kind: Kind, _ message: BrokerMessage) throws(Refusal) {
        guard !message.isRetained else {
            throw Refusal(reason: "the message was retained, so it may be old; publish commands without 'retain'")
        }
        guard let payload = message.payload else {
            throw Refusal(reason: "the payload must be at most \(BrokerMessage.payloadLimit) bytes long")
        }
        guard let text = String(validating: payload, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Refusal(reason: "the payload must be UTF-8 without control characters") }
        switch kind.operand {
        case .page, .view, .text, .language, .on:
            guard let command = LayoutCommand(kind, name: text) else {
                throw Refusal(reason: "the payload must be on or off (got '\(text.prefix(40))')")
            }
            self = command
        case .seconds:
            guard let time = Duration(timeText: text), time / .seconds(1) <= ControlRequest.longestIgnoring else {
                throw Refusal(
                    reason:
                        "the payload must be a time of at most 1 d, such as 30, 10 min or 0 (got '\(text.prefix(40))')")
            }
            self = .ignore(seconds: time / .seconds(1))
        case nil: self = .reload
        }
    }
}
