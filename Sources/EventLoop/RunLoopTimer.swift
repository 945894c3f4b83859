/// Calls a handler at a deadline, once or at an interval.
///
/// Like a CFRunLoopTimer, a repeating timer fires at its first deadline plus whole intervals and skips missed firings.
/// So it never drifts and never fires twice to catch up. A timer belongs to one loop and can be in several of its
/// modes.
public final class RunLoopTimer {
    // The first fields are those used by arming and cancelling, so that they share cache lines.

    /// The queue of its modes; nil while it is in no loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its timers.
    var queue: Unmanaged<TimerQueue>?
    /// The timer's loop; cleared like `queue`.
    unowned(unsafe) var loop: EpollRunLoop?
    /// The earliest time to fire, in nanoseconds.
    var due: Int64
    /// The tolerance in nanoseconds.
    let slack: Int64
    /// Its slot in its queue.
    var slot: Int32 = 0
    /// Whether it will fire at its deadline.
    public internal(set) var isArmed = true
    /// Whether its handler is running; it does not fire in a run nested in the handler.
    var isFiring = false
    /// Whether it stays valid after it has fired without an interval.
    let isReusable: Bool
    /// The handler; nil after invalidation, which releases its captures.
    var handler: ((RunLoopTimer) -> Void)?
    /// The interval in nanoseconds, 0 for none.
    let period: Int64
    /// The timer's modes.
    var modes: ModeSet = []
    /// The timer's name in logs and measurements.
    public let name: String

    /// Creates a timer that fires after a delay.
    ///
    /// - Parameters:
    ///   - name: The timer's name in logs and measurements.
    ///   - delay: The time from now until it fires; zero or less fires in the loop's next pass.
    ///   - interval: The time between later firings; nil to fire once. Must be positive.
    ///   - tolerance: How much later it may fire, so that it can share a wake-up with another timer.
    ///   - handler: Called on the loop's thread with the timer.
    public convenience init(
        name: String, after delay: Duration, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        handler: @escaping (RunLoopTimer) -> Void
    ) {
        self.init(name: name, at: .after(delay), repeating: interval, tolerance: tolerance, handler: handler)
    }

    /// Creates a timer that fires at a deadline; the other parameters are as above.
    public convenience init(
        name: String, at deadline: Deadline, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        handler: @escaping (RunLoopTimer) -> Void
    ) {
        self.init(name, deadline, interval, tolerance, isReusable: false, handler)
    }

    /// Creates a timer that waits for its first `reschedule`, stays valid after it has fired, and can be rescheduled at
    /// any time.
    public convenience init(name: String, tolerance: Duration = .zero, handler: @escaping (RunLoopTimer) -> Void) {
        self.init(name, Deadline(nanoseconds: .max), nil, tolerance, isReusable: true, handler)
        isArmed = false
    }

    private init(
        _ name: String, _ deadline: Deadline, _ interval: Duration?, _ tolerance: Duration, isReusable: Bool,
        _ handler: @escaping (RunLoopTimer) -> Void
    ) {
        precondition(interval.map { $0 >= .nanoseconds(1) } ?? true, "timer “\(name)”: the interval must be positive")
        precondition(tolerance >= .zero, "timer “\(name)”: the tolerance must not be negative")
        self.name = name
        self.isReusable = isReusable
        self.handler = handler
        due = deadline.nanoseconds
        period = interval?.clampedNanoseconds ?? 0
        slack = tolerance.clampedNanoseconds
    }

    /// Whether the timer can still fire.
    public var isValid: Bool { handler != nil }

    /// The time of its next firing, or of its last one if it is not armed.
    public var deadline: Deadline { Deadline(nanoseconds: due) }

    /// The latest permitted time to fire.
    var latest: Int64 {
        let (sum, overflow) = due.addingReportingOverflow(slack)
        return overflow ? .max : sum
    }

    /// Reschedules the timer to a delay from now; a repeating timer then counts its intervals from there.
    ///
    /// In its own handler, this keeps a timer that fires once valid. Does nothing to an invalid timer.
    public func reschedule(after delay: Duration) { reschedule(at: .after(delay)) }

    /// Reschedules the timer to a deadline.
    public func reschedule(at deadline: Deadline) {
        guard isValid else { return }
        queue?._withUnsafeGuaranteedRef { $0.remove(self) }
        due = deadline.nanoseconds
        isArmed = true
        // While it is firing, the loop inserts it again when its handler has returned.
        if !isFiring { queue?._withUnsafeGuaranteedRef { $0.insert(self) } }
    }

    /// Disarms the timer until it is rescheduled; it stays valid and in its modes.
    ///
    /// A mode does not wait for a disarmed timer.
    public func cancel() {
        isArmed = false
        queue?._withUnsafeGuaranteedRef { $0.remove(self) }
    }

    /// Removes the timer from its loop permanently and releases its handler; may be called anywhere, even in its
    /// handler.
    public func invalidate() {
        loop?.remove(self)
        isArmed = false
        handler = nil
    }
}
