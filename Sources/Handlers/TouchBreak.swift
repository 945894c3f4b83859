import Foundation
import Logging
import TouchKit

/// A period during which all touches are dropped, so that a screen can be cleaned.
///
/// Breaks do not add up: the one that ends last counts.
package final class TouchBreak {
    private let application: Application
    private let logger: Logger
    private var end: TimeInterval?
    private var timer: Application.ScheduledAction?

    init(application: Application, logger: Logger) {
        self.application = application
        self.logger = logger
    }

    /// The remaining seconds of the break; nil outside a break.
    package var remaining: TimeInterval? { end.map { max(0, $0 - application.currentTime) } }

    /// Drops all touches for a number of seconds from now and cancels the touches that are down. Never shortens a
    /// break.
    package func begin(for seconds: TimeInterval) {
        let new = application.currentTime + seconds
        guard seconds > 0, new > end ?? 0 else { return }
        let isFirst = end == nil
        end = new
        timer?.cancel()
        timer = application.schedule(at: new) { [weak self] in self?.finish() }
        logger.notice("touches are ignored for \(FactValue.measure(seconds).text) s")
        if isFirst { application.beginIgnoringInteractionEvents() }
    }

    /// Ends the break immediately; does nothing outside a break.
    ///
    /// A finger that came down during the break stays ignored until it is lifted.
    package func finish() {
        guard end != nil else { return }
        end = nil
        timer?.cancel()
        timer = nil
        application.endIgnoringInteractionEvents()
        logger.notice("touches are delivered again")
    }
}
