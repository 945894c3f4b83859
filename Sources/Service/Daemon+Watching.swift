import ControlProtocol
import EventLoop
import Foundation
import Layout
import Logging

/// Monitors the run loop.
extension Daemon {
    /// The limits of systemd's watchdog; nil if the unit has none.
    var watchdogTimes: WatchdogTimes? {
        guard let unit = ServiceManager.watchdogInterval else { return nil }
        return WatchdogTimes(layout.scene?.document.watchdog ?? WatchdogSpec(), unit: unit)
    }

    /// Starts to feed systemd's watchdog from the run loop.
    func feedWatchdog(_ times: WatchdogTimes) -> RunLoopTimer {
        ServiceManager.setWatchdog(times.restart)
        let timer = RunLoopTimer(name: "touchd.watchdog", after: .zero, repeating: times.interval) { _ in
            ServiceManager.alive()
        }
        loop.add(timer)
        return timer
    }

    /// Logs the handler that blocks the loop.
    func warning(_ times: WatchdogTimes) -> LoopWatch.Limit {
        LoopWatch.Limit(duration: times.warning) { [logger, running = runner.running] in
            // Runs on another thread, because the main thread is blocked.
            let name = running.current
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
    }

    /// Measures the loop's callbacks, logs those that delay touches, and starts the thread that notices one that does not
    /// return.
    func watchCallbacks() throws(SystemError) -> LoopWatch? {
        // Touches of a recording have no user who waits.
        guard options.source.isLive || ServiceManager.watchdogInterval != nil else { return nil }
        // Users perceive a response within a tenth of a second as immediate (Nielsen, Response Times: The 3 Important
        // Limits). One line a minute is enough, because a slow callback is usually slow each time.
        var quietUntil = Deadline(nanoseconds: 0)
        let meter = RunLoopMeter(budget: .milliseconds(100)) { [logger] overrun in
            guard quietUntil.isPast else { return }
            quietUntil = .after(.seconds(60))
            logger.warning(
                "touches waited \(milliseconds(overrun.duration)) ms for \(overrun.name)",
                metadata: MessageID.handlerSlow.metadata)
        }
        let watch = try LoopWatch(meter.busyTime)
        loop.meter = meter
        return watch
    }
}

private nonisolated func text(_ duration: Duration) -> String { String(format: "%g s", seconds(duration)) }

private func milliseconds(_ duration: Duration) -> Int { Int(seconds(duration) * 1000) }
