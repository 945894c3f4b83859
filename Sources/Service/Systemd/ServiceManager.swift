import CLibsystemd
import Glibc

/// What touchd tells systemd of itself (`sd_notify(3)`); without systemd, nothing happens.
enum ServiceManager {
    /// touchd answers touches from now on.
    static func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

    /// The one line that `systemctl status` shows.
    static func status(_ status: String) { notify("STATUS=\(status)") }

    /// A new layout is being read. systemd matches the moment with the `READY=1` that follows.
    static func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// touchd is on its way out.
    static func stopping() { notify("STOPPING=1") }

    private static func notify(_ state: String) { _ = sd_notify(0, state) }
}
