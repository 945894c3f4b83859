/// Calls a handler at a moment, once or at an interval.
///
/// A repeating timer keeps to its first deadline plus whole intervals and skips those it missed, as CFRunLoopTimer does,
/// so it never drifts and never fires twice to catch up. A timer belongs to one loop and can be in several of its modes.
public final class RunLoopTimer {
    /// What reports about this timer call it.
    public let name: String
    /// The time between firings, or nil for a timer that fires once and is then invalid.
    public let interval: Duration?
    /// How much later than its deadline it may fire, so that it can share a wake-up with a neighbour.
    public let tolerance: Duration
    /// The clock of its deadlines.
    public let clock: RunLoopClock

    /// The handler; nil once invalidated, so that what it captured is let go.
    @exclusivity(unchecked) var handler: ((RunLoopTimer) -> Void)?
    /// The queue it is in.
    ///
    /// Safe without counting: a loop that goes clears this in every timer it has.
    @exclusivity(unchecked) unowned(unsafe) var queue: TimerQueue?
    /// The loop it is in, in one of its queues or firing.
    @exclusivity(unchecked) unowned(unsafe) var loop: EpollRunLoop?
    /// When it may fire, in nanoseconds of its clock.
    @exclusivity(unchecked) var due: Int64
    /// The interval in nanoseconds, 0 for none.
    let period: Int64
    /// The tolerance in nanoseconds.
    let slack: Int64
    /// Its place in the queue's heap, -1 when it is in none.
    @exclusivity(unchecked) var place = -1
    /// The modes it is in.
    @exclusivity(unchecked) var modes: ModeSet = []
    /// Whether it was added to the common set.
    @exclusivity(unchecked) var isCommon = false
    /// Whether its handler is running; it does not fire in a run nested there.
    @exclusivity(unchecked) var isFiring = false
    /// Whether its deadline was set anew by its own handler.
    @exclusivity(unchecked) var isRescheduled = false

    /// Makes a timer that fires a while from now.
    ///
    /// - Parameters:
    ///   - name: What reports about this timer call it.
    ///   - delay: How long from now until it fires; zero or less fires in the loop's next pass.
    ///   - interval: The time between later firings, or nil to fire once. Must be positive.
    ///   - tolerance: How much later it may fire.
    ///   - clock: The clock to follow.
    ///   - handler: Called on the loop's thread with the timer.
    public convenience init(
        name: String, after delay: Duration, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        clock: RunLoopClock = .monotonic, handler: @escaping (RunLoopTimer) -> Void
    ) {
        self.init(
            name: name, at: .after(delay, on: clock), repeating: interval, tolerance: tolerance, handler: handler)
    }

    /// Makes a timer that fires at a moment, on that moment's clock; the other parameters are as above.
    public init(
        name: String, at deadline: Deadline, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        handler: @escaping (RunLoopTimer) -> Void
    ) {
        precondition(interval.map { $0 >= .nanoseconds(1) } ?? true, "timer “\(name)”: the interval must be positive")
        precondition(tolerance >= .zero, "timer “\(name)”: the tolerance must not be negative")
        self.name = name
        self.interval = interval
        self.tolerance = tolerance
        self.clock = deadline.clock
        self.handler = handler
        due = deadline.nanoseconds
        period = interval?.clampedNanoseconds ?? 0
        slack = tolerance.clampedNanoseconds
    }

    /// Whether the timer can still fire.
    public var isValid: Bool { handler != nil }

    /// When it fires next.
    public var deadline: Deadline { Deadline(nanoseconds: due, clock: clock) }

    /// The last moment at which it may fire.
    var latest: Int64 {
        let (sum, overflow) = due.addingReportingOverflow(slack)
        return overflow ? .max : sum
    }

    /// Has the timer fire a while from now instead; a repeating timer then counts its intervals from there.
    ///
    /// Allowed in its own handler, where it keeps a timer that fires once valid. Does nothing to an invalid timer.
    public func reschedule(after delay: Duration) { reschedule(at: .after(delay, on: clock)) }

    /// Has the timer fire at a moment of its own clock instead.
    public func reschedule(at deadline: Deadline) {
        precondition(deadline.clock == clock, "timer “\(name)”: the deadline is on another clock")
        guard isValid else { return }
        if isFiring {
            due = deadline.nanoseconds
            isRescheduled = true
        } else if let queue {
            queue.remove(self)
            loop?.needsArming = true
            due = deadline.nanoseconds
            queue.insert(self)
        } else {
            due = deadline.nanoseconds
        }
    }

    /// Takes the timer out of its loop for good and lets go of its handler; allowed anywhere, its own handler included.
    public func invalidate() {
        loop?.remove(self)
        handler = nil
    }
}
