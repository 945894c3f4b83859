import EventLoop
import Foundation
import Logging

/// Feeds systemd's watchdog from the run loop. If a handler never returns, systemd kills the process and restarts it
/// (systemd.service(5), `WatchdogSec=`).
///
/// Before that, another thread logs the handler's name. It sleeps unless the loop is late.
final class Watchdog {
    private let alarm: LateAlarm
    private let timer: RunLoopTimer

    /// Starts to feed the watchdog.
    ///
    /// - Parameters:
    ///   - interval: The time after the last message at which systemd kills the process. The watchdog is fed twice per
    ///     interval.
    ///   - loop: The monitored loop.
    ///   - feed: Sends the message to systemd.
    ///   - late: Called on another thread, once, when three quarters of the interval have passed without a message.
    /// - Throws: If no descriptor is left.
    init(
        interval: Duration, loop: EpollRunLoop, feed: @escaping () -> Void, late: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let alarm = try LateAlarm(report: late)
        let timeout = interval / 4 * 3
        let timer = RunLoopTimer(name: "touchd.watchdog", after: .zero, repeating: interval / 2) { _ in
            feed()
            alarm.postpone(by: timeout)
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
