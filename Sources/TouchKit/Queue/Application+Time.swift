import EventLoop
import Foundation

extension Application {
    /// This moment on the devices' clock, in seconds: that of `Event.timestamp`.
    ///
    /// It is the monotonic clock's where the application follows that, and else where the frames have come to.
    public var currentTime: TimeInterval {
        let timers = gestures.timers
        guard timers.onChange != nil else { return timers.moment }
        return max(timers.moment, TimeInterval(Deadline.now.nanoseconds) / 1e9)
    }
}
