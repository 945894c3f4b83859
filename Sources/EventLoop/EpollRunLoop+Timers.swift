extension EpollRunLoop {
    /// Adds a timer to a mode, or to all common modes; a timer in other modes of this loop stays in them.
    public func add(_ timer: RunLoopTimer, to mode: Mode = .common) {
        checkThread()
        guard timer.isValid else { return }
        precondition(timer.loop == nil || timer.loop === self, "timer “\(timer.name)” is in another run loop")
        timer.loop = self
        timer.modes.formUnion(modes(of: mode))
        moveToQueue(timer)
    }

    /// Removes a timer from a mode, or from all; may be called anywhere.
    ///
    /// It can be added again, with its current deadline.
    public func remove(_ timer: RunLoopTimer, from mode: Mode? = nil) {
        checkThread()
        guard timer.loop === self else { return }
        timer.modes.subtract(mode.map(modes(of:)) ?? timer.modes)
        if timer.modes.isEmpty {
            needsArming = true
            timer.queue?.takeUnretainedValue().unregister(timer)
            timer.loop = nil
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
        var count = 0
        var last: TimerQueue?
        for queue in timerQueues where !queue.isEmpty && !queue.modes.isDisjoint(with: current) {
            count += 1
            last = queue
            queue.close()
        }
        guard let last else { return }
        needsArming = true
        let now = Deadline.now.nanoseconds
        if count == 1 {
            while let timer = last.first(dueAt: now), !last.modes.isDisjoint(with: current) {
                fire(timer, from: last, now: now)
            }
        } else {
            while let timer = firstTimer(dueAt: now) {
                fire(timer, from: timer.queue?.takeUnretainedValue() ?? last, now: now)
            }
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
            // The first multiple after now: missed firings are skipped, and the phase is kept.
            let missed = (now - timer.due) / timer.period
            let (next, overflow) = timer.due.addingReportingOverflow((missed + 1) * timer.period)
            timer.due = overflow ? .max : next
            timer.isArmed = true
        }
        if let handler = timer.handler { call(timer.name) { handler(timer) } }
        timer.isFiring = false
        if timer.isArmed {
            if timer.loop === self { timer.queue?.takeUnretainedValue().insert(timer) }
        } else if timer.period == 0, !timer.isReusable {
            timer.invalidate()
        }
    }
}
