/// `watchdog:`, the limits for a handler that does not return.
package nonisolated struct WatchdogSpec: Sendable, Equatable {
    /// `warn-after:`, the time after which the handler is logged. Android reports an application as not responding after
    /// this time.
    package var warning = Duration.seconds(5)
    /// `restart-after:`, the time after which systemd restarts the service; nil for `WatchdogSec=` of the unit.
    package var restart: Duration?
    /// `drop-after:`, the time after which a touch that has not begun yet is dropped.
    package var touchAge = Duration.seconds(2)

    /// Makes the defaults.
    package init() {}
}
