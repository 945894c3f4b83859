import EventLoop
import Foundation
import Logging

/// Tells systemd from the run loop that it comes round, so that a handler that never returns is noticed: systemd then ends
/// the process and starts it again (systemd.service(5), `WatchdogSec=`).
///
/// Before it does, the handler is named in the journal, by a thread that sleeps unless the loop is late.
final class Watchdog {
    private let alarm: LateAlarm
    private let timer: RunLoopTimer

    /// Begins to feed the watchdog.
    ///
    /// - Parameters:
    ///   - interval: How long systemd waits, from the last message, until it ends the process. It is told twice as often.
    ///   - loop: The loop that has to come round.
    ///   - feed: Tells systemd.
    ///   - late: Called on another thread, once, when three quarters of the interval have passed without a message.
    /// - Throws: If there is no descriptor left.
    init(
        interval: Duration, loop: EpollRunLoop, feed: @escaping () -> Void, late: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let alarm = try LateAlarm(report: late)
        let patience = interval / 4 * 3
        let timer = RunLoopTimer(name: "touchd.watchdog", after: .zero, repeating: interval / 2) { _ in
            feed()
            alarm.postpone(by: patience)
        }
        loop.add(timer)
        self.alarm = alarm
        self.timer = timer
    }

    /// Ends it; systemd goes on waiting.
    func invalidate() {
        timer.invalidate()
        alarm.end()
    }
}
