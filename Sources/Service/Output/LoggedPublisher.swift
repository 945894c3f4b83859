import Handlers
import Logging

/// Writes what is published where there is no control socket, so that who tries a layout by hand sees it.
final class LoggedPublisher: Publisher {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        logger.notice("published to \(topic): \(isPrivate ? "(private)" : message)")
    }
}
