import ControlProtocol
import DequeModule
import EventLoop
import Glibc
import Logging
import Synchronization

/// One run of touchd: its messages that have no outcome yet, its last outcomes, and its present connection.
///
/// touchd may close its connection and open another one for the same session. It then sends again what it knows no
/// outcome of. A message that is still here is not queued twice, and an outcome is reported again.
final class NetworkSession {
    /// How many outcomes are kept: as many messages as touchd keeps.
    static let outcomeLimit = 512

    let name: String
    /// The connection; nil while touchd has none.
    var connection: NetworkConnection? {
        didSet { channel.state.withLock { $0.socket = connection?.socket } }
    }
    /// The connection for the threads of requests.
    let channel = ReportChannel()

    private let logger: Logger
    private var pending: Set<Int> = []
    private var outcomes: Deque<(number: Int, report: NetworkReport)> = []

    init(_ name: String, logger: Logger) { (self.name, self.logger) = (name, logger) }

    /// Notes a message and returns whether it is new; for another one it reports again what is known.
    func accept(_ number: Int) -> Bool {
        if let outcome = outcomes.first(where: { $0.number == number }) {
            connection?.send(outcome.report)
            return false
        }
        if pending.insert(number).inserted { return true }
        if channel.state.withLock({ $0.begun.contains(number) }) { connection?.send(.begun(number)) }
        return false
    }

    /// Reports that a message is about to be sent that must not be sent twice.
    ///
    /// - Returns: Whether the kernel has the report, or nobody waits for it.
    func begin(_ number: Int) -> Bool {
        if channel.state.withLock({ $0.begun.insert(number).inserted }) { connection?.send(.begun(number)) }
        return connection?.hasBacklog != true
    }

    func done(_ message: OutgoingMessage) {
        settle(message, .done([message.number]))
        connection?.reportDone(message.number)
    }

    func fail(_ message: OutgoingMessage, _ reason: String) {
        let report = NetworkReport.failed(message.number, reason: reason)
        settle(message, report)
        if let connection {
            connection.send(report)
        } else {
            logger.warning("\(message.handler): not sent to \(message.peer): \(reason)")
        }
    }

    private func settle(_ message: OutgoingMessage, _ report: NetworkReport) {
        pending.remove(message.number)
        _ = channel.state.withLock { $0.begun.remove(message.number) }
        outcomes.append((message.number, report))
        if outcomes.count > Self.outcomeLimit { outcomes.removeFirst() }
    }
}

/// A message with the session that its outcome is reported to.
struct Delivery {
    let session: NetworkSession
    let message: OutgoingMessage

    func done() { session.done(message) }
    func fail(_ reason: String) { session.fail(message, reason) }
}

/// The part of a session that threads of requests use: they report `begun` right before the first byte.
nonisolated final class ReportChannel: Sendable {
    struct State {
        /// The socket of the session; nil while it has none.
        var socket: PacketSocket?
        /// The messages without an outcome that are reported as begun.
        var begun: Set<Int> = []
    }

    let state = Mutex(State())

    /// Reports that a request begins; returns false if touchd does not read for a second.
    func begin(_ number: Int) -> Bool {
        for isLast in [false, true] {
            let (isNew, socket) = state.withLock { ($0.begun.insert(number).inserted, $0.socket) }
            // Without a session touchd has ended, and nobody sends the request a second time.
            guard isNew, let socket else { return true }
            do {
                try socket.send(NetworkReport.begun(number))
                return true
            } catch {
                guard error.errno == EAGAIN else { return true }
                _ = state.withLock { $0.begun.remove(number) }
                var room = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
                if !isLast { poll(&room, 1, 1000) }
            }
        }
        return false
    }
}

/// A connection of touchd: its orders, and the reports to it.
final class NetworkConnection {
    /// The purpose of the connection, by its first packet.
    enum Role { case unknown, probe, session(NetworkSession) }

    /// How many reports may wait for touchd to read: more than it has messages, twice.
    private static let backlogLimit = 4096

    let socket: PacketSocket
    var role = Role.unknown
    var lastNumber = Int.min
    var didBecomeReadable: () -> Void = {}
    /// Called when all reports are sent that had to wait.
    var didFlush: () -> Void = {}

    private let loop: EpollRunLoop
    private var source: DescriptorSource?
    private var isReading = true
    private var backlog: Deque<(packet: [UInt8], descriptor: Int32)> = []
    private var doneNumbers: [Int] = []

    /// Takes ownership of a connected socket.
    init(_ descriptor: Int32, loop: EpollRunLoop) {
        socket = PacketSocket(descriptor)
        self.loop = loop
    }

    isolated deinit { close() }

    /// Whether reports wait because touchd does not read.
    var hasBacklog: Bool { !backlog.isEmpty }
    var isOpen: Bool { source != nil }

    /// Reads no more orders.
    func stopReading() {
        isReading = false
        if isOpen { watch() }
    }

    /// Forgets the connection; the socket is closed when no request's thread uses it any more.
    func close() {
        reportDoneNumbers()
        source?.invalidate()
        source = nil
        for (_, descriptor) in backlog where descriptor >= 0 { Glibc.close(descriptor) }
        backlog = []
    }

    /// Sends a report, and a descriptor, which it closes.
    func send(_ report: NetworkReport, descriptor: Int32 = -1) {
        backlog.append((report.jsonLine, descriptor))
        if backlog.count == 1 { flush() }
    }

    /// Reports that a message has arrived, together with the others of this pass: touchd reads few reports in a pass.
    func reportDone(_ number: Int) {
        doneNumbers.append(number)
        if doneNumbers.count == 1 { loop.perform(in: .common) { [weak self] in self?.reportDoneNumbers() } }
    }

    private func reportDoneNumbers() {
        guard !doneNumbers.isEmpty else { return }
        send(.done(doneNumbers))
        doneNumbers = []
    }

    private func flush() {
        while let (packet, descriptor) = backlog.first {
            do {
                try socket.send(packet, descriptor: descriptor)
            } catch  where [EAGAIN, ENOBUFS, ENOMEM].contains(error.errno) {
                if backlog.count > Self.backlogLimit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
                if isOpen { watch(writing: true) }
                return
            } catch {
                // touchd is gone, and its last orders are still to be read.
            }
            if descriptor >= 0 { Glibc.close(descriptor) }
            backlog.removeFirst()
        }
    }

    /// Starts to receive, or waits for other events.
    func watch(writing: Bool = false) {
        source?.invalidate()
        var events: DescriptorSource.Events = []
        if isReading { events.insert(.read) }
        if writing { events.insert(.write) }
        source = loop.add(
            DescriptorSource(name: "touchd", descriptor: socket.descriptor, events: events) { [weak self] ready in
                guard let self else { return }
                if ready.contains(.write) {
                    flush()
                    if !hasBacklog {
                        watch()
                        didFlush()
                    }
                }
                if !ready.isDisjoint(with: [.read, .hangUp, .error]) { didBecomeReadable() }
            })
    }
}
