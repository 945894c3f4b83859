import EventLoop
import Foundation

/// The clock of the devices' frames. A recording advances it by its frames; for a live application the run loop does
/// too.
extension Application {
    /// A scheduled closure, and how to cancel it.
    public final class ScheduledAction {
        private let timer: GestureTimers.Timer

        fileprivate init(_ timer: GestureTimers.Timer) { self.timer = timer }

        /// Cancels the closure.
        public func cancel() { timer.cancel() }
    }

    /// The current time in seconds: on the monotonic clock if the application follows it, otherwise the time that the
    /// frames have reached.
    public var currentTime: TimeInterval {
        let timers = gestures.timers
        guard timers.onEarlier != nil else { return timers.moment }
        return max(timers.moment, TimeInterval(Deadline.now.nanoseconds) / 1e9)
    }

    /// Runs a closure at a given time in seconds on that clock, on the main actor and outside of any delivery.
    ///
    /// Due closures run before the next frame is processed, so a recording gives the same result at any speed.
    /// Foundation's `Timer`, `asyncAfter` and `Task.sleep` do not follow this clock: in a replay they fire at their real
    /// time, which may be after its end, and in a test that runs no run loop a `Timer` never fires.
    @discardableResult
    public func schedule(at moment: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        ScheduledAction(gestures.timers.schedule(at: moment, body))
    }
}
