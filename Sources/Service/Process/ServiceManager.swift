import CLibsystemd
import CLinux
import EventLoop
import Foundation

/// Notifies systemd of touchd's state (`sd_notify(3)`); does nothing without systemd.
///
/// Notifications during delivery use a persistent nonblocking socket. If systemd's queue is full, a status line is
/// lost, and a later one reports the state at that time.
package enum ServiceManager {
    private static let sender = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"].flatMap {
        try? DatagramSender(path: $0)
    }

    /// Whether systemd started this process directly (systemd.exec(5), SYSTEMD_EXEC_PID), so that no user vouches for
    /// its arguments.
    static let isService = ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"] == "\(getpid())"

    /// The interval of systemd's watchdog (`WatchdogSec=`), or nil without one.
    static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    /// Reports that touchd delivers touches.
    static func ready(status: String) { notify("READY=1\nSTATUS=\(line(status))", isVital: true) }

    /// Sends the line that `systemctl status` shows; returns whether it need not be sent again.
    static func status(_ status: String) -> Bool { notify("STATUS=\(line(status))") }

    /// Sets the time without `alive()` after which systemd restarts the service. The unit's `WatchdogSec=` applies again
    /// at the next start.
    static func setWatchdog(_ interval: Duration) {
        let (seconds, attoseconds) = interval.components
        // In integers: a floating-point number of microseconds can be beyond the greatest integer.
        notify("WATCHDOG_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)", isVital: true)
    }

    /// Feeds the watchdog of a unit from its loop, at intervals as systemd recommends (sd_watchdog_enabled(3)).
    package static func feedWatchdog(from loop: EpollRunLoop) {
        guard let interval = watchdogInterval else { return }
        loop.add(RunLoopTimer(name: "watchdog", after: .zero, repeating: interval / 2) { _ in alive() })
    }

    static func alive() { notify("WATCHDOG=1") }

    /// Reports that a reload begins. systemd matches its time with the `READY=1` that follows.
    static func reloading() {
        let microseconds = Deadline.now.nanoseconds / 1000
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", isVital: true)
    }

    static func stopping() { notify("STOPPING=1", isVital: true) }

    @discardableResult
    private static func notify(_ state: String, isVital: Bool = false) -> Bool {
        guard let sender else { return true }
        var text = state
        let outcome = text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) }
        // systemd acts upon these states, so a blocking send is justified; libsystemd's socket blocks.
        if isVital, outcome != .sent { _ = sd_notify(0, state) }
        return outcome != .full
    }

    /// Replaces newlines, because a newline would start another assignment.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
