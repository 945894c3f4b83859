import Layout

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
