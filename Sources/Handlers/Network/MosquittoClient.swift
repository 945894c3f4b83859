import CLibmosquitto
import Dispatch
import EventLoop

/// One connection to an MQTT broker: a `struct mosquitto` on a run loop.
///
/// libmosquitto blocks while it resolves the name in its connect call, so that call runs on another thread. Before and
/// after it, everything happens on the loop.
final class MosquittoClient {
    /// A report from the library.
    nonisolated enum Report: Equatable {
        /// The broker accepted the client.
        case connected
        /// A message was confirmed as its quality of service requires.
        case published(Int32)
        /// A message of a subscribed topic arrived.
        case received(BrokerMessage)
        /// The broker does not allow a subscription.
        case subscriptionRefused
        /// The connection was ended because too much arrived at once; with the reason. Only for a client with topics.
        case flooded(String)
        /// The connection ended or failed; with the reason.
        case ended(String)
    }

    /// The broker's address.
    struct Address: Hashable {
        var host: String
        var port: Int
    }

    /// The client's credentials and the certificates it trusts.
    struct Security {
        var username: String?
        var password: String?
        var usesTLS = false
        /// A file of certificates to trust instead of the system's; for tests only.
        var certificates: String?
    }

    /// The topics of a client that receives messages, and its last will.
    struct Subscription {
        /// The topics, without wildcards.
        var topics: [String]
        /// The topic that the broker sets to `offline` when the connection is lost.
        var availability: String
    }

    /// The reports of the library's callbacks, delivered after the call that made them has returned.
    private nonisolated final class PendingReports {
        var reports: [Report] = []
        /// The topics that the client subscribes to.
        let topics: Set<String>

        init(topics: [String]) { self.topics = Set(topics) }

        static func post(_ message: mosquitto_message, _ user: UnsafeMutableRawPointer?) {
            guard let user else { return }
            let reports = Unmanaged<PendingReports>.fromOpaque(user).takeUnretainedValue()
            let topic = message.topic.map { String(cString: $0) } ?? ""
            guard reports.topics.contains(topic) else { return post(.ended(unsolicited), user) }
            let length = Int(message.payloadlen)
            // The connection ends because of its size, as soon as more arrives.
            if message.retain, length > MosquittoClient.allowanceForMessages { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: length)
            let isKept = length <= BrokerMessage.payloadLimit
            post(
                .received(
                    BrokerMessage(topic: topic, payload: isKept ? Array(payload) : nil, isRetained: message.retain)),
                user)
        }

        static func post(_ report: Report, _ user: UnsafeMutableRawPointer?) {
            guard let user else { return }
            Unmanaged<PendingReports>.fromOpaque(user).takeUnretainedValue().reports.append(report)
        }
    }

    /// The seconds of silence after which the library sends a ping to the broker.
    private nonisolated static let keepAlive: Int32 = 120
    /// How often the library may check the keep-alive; the broker allows 1.5 times the keep-alive.
    private static let tick = Duration.seconds(30)

    /// The maximum number of bytes from a broker apart from confirmations: CONNACK is 4 bytes long, and a TLS handshake
    /// with certificates about 5,000.
    static let allowance: UInt64 = 64 * 1024
    /// The maximum number of bytes from a broker per message or ping: two confirmations of 4 bytes (MQTT 3.1.1, 3.4 to
    /// 3.7), each in its own TLS record.
    static let allowancePerMessage: UInt64 = 128
    /// The maximum number of bytes between two ticks from a broker that sends messages.
    nonisolated static let allowanceForMessages: UInt64 = 256 * 1024

    private let loop: EpollRunLoop
    private let pendingReports: PendingReports
    private let receivesMessages: Bool
    private let report: (Report) -> Void
    private var client: OpaquePointer?
    private var allowed = allowance
    private var isConnecting = true
    private var isClosed = false
    private var source: DescriptorSource?
    private var watchesWriting = false
    private var timer: RunLoopTimer?

    /// Loads libmosquitto and returns why it cannot be used; nil on success.
    static func load() -> String? {
        lazy_mosquitto_load().map { "\(String(cString: $0)); install libmosquitto1" }
    }

