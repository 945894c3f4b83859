import CLibmosquitto
import EventLoop
import Glibc

/// One connection to an MQTT broker: a `struct mosquitto` on a run loop.
///
/// libmosquitto blocks while it resolves the name in its connect call, so that call runs on another thread. Before and
/// after it, everything happens on the loop.
final class MosquittoClient {
    private typealias Report = BrokerClient.Report

    /// The reports of the library's callbacks, delivered after the call that made them has returned.
    private nonisolated final class PendingReports {
        var reports: [Report] = []
        /// The topics of which messages may arrive.
        let topics: Set<String>

        init(topics: Set<String>) { self.topics = topics }

        static func post(_ message: mosquitto_message, _ user: UnsafeMutableRawPointer?) {
            guard let user else { return }
            let reports = Unmanaged<PendingReports>.fromOpaque(user).takeUnretainedValue()
            let topic = message.topic.map { String(cString: $0) } ?? ""
            guard reports.topics.contains(topic) else { return post(.ended(unsolicited, byBroker: false), user) }
            let length = Int(message.payloadlen)
            // The connection ends because of its size, as soon as more arrives.
            if message.retain, length > ByteAllowance.forMessages { return }
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

    /// The seconds of silence after which the library sends a ping to the broker; it waits as long for the answer.
    private nonisolated static let keepAlive: Int32 = 30
    /// How often the library may check the keep-alive; the broker allows 1.5 times the keep-alive.
    private static let tick = Duration.seconds(10)

    /// The IANA port for MQTT over TLS.
    static let securePort = 8883

    private let loop: EpollRunLoop
    private let target: BrokerClient.Target
    private let answerTime: Duration
    private let pendingReports: PendingReports
    private let report: (BrokerClient.Report) -> Void
    private var client: OpaquePointer?
    private var allowance: ByteAllowance
    private var isConnecting = true
    /// Whether the broker has accepted the client.
    private var isAccepted = false
    private var isClosed = false
    private var source: DescriptorSource?
    private var watchesWriting = false
    private var timer: RunLoopTimer?
    private var answerTimer: RunLoopTimer?

    /// Loads libmosquitto and returns why it cannot be used; nil on success.
    static func load() -> String? {
        lazy_mosquitto_load().map { "\(String(cString: $0)); install libmosquitto1" }
    }

    /// Makes the function that connects, for after `load()`.
    static func connect(loop: EpollRunLoop, answerTime: Duration) -> BrokerClient.Connect {
        { target, report in
            let client = MosquittoClient(loop: loop, target: target, answerTime: answerTime, report: report)
            return BrokerClient(
                publish: { client.publish($0, to: $1, qos: $2, retain: $3) }, subscribe: { client.subscribe($0) },
                close: { client.close() })
        }
    }

    private init(
        loop: EpollRunLoop, target: BrokerClient.Target, answerTime: Duration,
        report: @escaping (BrokerClient.Report) -> Void
    ) {
        self.loop = loop
        self.target = target
        self.answerTime = answerTime
        self.report = report
        pendingReports = PendingReports(topics: target.topics)
        allowance = ByteAllowance(getsMessages: !target.topics.isEmpty)
        // The client holds this pointer until `free()`, and `pendingReports` lives longer.
        let user = Unmanaged.passUnretained(pendingReports).toOpaque()
        guard let client = lazy_mosquitto_new(target.clientID.isEmpty ? nil : target.clientID, user) else {
            endLater("out of memory")
            return
        }
        self.client = client
        lazy_mosquitto_set_callbacks(
            client,
            { _, user, code in
                let report = code == 0 ? Report.connected : .ended(MosquittoClient.refusal(code), byBroker: false)
                PendingReports.post(report, user)
            },
            { _, user, message in PendingReports.post(.published(message), user) },
            { _, user, code in PendingReports.post(MosquittoClient.ended(code), user) },
            { _, user, message in message.map { PendingReports.post($0.pointee, user) } })
        lazy_mosquitto_set_subscribed(client) { _, user, _, count, granted in
            // Codes from 128 are failures (MQTT 3.1.1, 3.9.3).
            let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(count))
            if codes.contains(where: { $0 >= 128 }) { PendingReports.post(.subscriptionRefused, user) }
        }
        if let topic = target.willTopic {
            let payload = "offline"
            lazy_mosquitto_will_set(client, topic, payload, Int32(payload.utf8.count))
        }
        if target.username != nil { lazy_mosquitto_username_pw_set(client, target.username, target.password) }
        if target.usesTLS {
            let folder = target.certificates == nil ? "/etc/ssl/certs" : nil
            let code = lazy_mosquitto_tls_set(client, target.certificates, folder)
            guard code == MOSQ_ERR_SUCCESS.rawValue else {
                // The library would connect without encryption.
                isConnecting = false
                endLater("TLS cannot be used: \(String(cString: lazy_mosquitto_strerror(code)))")
                return
            }
        }
        startConnecting(client)
    }

    // While it connects, the other thread keeps this object.
    isolated deinit { free() }

    private func publish(_ payload: [UInt8], to topic: String, qos: Int, retain: Bool) -> BrokerClient.Handover {
        guard let client else { return .disconnected("the connection is closed") }
        var number: Int32 = 0
        let code = payload.withUnsafeBytes {
            lazy_mosquitto_publish(client, &number, topic, Int32($0.count), $0.baseAddress, Int32(qos), retain)
        }
        allowance.didSendMessage()
        deliverLater()
        return switch code {
        case MOSQ_ERR_SUCCESS.rawValue: .sent(number)
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue,
            MOSQ_ERR_NOT_SUPPORTED.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue,
            MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue, MOSQ_ERR_OVERSIZE_PACKET.rawValue,
            MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue:
            .invalid(String(cString: lazy_mosquitto_strerror(code)))
        default: .disconnected(Self.text(code))
        }
    }

    private func subscribe(_ topic: String) {
        guard let client else { return }
        // Retained messages of this topic count from here, so that another topic is not blamed for it.
        allowance.willSubscribe(received: lazy_mosquitto_bytes_received(client))
        lazy_mosquitto_subscribe(client, topic)
        deliverLater()
    }

    private func close() {
        isClosed = true
        guard let client, !isConnecting else { return }
        lazy_mosquitto_disconnect(client)
        free()
    }

    // MARK: Connecting

    private func startConnecting(_ client: OpaquePointer) {
        // Until the other thread is done nothing here uses the client, and the closure keeps this object.
        nonisolated(unsafe) let client = client
        let (remote, host, port) = (loop.remote, target.host, Int32(target.port))
        do {
            try DetachedThread.run {
                let code = lazy_mosquitto_connect_async(client, host, port, Self.keepAlive)
                let failure = errno
                remote.performOnMain { self.didStart(code, failure) }
            }
        } catch {
            isConnecting = false
            endLater("no thread can be started: \(error.reason)")
        }
    }

    private func didStart(_ code: Int32, _ failure: Int32) {
        isConnecting = false
        guard !isClosed else { return free() }
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: break
        case MOSQ_ERR_EAI.rawValue: return end("the host name '\(target.host)' was not found")
        case MOSQ_ERR_ERRNO.rawValue: return end(Self.text(of: failure))
        default: return end(Self.text(code))
        }
        timer = loop.add(
            RunLoopTimer(name: "mqtt", after: Self.tick, repeating: Self.tick, tolerance: .seconds(1)) {
                [weak self] _ in self?.ticked()
            })
        answerTimer = loop.add(
            RunLoopTimer(name: "mqtt.answer", after: answerTime) { [weak self] _ in self?.isSilent() })
        check(0)
    }

