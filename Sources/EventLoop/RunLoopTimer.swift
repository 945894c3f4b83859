/// Calls a handler at a deadline, once or at an interval.
///
/// Like a CFRunLoopTimer, a repeating timer fires at its first deadline plus whole intervals and skips missed firings.
/// So it never drifts and never fires twice to catch up. A timer belongs to one loop and can be in several of its
/// modes.
///
/// ```swift
/// let timer = RunLoopTimer(name: "blink", after: .seconds(1), repeating: .milliseconds(500)) { _ in print("blink") }
/// loop.add(timer)
/// ```
public final class RunLoopTimer {
    // The first fields are those used by arming and cancelling, so that they share cache lines.

    /// The queue of its modes; nil while it is in no loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its timers.
    var queue: Unmanaged<TimerQueue>?
    /// The earliest time to fire, in nanoseconds.
    var due: Int64
    /// The tolerance in nanoseconds.
    let slack: Int64
    /// Its slot in its queue.
    var slot: Int32 = 0
    // Unchecked, because a flag is read or set at once; see EpollRunLoop.
    /// Whether it will fire at its deadline.
    @exclusivity(unchecked) public internal(set) var isArmed = true
    /// Whether its handler is running; it does not fire in a run nested in the handler.
    var isFiring = false
    /// Whether it stays valid after it has fired without an interval.
    fileprivate var isReusable = false
    /// The handler; nil after invalidation, which releases its captures.
    var handler: ((RunLoopTimer) -> Void)?
    /// The interval in nanoseconds, 0 for none.
    fileprivate let period: Int64
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
    public init(
        name: String, at deadline: Deadline, repeating interval: Duration? = nil, tolerance: Duration = .zero,
        handler: @escaping (RunLoopTimer) -> Void
    ) {
        precondition(interval.map { $0 >= .nanoseconds(1) } ?? true, "timer “\(name)”: the interval must be positive")
        precondition(tolerance >= .zero, "timer “\(name)”: the tolerance must not be negative")
        self.name = name
        self.handler = handler
        due = deadline.nanoseconds
        period = interval?.clampedNanoseconds ?? 0
        slack = tolerance.clampedNanoseconds
    }

    /// Creates a timer that waits for its first `reschedule`, stays valid after it has fired, and can be rescheduled at
    /// any time.
    public convenience init(name: String, tolerance: Duration = .zero, handler: @escaping (RunLoopTimer) -> Void) {
        self.init(name: name, at: Deadline(nanoseconds: .max), tolerance: tolerance, handler: handler)
        isReusable = true
        isArmed = false
    }

    /// The timer's loop.
    fileprivate var loop: EpollRunLoop? { queue?._withUnsafeGuaranteedRef { $0.loop } }

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

extension EpollRunLoop {
    // MARK: The loop's part

    /// Adds a timer to a mode, or to all common modes; a timer in other modes of this loop stays in them.
    @discardableResult
    public func add(_ timer: RunLoopTimer, to mode: Mode = .common) -> RunLoopTimer {
        checkThread()
        guard timer.isValid else { return timer }
        precondition(timer.loop == nil || timer.loop === self, "timer “\(timer.name)” is in another run loop")
        timer.modes.formUnion(ModeSet(mode))
        moveToQueue(timer)
        return timer
    }

    /// Removes a timer from a mode, or from all; may be called anywhere.
    ///
    /// It can be added again, with its current deadline.
    public func remove(_ timer: RunLoopTimer, from mode: Mode? = nil) {
        checkThread()
        guard timer.loop === self else { return }
        timer.modes.subtract(mode.map(ModeSet.init) ?? timer.modes)
        if timer.modes.isEmpty {
            needsArming = true
            timer.queue?.takeUnretainedValue().unregister(timer)
        } else {
            moveToQueue(timer)
        }
    }

