import EventLoop
import Foundation

/// The clock of the devices' frames, which a recording carries on by itself and a live application's run loop does too.
extension Application {
    /// Something that is to be done at a moment, and the means to call it off.
    public final class ScheduledAction {
        private let timer: GestureTimers.Timer

        fileprivate init(_ timer: GestureTimers.Timer) { self.timer = timer }

        /// Makes sure that it is not done.
        public func cancel() { timer.cancel() }
    }

    /// This moment in seconds: on the monotonic clock where the application follows it, and else where the frames have come to.
    public var currentTime: TimeInterval {
        let timers = gestures.timers
        guard timers.onEarlier != nil else { return timers.moment }
        return max(timers.moment, TimeInterval(Deadline.now.nanoseconds) / 1e9)
    }

    /// Has something done at a moment of that clock, in seconds, on the main actor and outside of any delivery.
    ///
    /// What is due is done before the next frame is looked at, so a recording gives the same result at any speed.
    @discardableResult
    public func schedule(at moment: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        ScheduledAction(gestures.timers.schedule(at: moment, body))
    }
}
