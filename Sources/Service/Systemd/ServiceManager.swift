import ControlProtocol
import CLibsystemd
import EventLoop
import Foundation

/// What touchd tells systemd of itself (`sd_notify(3)`); without systemd, nothing happens.
///
/// What is said while touches are delivered is said on a socket that is kept and never waits: where systemd's queue is full,
/// a status line does not get through, and a later one says what holds by then.
enum ServiceManager {
    private static let sender = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"].flatMap {
        try? DatagramSender(path: $0)
    }

    /// Whether systemd started this very process (systemd.exec(5), SYSTEMD_EXEC_PID), so that nobody vouches for what it is
    /// given by starting it.
    static let isService = ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"] == "\(getpid())"

    /// How often systemd wants to hear from touchd (`WatchdogSec=`), or nil where it does not.
    static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    /// touchd answers touches from now on.
    static func ready(status: String) { notify("READY=1\nSTATUS=\(line(status))", isVital: true) }

    /// The one line that `systemctl status` shows; answers whether it need not be sent again.
    static func status(_ status: String) -> Bool { notify("STATUS=\(line(status))") }

    /// The run loop comes round.
    static func alive() { notify("WATCHDOG=1") }

    /// A new layout is being read. systemd matches the moment with the `READY=1` that follows.
    static func reloading() {
        let microseconds = Deadline.now.nanoseconds / 1000
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", isVital: true)
    }

    /// touchd is on its way out.
    static func stopping() { notify("STOPPING=1", isVital: true) }

    @discardableResult
    private static func notify(_ state: String, isVital: Bool = false) -> Bool {
        guard let sender else { return true }
        var text = state
        let outcome = text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) }
        // What systemd acts upon is worth a wait: libsystemd's own socket does.
        if isVital, outcome != .sent { _ = sd_notify(0, state) }
        return outcome != .full
    }

    /// A text that stays in its line: what comes after a newline would be a message of its own.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
