import EventLoop
import Foundation
import Layout
import Logging

/// Feeds systemd's watchdog from the run loop. If a handler never returns, systemd kills the process and restarts it
/// (systemd.service(5), `WatchdogSec=`).
///
/// Before that, another thread logs the handler's name. It sleeps unless the loop is late.
final class Watchdog {
    /// When the watchdog acts upon a callback that does not return.
    nonisolated struct Times: Equatable, Sendable {
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

    private let alarm: LateAlarm
    private let timer: RunLoopTimer

    /// Starts to feed the watchdog.
    ///
    /// - Parameters:
    ///   - times: The limits.
    ///   - loop: The monitored loop.
    ///   - busyTime: Since when the loop has been busy.
    ///   - feed: Sends the message to systemd.
    ///   - late: Called on another thread, once, when the loop has been busy for the time of the warning.
    /// - Throws: If no descriptor is left.
    init(
        _ times: Times, loop: EpollRunLoop, busyTime: RunLoopMeter.BusyTime, feed: @escaping () -> Void,
        late: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let limit = times.warning
        let alarm = try LateAlarm {
            guard let since = busyTime.since else { return limit }
            let remaining = since + limit - .now
            guard remaining <= .zero else { return remaining }
            late()
            return nil
        }
        let timer = RunLoopTimer(name: "touchd.watchdog", after: .zero, repeating: times.interval) { _ in
            feed()
            alarm.postpone(by: limit)
        }
        loop.add(timer)
        self.alarm = alarm
        self.timer = timer
    }

    /// Stops feeding. systemd's watchdog keeps running.
    func invalidate() {
        timer.invalidate()
        alarm.end()
    }
}
