import ControlProtocol
import EventLoop
import Logging

/// What watches over the run loop.
extension Daemon {
    /// Feeds systemd's watchdog, where the unit has one, and names the handler that keeps the loop from it.
    func startWatchdog() -> Watchdog? {
        guard let interval = ServiceManager.watchdogInterval else { return nil }
        let logger = logger, running = runner.running
        do {
            return try Watchdog(interval: interval, loop: loop, feed: { ServiceManager.alive() }) {
                // Not on the main thread: it is the one that does not come back.
                let name = running.current?.name
                let culprit = name.map { "the handler '\($0)'" } ?? "something that is no handler"
                var metadata = MessageID.handlerStuck.metadata
                if let name { metadata["TOUCHD_HANDLER"] = "\(name)" }
                logger.critical(
                    "\(culprit) does not return, and no touch is delivered; systemd will restart touchd",
                    metadata: metadata)
            }
        } catch {
            logger.error("systemd is not told whether touches are delivered, and will restart touchd: \(error)")
            return nil
        }
    }

    /// Measures the loop's callbacks, and says which of them kept touches waiting.
    func watchCallbacks() {
        // A recording's touches wait for nobody.
        guard options.source.isLive else { return }
        // A tenth of a second is what people take for at once (Nielsen, Response Times: The 3 Important Limits). One line a
        // minute says as much as a thousand: the slow one is slow each time.
        var quietUntil = Deadline(nanoseconds: 0)
        loop.meter = RunLoopMeter(budget: .milliseconds(100)) { [logger] overrun in
            guard quietUntil.isPast else { return }
            quietUntil = .after(.seconds(60))
            logger.warning(
                "touches waited \(milliseconds(overrun.duration)) ms for \(overrun.name)",
                metadata: MessageID.handlerSlow.metadata)
        }
    }

    /// Writes the metrics file, where one was asked for.
    func startMetricsFile() -> MetricsFile? {
        options.metricsFile.map { path in
            MetricsFile(path: path, loop: loop, logger: logger) { [unowned self] in OpenMetrics(report).text }
        }
    }
}

private func milliseconds(_ duration: Duration) -> Int { Int(seconds(duration) * 1000) }