    /// Starts to connect, after `load()`. `report` is called later, and never after `.ended` or `close()`.
    init(
        loop: EpollRunLoop, address: Address, security: Security, subscription: Subscription? = nil,
        report: @escaping (Report) -> Void
    ) {
        self.loop = loop
        pendingReports = PendingReports(topics: subscription?.topics ?? [])
        receivesMessages = subscription?.topics.isEmpty == false
        if receivesMessages { allowed = Self.allowanceForMessages }
        self.report = report
        // The client holds this pointer until `free()`, and `pendingReports` lives longer.
        guard let client = lazy_mosquitto_new(Unmanaged.passUnretained(pendingReports).toOpaque()) else {
            loop.perform(in: .common) { report(.ended("out of memory")) }
            return
        }
        self.client = client
        lazy_mosquitto_set_callbacks(
            client,
            { _, user, code in
                PendingReports.post(
                    code == 0 ? .connected : .ended(String(cString: lazy_mosquitto_connack_string(code))), user)
            },
            { _, user, message in PendingReports.post(.published(message), user) },
            { _, user, code in PendingReports.post(.ended(String(cString: lazy_mosquitto_strerror(code))), user) },
            { _, user, message in message.map { PendingReports.post($0.pointee, user) } })
        lazy_mosquitto_set_subscribed(client) { _, user, _, count, granted in
            // Codes from 128 are failures (MQTT 3.1.1, 3.9.3).
            let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(count))
            if codes.contains(where: { $0 >= 128 }) { PendingReports.post(.subscriptionRefused, user) }
        }
        if let topic = subscription?.availability {
            let payload = "offline"
            lazy_mosquitto_will_set(client, topic, payload, Int32(payload.utf8.count))
        }
        if security.username != nil { lazy_mosquitto_username_pw_set(client, security.username, security.password) }
        if security.usesTLS {
            let folder = security.certificates == nil ? "/etc/ssl/certs" : nil
            lazy_mosquitto_tls_set(client, security.certificates, folder)
        }
        connect(client, address)
    }

    // While it connects, the other thread keeps this object.
    isolated deinit { free() }

    /// Passes a message to the library and returns the number that `.published` will report, or why it was refused.
    func publish(_ payload: [UInt8], to topic: String, qos: Int, retain: Bool) -> Result<Int32, MQTTError> {
        guard let client else { return .failure(MQTTError(reason: "the connection is closed")) }
        var number: Int32 = 0
        let code = payload.withUnsafeBytes {
            lazy_mosquitto_publish(client, &number, topic, Int32($0.count), $0.baseAddress, Int32(qos), retain)
        }
        allowed += Self.allowancePerMessage
        defer { deliverLater() }
        return code == 0 ? .success(number) : .failure(MQTTError(reason: Self.text(code)))
    }

    /// Subscribes to one of the topics of the client's subscription.
    func subscribe(_ topic: String) {
        guard let client else { return }
        lazy_mosquitto_subscribe(client, topic)
        allowed += Self.allowancePerMessage
        deliverLater()
    }

    /// Closes the connection without a report.
    func close() {
        isClosed = true
        guard let client, !isConnecting else { return }
        lazy_mosquitto_disconnect(client)
        free()
    }

    private func connect(_ client: OpaquePointer, _ address: Address) {
        // A pointer cannot cross to the other thread. Until that thread is done nothing here uses the client, and the
        // closure keeps this object.
        let number = UInt(bitPattern: client)
        let remote = loop.remote
        DispatchQueue.global().async {
            let code = OpaquePointer(bitPattern: number).map {
                lazy_mosquitto_connect_async($0, address.host, Int32(address.port), Self.keepAlive)
            }
            remote.perform(in: .common) { MainActor.assumeIsolated { self.connected(code ?? -1) } }
        }
    }

    private func connected(_ code: Int32) {
        isConnecting = false
        guard !isClosed else { return free() }
        guard code == 0 else {
            free()
            return report(.ended(Self.text(code)))
        }
        let timer = RunLoopTimer(name: "mqtt", after: Self.tick, repeating: Self.tick, tolerance: .seconds(5)) {
            [weak self] _ in
            guard let self, let client = self.client else { return }
            if receivesMessages {
                allowed = max(allowed, lazy_mosquitto_bytes_received(client) + Self.allowanceForMessages)
            } else {
                allowed += Self.allowancePerMessage
            }
            check(lazy_mosquitto_loop_misc(client))
        }
        loop.add(timer)
        self.timer = timer
        check(0)
    }

    private func ready(_ events: DescriptorSource.Events) {
        guard let client else { return }
        guard lazy_mosquitto_bytes_received(client) <= allowed else {
            free()
            let reason =
                "the broker sent over \(allowed) bytes, more than touchd's messages need; "
                + "check that it is an MQTT broker"
            return report(receivesMessages ? .flooded(reason) : .ended(reason))
        }
        var code: Int32 = 0
        if events.contains(.write) { code = lazy_mosquitto_loop_write(client) }
        if code == 0, !events.isDisjoint(with: [.read, .hangUp, .error]) { code = lazy_mosquitto_loop_read(client) }
        check(code)
    }

    /// Delivers the reports of the last call and waits for the next event.
    private func check(_ code: Int32) {
        watch()
        deliver()
        guard code != 0, client != nil else { return }
        free()
        report(.ended(Self.text(code)))
    }

    private func deliverLater() {
        watch()
        guard !pendingReports.reports.isEmpty else { return }
        loop.perform(in: .common) { [weak self] in self?.deliver() }
    }

    private func deliver() {
        while client != nil, !pendingReports.reports.isEmpty {
            let next = pendingReports.reports.removeFirst()
            if case .ended = next { free() }
            report(next)
        }
    }

    private func watch() {
        guard let client else { return }
        let wants = lazy_mosquitto_want_write(client)
        if source != nil, wants == watchesWriting { return }
        source?.invalidate()
        source = nil
        let socket = lazy_mosquitto_socket(client)
        guard socket >= 0 else { return }
        watchesWriting = wants
        let new = DescriptorSource(name: "mqtt", descriptor: socket, events: wants ? [.read, .write] : .read) {
            [weak self] in self?.ready($0)
        }
        source = new
        loop.add(new)
    }

    private func free() {
        source?.invalidate()
        source = nil
        timer?.invalidate()
        timer = nil
        if let client { lazy_mosquitto_destroy(client) }
        client = nil
    }

    private static func text(_ code: Int32) -> String {
        // For MOSQ_ERR_ERRNO the reason is in errno, which has been overwritten by now.
        code == 14 ? "the broker cannot be reached" : String(cString: lazy_mosquitto_strerror(code))
    }
}

/// The reason for closing a connection on which a message arrives.
private nonisolated let unsolicited =
    "the broker sent a message that touchd did not subscribe to; check that it is the right broker"

/// Why a message was refused.
struct MQTTError: Error { let reason: String }
