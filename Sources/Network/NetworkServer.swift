import ControlProtocol
import EventLoop
import Foundation
import Logging

/// Does for touchd everything that leaves the machine (`touchd network`, touchd-network.service): requests, messages for
/// brokers, and the kiosk's state and commands.
///
/// touchd connects and says `hello`; the latest connection is the session. touchd keeps each message until its outcome
/// is reported here, so this process may block, wait or end.
package final class NetworkServer {
    /// The maximum number of connections: a session, the one before it, and probes.
    private static let connectionLimit = 8

    private enum Phase {
        case serving
        /// touchd has not come back. `isForgotten` if it will not ask for the outcomes of its messages any more.
        case deserted(isForgotten: Bool)
        /// The remaining messages are sent. `isLogged` if touchd will not send the rest to another helper.
        case draining(isLogged: Bool)
        /// Brokers get their last messages.
        case leaving
        case ended
    }

    /// Called when nothing is left to do; the process may exit.
    package var didEnd: () -> Void = {}

    let context: SenderContext
    private let loop: EpollRunLoop
    private let logger: Logger
    private let isListening: Bool
    private var acceptor: Acceptor?
    private var connections: [ObjectIdentifier: TouchdConnection] = [:]
    private var session: TouchdSession?
    private var setup = NetworkSetup()
    private var brokers: [String: Broker] = [:]
    private let requests: HTTPSender
    private(set) lazy var datagrams = DatagramSockets(context) { [weak self] in
        self?.session?.connection?.send(.datagram($0), descriptor: $1)
    }
    private var phase = Phase.serving
    /// Whether the next helper does the rest after SIGTERM.
    private var isTerminated = false
    private var timer: RunLoopTimer?

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - descriptor: A `SOCK_SEQPACKET` socket: a listening one, such as systemd passes (sd_listen_fds(3)), which stays
    ///     open, or a connected one, which is the only connection.
    ///   - logger: Receives the errors of connections, and messages that are given up without a session.
    package init(
        descriptor: Int32, isListening: Bool, loop: EpollRunLoop, logger: Logger, settings: SenderSettings = .init()
    ) {
        self.loop = loop
        self.logger = logger
        self.isListening = isListening
        context = SenderContext(loop: loop, settings: settings)
        requests = HTTPSender(context)
        context.report = { [weak self] in self?.session?.connection?.send($0) }
        context.didSettle = { [weak self] in self?.checkEnd() }
        timer = loop.add(RunLoopTimer(name: "network") { [weak self] _ in self?.timePassed() })
        guard isListening else {
            accept(descriptor)
            return
        }
        acceptor = Acceptor(
            descriptor, name: "network", limit: Self.connectionLimit, loop: loop,
            didFail: { logger.error("connections are not accepted for a second: \($0)") },
            didAccept: { [weak self] in self?.accept($0) })
        // Without a connection, it waits for one as long as for the next session.
        timer?.reschedule(after: context.settings.linger)
    }

    isolated deinit {
        timer?.invalidate()
        session?.connection = nil
        for connection in connections.values { connection.close() }
    }

    // MARK: Connections

    private func accept(_ descriptor: Int32) {
        let connection = TouchdConnection(descriptor, loop: loop)
        connections[ObjectIdentifier(connection)] = connection
        connection.didBecomeReadable = { [weak self, unowned connection] in self?.receive(connection, limit: 64) }
        connection.didFlush = { [weak self] in self?.brokers.values.forEach { $0.pump() } }
        connection.watch()
    }

    /// Handles packets, up to a limit, so that other sources get their turn.
    private func receive(_ connection: TouchdConnection, limit: Int = .max) {
        for _ in 0..<limit where connection.isOpen {
            switch connection.socket.receive(limit: NetworkOrder.packetLimit) {
            case .nothing: return
            case .end: return close(connection)
            case .value(let packet, _):
                guard let order = NetworkOrder(packet: packet), handle(order, connection) else {
                    logger.error("closed a connection that sent an invalid packet")
                    return close(connection)
                }
            }
        }
    }

    private func close(_ connection: TouchdConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        connection.close()
        acceptor?.connectionEnded()
        guard case .session(let own) = connection.role, own.connection === connection else {
            // The only connection ended before touchd introduced itself.
            if !isListening, session == nil, case .serving = phase { drain(isLogged: true) }
            return
        }
        own.connection = nil
        guard case .serving = phase, own === session else { return checkEnd() }
        if isListening { timer?.reschedule(after: context.settings.linger) } else { drain(isLogged: true) }
    }

    /// Handles an order; returns false if it is invalid.
    private func handle(_ order: NetworkOrder, _ connection: TouchdConnection) -> Bool {
        switch (connection.role, order) {
        case (.unknown, .hello(let hello)):
            greet(hello, connection)
            return true
        case (.session(let own), .message(let message)):
            guard message.number > connection.lastNumber, message.isValid else { return false }
            connection.lastNumber = message.number
            accept(message, of: own)
            return true
        case (.session, .setup(let setup)):
            guard setup.brokers.allSatisfy(\.isValid) else { return false }
            apply(setup)
            return true
        case (.session, .state(let state)):
            for broker in brokers.values { broker.set(state) }
            return true
        case (.session(let own), .finish):
            if own === session { drain(isLogged: true) }
            return true
        default: return false
        }
    }

    private func greet(_ hello: NetworkHello, _ connection: TouchdConnection) {
        // touchd connects to the next helper.
        if isTerminated { return close(connection) }
        connection.send(.hello(NetworkHello.currentVersion))
        guard hello.version == NetworkHello.currentVersion else { return close(connection) }
        guard !hello.isProbe else {
            connection.role = .probe
            return
        }
        if let old = session?.connection {
            // The messages of a touchd that has ended come first.
            receive(old)
            close(old)
        }
        if session?.name != hello.session { session?.isOver = true }
        let session = session.flatMap { $0.isOver ? nil : $0 } ?? TouchdSession(hello.session, logger: logger)
        connection.role = .session(session)
        session.connection = connection
        self.session = session
        setup = NetworkSetup()
        phase = .serving
        timer?.cancel()
        checkEnd()
        for peer in context.peers.values.sorted(by: { $0.name < $1.name }) { context.report(.peer(peer)) }
    }

    /// Queues a message that is new; for another one reports again what is known.
    private func accept(_ message: OutgoingMessage, of session: TouchdSession) {
        if session.repeatOutcome(of: message.number) { return }
        let queue = context.deliveries[message.peer]
        let known = queue.messages.first { $0.session === session && $0.message.number == message.number }
        if let known { return known.repeatReport() }
        let delivery = Delivery(session: session, message: message)
        if let reason = context.deliveries.refusal(of: message) { return delivery.fail(reason) }
        if message.http != nil { return requests.append(delivery) }
        guard let broker = brokers[message.peer] else {
            return delivery.fail("the layout does not have this broker any more")
        }
        broker.append(delivery)
    }

    // MARK: Setup

    private func apply(_ new: NetworkSetup) {
        // touchd sends a setup again if a socket for datagrams has failed.
        let isRenewal = new == setup
        setup = new
        reportProblems()
        for broker in new.brokers {
            let existing = brokers[broker.name] ?? Broker(broker.name, context)
            brokers[broker.name] = existing
            existing.apply(broker)
        }
        let names = Set(new.brokers.map(\.name))
        for (name, broker) in brokers where !names.contains(name) { broker.retire(clearing: true) }
        datagrams.connect(new.datagrams, isRenewal: isRenewal)
    }

    private func reportProblems() {
        var problems: [SetupProblem] = []
        func add(_ location: String, _ message: String) {
            problems.append(SetupProblem { ($0.location, $0.message) = (location, message) })
        }
        for request in setup.requests {
            let reason = CurlHandle.load() ?? request.credential.flatMap { context.credentials.load($0) }
            if let reason { add(request.location, "'http' will fail: \(reason)") }
        }
        for broker in setup.brokers {
            let key = broker.kiosk == nil ? "'publish'" : "'mqtt'"
            if let reason = context.loadBrokerLibrary() { add(broker.location, "\(key) will fail: \(reason)") }
            let hasPassword = context.credentials.load("mqtt.\(broker.host).username") == nil
            _ = context.credentials.load("mqtt.\(broker.host).password")
            if hasPassword, broker.port != MosquittoClient.securePort, !HTTPSender.isThisMachine(broker.host) {
                add(
                    broker.location,
                    "\(key) sends the password for \(broker.host) unencrypted; port \(MosquittoClient.securePort) is for TLS"
                )
            }
        }
        // More than a person reads, and less than a packet has room for.
        context.report(.problems(Array(problems.prefix(32))))
    }

    // MARK: End

    /// Ends after SIGTERM: touchd connects again, and sends what has no outcome to the next helper.
    package func terminate() {
        isTerminated = true
        acceptor?.invalidate()
        acceptor = nil
        session?.connection?.stopReading()
        drain(isLogged: false)
    }

    private func drain(isLogged: Bool) {
        phase = .draining(isLogged: isLogged)
        timer?.reschedule(after: context.settings.drainTime)
        checkEnd()
    }

    private func timePassed() {
        switch phase {
        case .serving:
            phase = .deserted(isForgotten: false)
            timer?.reschedule(after: context.settings.memory)
            for broker in brokers.values { broker.sayOffline() }
            checkEnd()
        case .deserted:
            phase = .deserted(isForgotten: true)
            checkEnd()
        case .draining(let isLogged):
            if isLogged { logRest() }
            leave()
        case .leaving: end()
        case .ended: break
        }
    }

    /// Logs the messages that are given up, by handler.
    private func logRest() {
        let counts = Dictionary(grouping: context.deliveries.messages, by: \.message.handler).mapValues(\.count)
        for (handler, count) in counts.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "\(handler): \(count) \(count == 1 ? "message was" : "messages were") not sent, because touchd has ended"
            )
        }
    }

    /// Takes the next step of the end when what it waits for has happened.
    private func checkEnd() {
        // Messages without an outcome then go to the next helper.
        if case .leaving = phase {
            if brokers.values.allSatisfy(\.isClosed) { end() }
            return
        }
        for (name, broker) in brokers where broker.isClosed {
            brokers[name] = nil
            context.forget(name)
            // After the last second of a session; a broker of the layout closes without messages.
            broker.failAll("touchd has ended")
        }
        let isEmpty = context.deliveries.isEmpty
        switch phase {
        case .serving, .leaving, .ended: break
        // A touchd that still runs would send again to the next helper what has gone already.
        case .deserted(let isForgotten): if isEmpty, isForgotten || session?.hasOutcomes != true { leave() }
        case .draining: if isEmpty { leave() }
        }
    }

    private func leave() {
        phase = .leaving
        timer?.reschedule(after: context.settings.farewellTime)
        for broker in brokers.values { broker.retire(clearing: false, now: true) }
        checkEnd()
    }

    private func end() {
        phase = .ended
        timer?.cancel()
        brokers = [:]
        for connection in connections.values { close(connection) }
        didEnd()
    }
}

extension OutgoingMessage {
    /// Whether it has one destination, and values that the libraries accept.
    fileprivate var isValid: Bool {
        (mqtt == nil) != (http == nil) && (0...2).contains(mqtt?.qos ?? 0) && body.count <= NetworkOrder.bodyLimit
    }
}

extension BrokerSetup {
    fileprivate var isValid: Bool { (1...65535).contains(port) && !host.isEmpty && !host.utf8.contains(0) }
}
