import Basics
import CLinux
import ControlProtocol
import EventLoop
import Foundation
import Glibc
import Handlers
import Layout
import Logging

/// When a callback that does not return is logged, and when systemd restarts the service because of it (systemd.service(5),
/// `WatchdogSec=`).
nonisolated struct WatchdogTimes: Equatable, Sendable {
    /// The time after which the handler is logged.
    var warning: Duration
    /// The time without a message after which systemd restarts the service.
    var restart: Duration

    /// Applies a layout's `watchdog:` to the unit's `WatchdogSec=`. The warning comes before the restart.
    init(_ spec: WatchdogSpec, unit: Duration) {
        restart = spec.restart ?? unit
        warning = min(spec.warning, restart * 3 / 4)
    }

    /// The time between two messages: even a hang that begins just before a message is logged before the restart.
    var interval: Duration { min((restart - warning) / 2, warning / 2) }
}

/// Monitors the run loop: feeds systemd's watchdog from it, logs callbacks that delay touches, and acts when one does not
/// return.
final class Watchdog {
    /// The layout's `watchdog:`.
    var spec = WatchdogSpec() {
        didSet { if feed != nil { start() } }
    }
    /// Gives forwarded panels back; nil while no panel is forwarded.
    var panelLimit: LoopWatch.Limit? {
        didSet { updateLimits() }
    }

    private let loop: EpollRunLoop
    private let logger: Logger
    private let running: RunningHandler
    /// The timer that feeds systemd's watchdog, and the times that it was started with.
    private var feed: (times: WatchdogTimes, timer: RunLoopTimer)?
    private var watch: LoopWatch?

    init(loop: EpollRunLoop, logger: Logger, running: RunningHandler) {
        (self.loop, self.logger, self.running) = (loop, logger, running)
    }

    /// The limits of systemd's watchdog; nil if the unit has none.
    var times: WatchdogTimes? { ServiceManager.watchdogInterval.map { WatchdogTimes(spec, unit: $0) } }

    /// Measures the loop's callbacks, logs those that delay touches, and starts the thread that notices one that does not
    /// return.
    ///
    /// - Parameter isLive: Whether touches have users who wait, and are not those of a recording.
    func measure(isLive: Bool) throws(SystemError) {
        guard isLive || ServiceManager.watchdogInterval != nil else { return }
        // Users perceive a response within a tenth of a second as immediate (Nielsen, Response Times: The 3 Important
        // Limits). One line a minute is enough, because a slow callback is usually slow each time.
        var lines = TokenBucket(rate: 1 / 60, capacity: 1)
        let meter = RunLoopMeter(budget: .milliseconds(100)) { [logger] overrun in
            guard lines.take() else { return }
            logger.warning(
                "touches waited \(Int(overrun.duration / .milliseconds(1))) ms for \(overrun.name)",
                metadata: MessageID.handlerSlow.metadata)
        }
        watch = try LoopWatch(meter.busyTime)
        loop.meter = meter
    }

    /// Starts to feed systemd's watchdog from the run loop, if the unit has one.
    func start() {
        if let times, times != feed?.times {
            feed?.timer.invalidate()
            ServiceManager.setWatchdog(times.restart)
            let timer = RunLoopTimer(name: "touchd.watchdog", after: .zero, repeating: times.interval) { _ in
                ServiceManager.alive()
            }
            feed = (times, loop.add(timer))
        }
        updateLimits()
    }

    func stop() {
        feed?.timer.invalidate()
        watch?.setLimits(nil)
    }

    private func updateLimits() {
        watch?.setLimits([feed.map { warning($0.times) }, panelLimit].compactMap(\.self))
    }

    /// Logs the handler that blocks the loop.
    private func warning(_ times: WatchdogTimes) -> LoopWatch.Limit {
        LoopWatch.Limit(duration: times.warning) { [logger, running] in
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
}

private nonisolated func text(_ duration: Duration) -> String { String(format: "%g s", duration / .seconds(1)) }