    private func ticked() {
        guard let client else { return }
        allowance.didTick(received: lazy_mosquitto_bytes_received(client))
        check(lazy_mosquitto_loop_misc(client))
    }

    private func isSilent() {
        guard let client, !isAccepted else { return }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isReached = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(lazy_mosquitto_socket(client), $0, &length) == 0
            }
        }
        end(isReached ? "the broker does not answer" : Self.text(of: ETIMEDOUT))
    }

    // MARK: Events

    private func ready(_ events: DescriptorSource.Events) {
        guard let client else { return }
        if endFlood(client) { return }
        if !isAccepted, !events.isDisjoint(with: [.error, .hangUp]) {
            var failure: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(lazy_mosquitto_socket(client), SOL_SOCKET, SO_ERROR, &failure, &length)
            if failure != 0 { return end(Self.text(of: failure)) }
        }
        var code: Int32 = 0
        if events.contains(.write) { code = lazy_mosquitto_loop_write(client) }
        if code == 0, !events.isDisjoint(with: [.read, .hangUp, .error]) {
            let count = pendingReports.reports.count
            code = lazy_mosquitto_loop_read(client)
            if pendingReports.reports.count > count { allowance.didCompletePacket() }
        }
        // Before a confirmation that came behind the flood allows more.
        if !endFlood(client) { check(code) }
    }

    /// Ends the connection if too much has arrived.
    private func endFlood(_ client: OpaquePointer) -> Bool {
        guard lazy_mosquitto_bytes_received(client) > allowance.limit else { return false }
        deliver(
            .flooded(
                "the broker sent over \(allowance.limit) bytes, more than touchd's messages need; "
                    + "check that it is an MQTT broker"))
        return true
    }

    /// Delivers the reports of the last call and waits for the next event.
    private func check(_ code: Int32) {
        watch()
        deliver()
        if code != 0, client != nil { deliver(Self.ended(code)) }
    }

    private func deliverLater() {
        watch()
        guard !pendingReports.reports.isEmpty else { return }
        loop.perform(in: .common) { [weak self] in self?.deliver() }
    }

    private func deliver() {
        while client != nil, !pendingReports.reports.isEmpty { deliver(pendingReports.reports.removeFirst()) }
    }

    private func deliver(_ next: BrokerClient.Report) {
        switch next {
        case .connected:
            isAccepted = true
            answerTimer?.invalidate()
        case .ended(let reason, let byBroker):
            free()
            return report(.ended(reason, byBroker: byBroker && isAccepted))
        case .flooded: free()
        default: break
        }
        report(next)
    }

    private func end(_ reason: String) { deliver(.ended(reason, byBroker: false)) }

    private func endLater(_ reason: String) {
        loop.perform(in: .common) { [weak self] in
            if let self, !isClosed { end(reason) }
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
        let source = DescriptorSource(name: "mqtt", descriptor: socket, events: wants ? [.read, .write] : .read) {
            [weak self] in self?.ready($0)
        }
        self.source = source
        do { try loop.add(source) } catch { endLater("\(error)") }
    }

    private func free() {
        source?.invalidate()
        source = nil
        timer?.invalidate()
        answerTimer?.invalidate()
        if let client { lazy_mosquitto_destroy(client) }
        client = nil
    }

    // MARK: Reasons

    private nonisolated static func ended(_ code: Int32) -> BrokerClient.Report {
        code == MOSQ_ERR_NOMEM.rawValue
            // It allocates a packet as a whole after its header.
            ? .flooded("the broker sends a packet that does not fit into memory; check that it is an MQTT broker")
            : .ended(text(code), byBroker: code != MOSQ_ERR_KEEPALIVE.rawValue)
    }

    private nonisolated static func refusal(_ code: Int32) -> String {
        // 4 and 5 are a wrong password and a client that is not allowed (MQTT 3.1.1, 3.2.2.3).
        code == 4 || code == 5
            ? "not authorized; check the user name and the password"
            : String(cString: lazy_mosquitto_connack_string(code))
    }

    private nonisolated static func text(_ code: Int32) -> String {
        switch code {
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_ERRNO.rawValue: "the broker closed the connection"
        case MOSQ_ERR_KEEPALIVE.rawValue: "the broker does not answer any more"
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            "TLS failed; check that this machine trusts the broker's certificate"
        default: String(cString: lazy_mosquitto_strerror(code))
        }
    }

    private nonisolated static func text(of failure: Int32) -> String {
        switch failure {
        case ECONNREFUSED: "the broker refused the connection"
        case ECONNRESET, EPIPE: "the broker closed the connection"
        default: "the broker is not reachable: \(SystemError(call: "connect", errno: failure).reason)"
        }
    }
}

/// The reason for closing a connection on which a message arrives.
private nonisolated let unsolicited =
    "the broker sent a message that touchd did not subscribe to; check that it is the right broker"
