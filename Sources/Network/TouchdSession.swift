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
final class TouchdSession {
    /// How many outcomes are kept: as many messages as touchd keeps.
    static let outcomeLimit = 512

    let name: String
    /// The connection; nil while touchd has none.
    var connection: TouchdConnection? {
        didSet { channel.state.withLock { $0.socket = connection?.socket } }
    }
    /// The connection for the threads of requests.
    let channel = ReportChannel()

    private let logger: Logger
    private var pending: Set<Int> = []
    private var outcomes: Deque<(number: Int, report: NetworkReport)> = []

    /// Whether it could tell touchd the outcome of a message that is sent again.
    var hasOutcomes: Bool { !outcomes.isEmpty }

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
