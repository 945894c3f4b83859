import Handlers
import Logging

/// Logs published messages in a run without a control socket, so that they are visible when a layout is tried by hand.
final class LoggedPublisher: Publisher {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        logger.notice("published to \(topic): \(isPrivate ? "(private)" : message)")
    }
}
