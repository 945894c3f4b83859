import ControlProtocol
import EventLoop
import Foundation
import Layout
import Logging

/// Monitors the run loop.
extension Daemon {
    /// The limits of systemd's watchdog; nil if the unit has none.
    var watchdogTimes: Watchdog.Times? {
        guard let unit = ServiceManager.watchdogInterval else { return nil }
        return Watchdog.Times(layout.scene?.document.watchdog ?? WatchdogSpec(), unit: unit)
    }

    /// Feeds systemd's watchdog if the unit has one. Logs the handler that blocks the loop.
    func makeWatchdog(_ times: Watchdog.Times) -> Watchdog? {
        let logger = logger, running = runner.running, meter = loop.meter ?? RunLoopMeter()
        loop.meter = meter
        do {
            ServiceManager.setWatchdog(times.restart)
            return try Watchdog(times, loop: loop, busyTime: meter.busyTime, feed: { ServiceManager.alive() }) {
                // Runs on another thread, because the main thread is blocked.
                let name = running.current?.name
                let culprit = name.map { "the handler '\($0)'" } ?? "code outside of handlers"
                var metadata = MessageID.handlerStuck.metadata
                if let name { metadata["TOUCHD_HANDLER"] = "\(name)" }
                logger.critical(
                    """
                    \(culprit) has not returned for \(text(times.warning)), and no touch is delivered; systemd restarts \
                    touchd after \(text(times.restart))
                    """,
                    metadata: metadata)
            }
        } catch {
            logger.error("cannot send watchdog notifications to systemd, which will restart touchd: \(error)")
            return nil
        }
    }

    /// Measures the loop's callbacks and logs those that delay touches.
    func watchCallbacks() {
        // Touches of a recording have no user who waits.
        guard options.source.isLive else { return }
        // Users perceive a response within a tenth of a second as immediate (Nielsen, Response Times: The 3 Important
        // Limits). One line a minute is enough, because a slow callback is usually slow each time.
        var quietUntil = Deadline(nanoseconds: 0)
        loop.meter = RunLoopMeter(budget: .milliseconds(100)) { [logger] overrun in
            guard quietUntil.isPast else { return }
            quietUntil = .after(.seconds(60))
            logger.warning(
                "touches waited \(milliseconds(overrun.duration)) ms for \(overrun.name)",
                metadata: MessageID.handlerSlow.metadata)
        }
    }
}

private nonisolated func text(_ duration: Duration) -> String { String(format: "%g s", seconds(duration)) }

private func milliseconds(_ duration: Duration) -> Int { Int(seconds(duration) * 1000) }
