/// Calls a handler at a moment, once or at an interval.
///
/// A repeating timer keeps to its first deadline plus whole intervals and skips those it missed, as CFRunLoopTimer does,
/// so it never drifts and never fires twice to catch up. A timer belongs to one loop and can be in several of its modes.
public final class RunLoopTimer {
    // The first fields are those that arming and cancelling look at, close together for the processor's cache.

    /// The queue of its clock and modes, nil while it is in no loop.
    ///
    /// Safe without counting: a loop that goes clears this in every timer it has.
    @exclusivity(unchecked) var queue: Unmanaged<TimerQueue>?
    /// The loop it is in.
    @exclusivity(unchecked) unowned(unsafe) var loop: EpollRunLoop?
    /// When it may fire, in nanoseconds of its clock.
    @exclusivity(unchecked) var due: Int64
    /// The tolerance in nanoseconds.
    let slack: Int64
    /// Its number in its queue.
    @exclusivity(unchecked) var slot: Int32 = 0
    /// The clock of its deadlines.
    public let clock: RunLoopClock
    /// Whether it is to fire at its deadline.
    @exclusivity(unchecked) public internal(set) var isArmed = true
    /// Whether its handler is running; it does not fire in a run nested there.
    @exclusivity(unchecked) var isFiring = false
    /// Whether it was added to the common set.
    @exclusivity(unchecked) var isCommon = false
    /// Whether it stays valid when it has fired and is not repeating.
    public let isReusable: Bool
    /// The handler; nil once invalidated, so that what it captured is let go.
    @exclusivity(unchecked) var handler: ((RunLoopTimer) -> Void)?
    /// The interval in nanoseconds, 0 for none.
    let period: Int64
    /// The modes it is in.
    @exclusivity(unchecked) var modes: ModeSet = []
    /// What reports about this timer call it.
    public let name: String

    /// The time between firings, or nil for a timer that fires once and is then invalid.
    public var interval: Duration? { period == 0 ? nil : .nanoseconds(period) }
    /// How much later than its deadline it may fire, so that it can share a wake-up with a neighbour.
    public var tolerance: Duration { .nanoseconds(slack) }

    /// Makes a timer that fires a while from now.
    ///
    /// - Parameters:
    ///   - name: What reports about this timer call it.
    ///   - delay: How long from now until it fires; zero or less fires in the loop's next pass.
    ///   - interval: The time between later firings, or nil to fire once. Must be positive.
    ///   - tolerance: How much later it may fire.
    ///   - clock: The clock to follow.
    ///   - isReusable: Whether it stays valid when it has fired, and can be rescheduled at any time.
    ///   - handler: Called on the loop's thread with the timer.
    public convenience init(
        name: String, after delay: Duration, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        clock: RunLoopClock = .monotonic, isReusable: Bool = false, handler: @escaping (RunLoopTimer) -> Void
    ) {
        self.init(
            name: name, at: .after(delay, on: clock), repeating: interval, tolerance: tolerance,
            isReusable: isReusable, handler: handler)
    }

    /// Makes a timer that fires at a moment, on that moment's clock; the other parameters are as above.
    public init(
        name: String, at deadline: Deadline, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        isReusable: Bool = false, handler: @escaping (RunLoopTimer) -> Void
    ) {
        precondition(interval.map { $0 >= .nanoseconds(1) } ?? true, "timer “\(name)”: the interval must be positive")
        precondition(tolerance >= .zero, "timer “\(name)”: the tolerance must not be negative")
        self.name = name
        self.clock = deadline.clock
        self.isReusable = isReusable
        self.handler = handler
        due = deadline.nanoseconds
        period = interval?.clampedNanoseconds ?? 0
        slack = tolerance.clampedNanoseconds
    }

    /// Makes a reusable timer that waits for its first `reschedule`.
    public convenience init(
        name: String, tolerance: Duration = .zero, clock: RunLoopClock = .monotonic,
        handler: @escaping (RunLoopTimer) -> Void
    ) {
        let never = Deadline(nanoseconds: .max, clock: clock)
        self.init(name: name, at: never, tolerance: tolerance, isReusable: true, handler: handler)
        isArmed = false
    }

    /// Whether the timer can still fire.
    public var isValid: Bool { handler != nil }

    /// When it fires next, or fired last if it is not armed.
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
        queue?._withUnsafeGuaranteedRef { $0.remove(self) }
        due = deadline.nanoseconds
        isArmed = true
        // While it is firing, the loop puts it back when its handler has returned.
        if !isFiring { queue?._withUnsafeGuaranteedRef { $0.insert(self) } }
    }

    /// Has the timer not fire until it is rescheduled; it stays valid, and in its modes.
    ///
    /// A timer that is not armed gives its mode nothing to wait for.
    public func cancel() {
        isArmed = false
        queue?._withUnsafeGuaranteedRef { $0.remove(self) }
    }

    /// Takes the timer out of its loop for good and lets go of its handler; allowed anywhere, its own handler included.
    public func invalidate() {
        loop?.remove(self)
        isArmed = false
        handler = nil
    }
}
