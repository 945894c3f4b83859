import ControlProtocol
import DequeModule
import EventLoop
import Logging
import Synchronization

/// One run of touchd: its last outcomes, and its present connection.
///
/// touchd may close its connection and open another one for the same session. It then sends again what it knows no
/// outcome of, and an outcome is reported again.
final class TouchdSession {
    /// How many outcomes are kept: as many messages as touchd keeps.
    static let outcomeLimit = 512

    let name: String
    /// The connection; nil while touchd has none.
    var connection: TouchdConnection? {
        didSet { socket.withLock { $0 = connection?.socket } }
    }
    /// The socket of the connection, for the threads of requests.
    nonisolated let socket = Mutex<PacketSocket?>(nil)
    /// Whether another run has followed, so that nobody asks for outcomes.
    var isOver = false {
        didSet { outcomes = [] }
    }

    private let logger: Logger
    private var outcomes: Deque<(number: Int, report: NetworkReport)> = []

    /// Whether it could tell touchd the outcome of a message that is sent again.
    var hasOutcomes: Bool { !outcomes.isEmpty }

    init(_ name: String, logger: Logger) { (self.name, self.logger) = (name, logger) }

    /// Reports the outcome of a message again; returns whether it has one.
    func repeatOutcome(of number: Int) -> Bool {
        guard let outcome = outcomes.first(where: { $0.number == number }) else { return false }
        connection?.send(outcome.report)
        return true
    }

    /// Keeps the outcome of a message, and reports it.
    func settle(_ message: OutgoingMessage, _ outcome: NetworkReport) {
        if !isOver { outcomes.append((message.number, outcome)) }
        if outcomes.count > Self.outcomeLimit { outcomes.removeFirst() }
        if let connection {
            connection.send(outcome)
        } else if case .failed(_, let reason) = outcome {
            logger.warning("\(message.handler): not sent to \(message.peer): \(reason)")
        }
    }
}
