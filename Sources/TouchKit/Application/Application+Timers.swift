import Foundation

/// Something that is to be done at a moment of the devices' clock.
public final class FrameTimer {
    private let timer: GestureTimers.Timer

    fileprivate init(_ timer: GestureTimers.Timer) { self.timer = timer }

    /// Makes sure that it is not done.
    public func cancel() { timer.cancel() }
}

extension Application {
    /// Has something done at a moment of the devices' clock, in seconds: that of `Event.timestamp`.
    ///
    /// Frames carry that clock on, and an attached run loop does where no frame comes; so a recording gives the same
    /// result at any speed. What is due is done before the next frame is looked at, in the order of the moments.
    /// - Returns: what takes it back.
    public func schedule(at timestamp: TimeInterval, _ body: @escaping () -> Void) -> FrameTimer {
        FrameTimer(gestures.schedule(at: timestamp, body))
    }
}
