import Basics
import ControlProtocol
import EventLoop
import Foundation

/// touchd's connection to `touchd network`, the process that does everything which leaves the machine.
///
/// The connection starts that process, so it is made when a layout first needs it. Sending never waits: a message that the
/// other process has no room for stays in the outbox. When that process ends, touchd connects again, and sends again
/// whatever has no outcome, except what must not be sent twice.
package final class NetworkClient {
    /// What concerns the whole service.
    package enum Report {
        /// The connection to a broker or server has changed.
        case peer(PeerState, former: PeerState?)
        /// Parts of the layout will fail; each report replaces the one before it.
        case problems([SetupProblem])
        /// The broker of the layout's `mqtt:` gives a command.
        case command(LayoutCommand)
        /// It gives a command that cannot be performed.
        case refused(LayoutCommand.Kind, reason: String)
        /// A connected socket for datagrams to the address in the setup was opened.
        case datagrams(PassedDescriptor)
        /// `touchd network` cannot be reached, or does not follow the protocol; another attempt follows.
        case failed(String)
    }

    /// The maximum number of reports per second.
    static let reportRate = 1000.0
    /// How long the end of a program waits for messages of a recording.
    package static let patience = Duration.seconds(5)

    /// How much longer than a request itself its outcome may take, for example while the other process starts.
    static let requestPatience = Duration.seconds(5)

    /// Receives what concerns the whole service.
    package var report: (Report) -> Void = { _ in }
    /// Receives the failures of messages after their handler has returned.
    var didFail: (HandlerOrigin, HandlerFailure) -> Void = { _, _ in }
    /// The brokers and servers that messages were sent to, by name. Those that left the status keep their counts.
    private var peers: [String: PeerState] = [:]

    private let endpoint: NetworkEndpoint
    /// How long the other process may take to answer `hello` and a setup.
    private let answerTime: Duration
    private let loop: EpollRunLoop
    private var session = "\(UUID())"
    private var outbox = Outbox()
    private var setup = NetworkSetup()
    private var state: KioskState?
    private var needsSetup = false, needsState = false
    private var connectedAt: Deadline?
    /// Whether the other process has answered `hello`.
    private var hasAnswered = false
    private var socket: PacketSocket?
    private var source: DescriptorSource?
    private var isWaitingForRoom = false
    private var child: ChildProcessSource?
    private var reports = TokenBucket(rate: NetworkClient.reportRate, capacity: NetworkClient.reportRate)
    private var delays = RetryDelays(first: .milliseconds(100), longest: .seconds(30))
    private var timer: RunLoopTimer?
    private var hasFailed = false
    /// Gives up requests whose time is over.
    private lazy var requestTimer = RunLoopTimer(name: "network.requests") { [weak self] _ in self?.checkRequests() }

    init(
        loop: EpollRunLoop, endpoint: NetworkEndpoint = .current, answerTime: Duration = .seconds(10)
    ) {
        self.loop = loop
        self.endpoint = endpoint
        self.answerTime = answerTime
        loop.add(requestTimer)
    }

    isolated deinit {
        disconnect()
        requestTimer.invalidate()
    }

    /// The brokers and servers, with the messages that wait for each.
    package var currentPeers: [PeerState] {
        peers.values.filter { isListed($0.name) }.sorted { $0.name < $1.name }.map { peer in
            var peer = peer
            peer.waiting = outbox.count(for: peer.name)
            return peer
        }
    }

    /// Replaces what the layout needs, and connects if it needs anything.
    package func set(_ new: NetworkSetup) {
        guard new != setup else { return }
        // What the former layout shows is no state for new topics; that of the new layout follows.
        (setup, state) = (new, nil)
        needsSetup = true
        if socket != nil { sendWaiting() } else { connectIfNeeded() }
    }

    /// Whether the layout has a broker or a receiver of datagrams with this name.
    private func isNeeded(_ name: String) -> Bool {
        setup.brokers.contains { $0.name == name } || setup.datagrams.contains { $0.name == name }
    }

    /// Has the other process connect another socket for datagrams, because the last one failed: the same setup again.
    package func renewDatagrams(after error: SystemError) {
        for address in setup.datagrams {
            change(PeerState { ($0.name, $0.phase, $0.error) = (address.name, .waiting, "\(error)") })
        }
        needsSetup = true
        sendWaiting()
    }

    /// Whether a peer is in the status: a broker that the layout does not have any more leaves it.
    private func isListed(_ name: String) -> Bool {
        name.hasPrefix("http") || isNeeded(name) || outbox.count(for: name) > 0
    }

    /// Replaces the state for the broker of the layout's `mqtt:`.
    package func set(_ new: KioskState) {
        guard new != state else { return }
        state = new
        needsState = true
        sendWaiting()
    }

    /// Sends a message, or keeps it until it can be sent.
    func send(_ message: OutgoingMessage, of handler: HandlerOrigin) throws(HandlerFailure) {
        do throws(HandlerFailure) { try outbox.add(message, of: handler) } catch {
            dropped(message.peer)
            throw error
        }
        if peers[message.peer] == nil { peers[message.peer] = PeerState { $0.name = message.peer } }
        if message.http != nil { checkRequests() }
        if socket != nil { sendWaiting() } else { connectIfNeeded() }
    }

    /// Ends the connection; the other process sends what it has got.
    ///
    /// - Parameter isPatient: Whether to wait, for at most 5 s, until the outcome of all messages is known.
    /// - Returns: The number of messages that the other process has not got, or whose outcome is not known after that time.
    package func finish(isPatient: Bool) -> Int {
        let limit = Deadline.after(Self.patience)
        while isPatient, outbox.count > 0, let socket, !limit.isPast {
            sendWaiting()
            let events = outbox.unsentCount > 0 ? POLLIN | POLLOUT : POLLIN
            var entry = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
            poll(&entry, 1, Int32(max(1, (limit - .now) / .milliseconds(1))))
            receive()
        }
        send(.finish)
        let count = isPatient ? outbox.count : outbox.unsentCount
        disconnect()
        (setup, outbox, session) = (NetworkSetup(), Outbox(), "\(UUID())")
        return count
    }

    // MARK: Connection

    private func connectIfNeeded() {
        guard socket == nil, timer?.isArmed != true, !setup.isEmpty || outbox.count > 0 else { return }
        do throws(NetworkEndpoint.Failure) {
            let (socket, process) = try endpoint.connect()
            self.socket = socket
            if let process { child = try? loop.add(ChildProcessSource(process: process) { _ in }) }
            listen(to: socket, for: .read)
            guard source != nil else { return }
            connectedAt = .now
            send(.hello(NetworkHello { $0.session = session }))
            (needsSetup, needsState) = (true, state != nil)
            expectAnswer()
            sendWaiting()
        } catch {
            ended(error.reason)
        }
    }

    /// Ends the connection unless the other process answers in time.
    private func expectAnswer() {
        timer?.invalidate()
        timer = loop.add(
            RunLoopTimer(name: "network.answer", after: answerTime) { [weak self, answerTime] _ in
                self?.ended("touchd-network has not answered for \(answerTime / .seconds(1)) s; see its journal")
            })
    }

    private func listen(to socket: PacketSocket, for events: DescriptorSource.Events) {
        source?.invalidate()
        isWaitingForRoom = events.contains(.write)
        // After touches (0) and clients of the control socket (1).
        let source = DescriptorSource(name: "network", descriptor: socket.descriptor, events: events, priority: 2) {
            [weak self] ready in
            if ready.contains(.write) { self?.sendWaiting() }
            self?.receive()
        }
        self.source = source
        do { try loop.add(source) } catch { ended("\(error)") }
    }

    private func disconnect() {
        source?.invalidate()
        timer?.invalidate()
        // The loop keeps the source of the child, which reaps it.
        (source, child, socket) = (nil, nil, nil)
    }

    /// Handles the end of the connection and connects again later.
    ///
    /// - Parameter reason: A failure to report; nil if the other process ended.
    private func ended(_ reason: String?) {
        disconnect()
        for entry in outbox.connectionEnded() {
            fail(
                entry,
                "the connection to touchd-network ended while it was sent; it may have arrived, and is not repeated")
        }
        delays.connectionEnded(after: connectedAt.map { .now - $0 })
        let silence = connectedAt == nil || hasAnswered ? nil : "touchd-network ends before it answers; see its journal"
        (connectedAt, hasAnswered) = (nil, false)
        for (name, peer) in peers where peer.phase == .connected { change(PeerState { $0.name = name }) }
        if let reason = reason ?? silence, !hasFailed {
            hasFailed = true
            report(.failed(reason))
        }
        timer = loop.add(
            RunLoopTimer(name: "network.retry", after: delays.next()) { [weak self] _ in self?.connectIfNeeded() })
    }

    // MARK: Sending

    /// Sends an order; returns whether there was room.
    @discardableResult private func send(_ order: NetworkOrder) -> Bool {
        guard let socket else { return false }
        let packet = order.packet
        if case .message(let message) = order, packet.count - message.body.count > NetworkOrder.headerLimit {
            if let entry = outbox.removeNext() { fail(entry, "its topic, or its URL and headers, are too long") }
            return true
        }
        do throws(SystemError) {
            try socket.send(packet)
            if case .message = order { outbox.didSend() }
            return true
        } catch {
            // After any other error, the reports that the other process sent before its end are read first.
            let isFull = [EAGAIN, ENOBUFS, ENOMEM].contains(error.errno)
            if isFull, !isWaitingForRoom { listen(to: socket, for: [.read, .write]) }
            return false
        }
    }

    /// Sends what is waiting, as far as there is room.
    private func sendWaiting() {
        guard let socket else { return }
        if isWaitingForRoom { listen(to: socket, for: .read) }
        if needsSetup {
            needsSetup = !send(.setup(setup))
            if needsSetup { return }
            expectAnswer()
        }
        if needsState, let state { needsState = !send(.state(state)) }
        while let next = outbox.next, send(.message(next)) {}
    }

    // MARK: Reports

    private func receive() {
        var left = NetworkReport.packetLimit
        while let socket {
            switch socket.receive(
                NetworkReport.self, limit: NetworkReport.packetLimit, takesDescriptor: true, left: &left)
            {
            case .nothing: return
            case .end:
                var entry = pollfd(fd: socket.descriptor, events: 0, revents: 0)
                poll(&entry, 1, 0)
                let isClosed = entry.revents & Int16(POLLHUP) != 0
                return ended(isClosed ? nil : "touchd-network sent an invalid packet; is it of another version?")
            case .value(let report, let descriptor):
                switch handle(report.printable, descriptor) {
                case .outcome:
                    delays.restart()
                    checkRequests()
                case .news where reports.take(): break
                case .news: return ended("touchd-network sent more than \(Int(Self.reportRate)) reports in a second")
                case .invalid: return ended("touchd-network sent an invalid report; is it of another version?")
                }
            }
        }
    }

    private enum Effect {
        /// A message's outcome is known, or that it must not be sent twice.
        case outcome
        case news, invalid
    }

    private func handle(_ report: NetworkReport, _ descriptor: PassedDescriptor?) -> Effect {
        switch report {
        case .hello(let version):
            guard version == NetworkHello.currentVersion else { return .invalid }
            (hasFailed, hasAnswered) = (false, true)
            timer?.invalidate()
            outbox.restartLimits()
            checkRequests()
        case .problems(let problems):
            timer?.invalidate()
            self.report(.problems(problems))
        case .begun(let number):
            guard outbox.hasUsed(number) else { return .invalid }
            return outbox.begun(number) ? .outcome : .news
        case .done(let numbers):
            guard numbers.allSatisfy(outbox.hasUsed) else { return .invalid }
            return numbers.count { outbox.ended($0) != nil } > 0 ? .outcome : .news
        case .failed(let number, let reason):
            guard outbox.hasUsed(number) else { return .invalid }
            guard let entry = outbox.ended(number) else { return .news }
            fail(entry, reason)
            return .outcome
        case .peer(let peer):
            if peers[peer.name] != nil || isNeeded(peer.name), isListed(peer.name) { change(peer) }
        case .command(let command): self.report(.command(command))
        case .refused(let kind, let reason): self.report(.refused(kind, reason: reason))
        case .datagram(let index):
            guard let descriptor else { return .invalid }
            guard setup.datagrams.indices.contains(index) else { break }
            change(PeerState { ($0.name, $0.phase) = (setup.datagrams[index].name, .connected) })
            self.report(.datagrams(descriptor))
        }
        return .news
    }

    private func fail(_ entry: Outbox.WaitingMessage, _ reason: String) {
        dropped(entry.message.peer)
        didFail(entry.handler, entry.failure(reason))
    }

    /// Fails the requests whose time is over: the other process hangs, or cannot be started.
    private func checkRequests() {
        let (entries, next) = outbox.overdue(at: .now, patience: Self.requestPatience)
        if let next { requestTimer.reschedule(at: next) } else { requestTimer.cancel() }
        for (entry, reason) in entries { fail(entry, reason) }
    }

    private func dropped(_ name: String) {
        peers[name]?.dropped += 1
        if let peer = peers[name] { report(.peer(peer, former: peer)) }
    }

    private func change(_ new: PeerState) {
        let former = peers[new.name]
        var peer = new
        peer.since = former?.phase == peer.phase ? former?.since : Date.now.utcText
        peer.dropped = former?.dropped ?? 0
        peers[peer.name] = peer
        report(.peer(peer, former: former))
    }
}
