import EventLoop
import Foundation

/// A scheduled closure, and how to cancel it.
@MainActor @preconcurrency public final class ScheduledAction {
    fileprivate let deadline: TimeInterval
    fileprivate var body: (() -> Void)?
    private weak var owner: GestureTimers?

    fileprivate init(deadline: TimeInterval, owner: GestureTimers, body: @escaping () -> Void) {
        self.deadline = deadline
        self.owner = owner
        self.body = body
    }

    // For the reason given at `Touch`.
    nonisolated deinit {}

    /// Cancels the closure.
    public func cancel() {
        guard body != nil else { return }
        body = nil
        owner?.remove(self)
    }
}

/// Timers on the clock of the devices' frames.
///
/// Frames advance the clock: due timers fire before the next frame is processed, so a recording gives the same result
/// at any speed. If the application is attached to a run loop, the loop's monotonic clock advances it too; it is the
/// same clock.
final class GestureTimers {
    /// The timers, the earliest deadline first.
    private var timers: [ScheduledAction] = []
    /// The earliest deadline.
    private(set) var next: TimeInterval?
    /// The current time of the clock, in seconds.
    private(set) var moment: TimeInterval = 0
    /// Called with a deadline that is earlier than all existing ones; nil if no run loop's clock advances this one.
    var onEarlier: ((TimeInterval) -> Void)?
    // Read with every frame; not checked at run time, for the reason given at `View.subviews`.
    /// The clock that advanced last: that of a test or a replay while it runs.
    @exclusivity(unchecked) static var latest: GestureTimers?
    /// The last time of the run loop's clock that `limit(_:)` has read.
    private var lastReading: TimeInterval = 0

    /// The present: on the run loop's clock if it advances this one, otherwise the time that the frames have reached.
    var now: TimeInterval { onEarlier == nil ? moment : max(moment, Self.reading) }

    private static var reading: TimeInterval { TimeInterval(Deadline.now.nanoseconds) / 1e9 }

    /// Returns the time of a frame, or the present if the frame's time is later: a driver may set it.
    ///
    /// The clock is read at most ten times a second, so a frame may be ahead by a tenth of a second, which is less than any
    /// limit of a touch's age that a layout can set.
    func limit(_ timestamp: TimeInterval) -> TimeInterval {
        guard timestamp > lastReading + 0.1, onEarlier != nil else { return timestamp }
        lastReading = Self.reading
        return min(timestamp, lastReading)
    }

    /// Schedules a closure for a time in seconds on the frames' clock.
    func schedule(at deadline: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        // Frames count microseconds, so the sum is rounded to the nearest microsecond.
        let deadline = (deadline * 1_000_000).rounded() / 1_000_000
        let timer = ScheduledAction(deadline: deadline, owner: self, body: body)
        var place = timers.count
        while place > 0, timers[place - 1].deadline > deadline { place -= 1 }
        timers.insert(timer, at: place)
        guard place == 0 else { return timer }
        next = deadline
        onEarlier?(deadline)
        return timer
    }

    fileprivate func remove(_ timer: ScheduledAction) {
        for place in timers.indices where timers[place] === timer {
            timers.remove(at: place)
            next = timers.first?.deadline
            return
        }
    }

    /// Advances the clock without firing timers.
    func pass(_ moment: TimeInterval) {
        if Self.latest !== self { Self.latest = self }
        self.moment = max(self.moment, moment)
    }

    /// Fires all timers that are due, the earliest first, and advances the clock.
    func advance(to moment: TimeInterval) {
        while let timer = timers.first, timer.deadline <= moment {
            timers.removeFirst()
            next = timers.first?.deadline
            // A closure sees its own deadline as the current time, even if the clock advances further.
            pass(timer.deadline)
            let body = timer.body
            timer.body = nil
            body?()
        }
        pass(moment)
    }
}

/// UIKit's name for a number of seconds.
public typealias CFTimeInterval = Double

/// The time of the touches' clock in seconds, which their `timestamp` has too (`CACurrentMediaTime()`).
///
/// In a replay and on a test's stage it is the time that the events have reached; otherwise it is the monotonic clock.
@MainActor @preconcurrency
public func CACurrentMediaTime() -> CFTimeInterval { (GestureTimers.latest ?? Application.shared.timers).now }
