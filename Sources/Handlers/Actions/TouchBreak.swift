import Foundation
import Logging
import TouchKit

/// A time in which all touches are thrown away, so that a screen can be cleaned.
///
/// Breaks do not add up: the one that lasts longest counts.
public final class TouchBreak {
    private let application: Application
    private let logger: Logger
    private var end: TimeInterval?
    private var timer: Application.ScheduledAction?

    init(application: Application, logger: Logger) {
        self.application = application
        self.logger = logger
    }

    /// How many seconds of the break are left; nil outside of one.
    public var remaining: TimeInterval? { end.map { max(0, $0 - application.currentTime) } }

    /// Throws touches away for so many seconds from now; those that are down are cancelled. A break never gets shorter by it.
    public func begin(for seconds: TimeInterval) {
        let new = application.currentTime + seconds
        guard seconds > 0, new > end ?? 0 else { return }
        let isFirst = end == nil
        end = new
        timer?.cancel()
        timer = application.schedule(at: new) { [weak self] in self?.finish() }
        logger.notice("touches are ignored for \(FactValue.measure(seconds).text) s")
        if isFirst { application.beginIgnoringInteractionEvents() }
    }

    /// Takes touches again at once; nothing to do outside of a break.
    ///
    /// A finger that came down in it stays ignored until it is lifted.
    public func finish() {
        guard end != nil else { return }
        end = nil
        timer?.cancel()
        timer = nil
        application.endIgnoringInteractionEvents()
        logger.notice("touches are taken again")
    }
}