    /// The time of the loop's last wake-up on `CLOCK_MONOTONIC`, or of the first access since.
    ///
    /// Saves a clock reading for each of many timers that are armed in one callback. Its error is the time since then.
    public var now: Deadline {
        if cachedNow == 0 { cachedNow = Deadline.now.nanoseconds }
        return Deadline(nanoseconds: cachedNow)
    }

    /// Moves a timer to the queue of its modes, and inserts it if it is armed. A firing timer is inserted when its
    /// handler has returned.
    private func moveToQueue(_ timer: RunLoopTimer) {
        let queue = queue(for: timer)
        if timer.queue?.takeUnretainedValue() !== queue {
            timer.queue?.takeUnretainedValue().unregister(timer)
            queue.join(timer)
        } else {
            queue.remove(timer)
        }
        guard timer.isArmed, !timer.isFiring else { return }
        needsArming = true
        queue.insert(timer)
    }

    private func queue(for timer: RunLoopTimer) -> TimerQueue {
        for queue in timerQueues where queue.modes == timer.modes { return queue }
        let queue = TimerQueue(loop: self, modes: timer.modes)
        timerQueues.append(queue)
        return queue
    }

    /// Sets the timerfd to the first deadline of the current mode.
    ///
    /// A timer that is already due needs no timerfd, whose expiration takes the kernel microseconds: it is marked to
    /// fire without sleeping.
    func armTimers() {
        needsArming = false
        var next = runLimit
        for queue in timerQueues where !queue.modes.isDisjoint(with: current) { next = min(next, queue.latest) }
        guard next != armedTime else { return }
        if next != .max, next <= cachedNow || next <= Deadline.now.nanoseconds {
            hasDueTimers = true
            needsArming = true
        } else {
            armedTime = next
            timer.set(next == .max ? nil : next)
        }
    }

    /// Fires the timers that are due in the current mode, in order of their latest permitted times.
    ///
    /// A timer that is armed meanwhile fires in the next pass at the earliest, so timers that arm each other starve
    /// nothing else.
    func fireTimers() {
        let now = Deadline.now.nanoseconds
        cachedNow = now
        var count = 0
        var last: TimerQueue?
        for queue in timerQueues where !queue.isEmpty && !queue.modes.isDisjoint(with: current) {
            count += 1
            last = queue
            queue.close(at: now)
        }
        guard let last else { return }
        needsArming = true
        if count == 1 {
            while let timer = last.first(dueAt: now), !last.modes.isDisjoint(with: current) {
                fire(timer, from: last, now: now)
            }
            last.open()
        } else {
            while let timer = firstTimer(dueAt: now) {
                fire(timer, from: timer.queue?.takeUnretainedValue() ?? last, now: now)
            }
            for queue in timerQueues { queue.open() }
        }
    }

    private func firstTimer(dueAt now: Int64) -> RunLoopTimer? {
        var first: RunLoopTimer?
        for queue in timerQueues where !queue.modes.isDisjoint(with: current) {
            guard let timer = queue.first(dueAt: now) else { continue }
            if let known = first, known.latest <= timer.latest { continue }
            first = timer
        }
        return first
    }

    @inline(__always)
    private func fire(_ timer: RunLoopTimer, from queue: TimerQueue, now: Int64) {
        queue.remove(timer)
        timer.isArmed = false
        timer.isFiring = true
        if timer.period > 0 {
            // The first multiple after now: missed firings are skipped, and the phase is kept. The time since the
            // deadline fits into 64 bits without a sign.
            let phase = UInt64(bitPattern: now &- timer.due) % UInt64(timer.period)
            let (next, overflow) = now.addingReportingOverflow(timer.period - Int64(phase))
            timer.due = overflow ? .max : next
            timer.isArmed = true
        }
        if let handler = timer.handler { call(timer.name) { handler(timer) } }
        timer.isFiring = false
        if timer.isArmed {
            timer.queue?.takeUnretainedValue().insert(timer)
        } else if timer.period == 0, !timer.isReusable {
            timer.invalidate()
        }
    }
}
