extension EpollRunLoop {
    /// Adds a timer to a mode, or to all common modes; a timer already in other modes of this loop stays in them.
    public func add(_ timer: RunLoopTimer, to mode: Mode = .common) {
        checkThread()
        guard timer.isValid else { return }
        precondition(timer.loop == nil || timer.loop === self, "timer “\(timer.name)” is in another run loop")
        if mode == .common { timer.isCommon = true }
        timer.loop = self
        timer.modes.formUnion(modes(of: mode))
        moveToQueue(timer)
    }

    /// Takes a timer out of a mode, or of all; allowed anywhere.
    ///
    /// It can be added again, with the deadline it has.
    public func remove(_ timer: RunLoopTimer, from mode: Mode? = nil) {
        checkThread()
        guard timer.loop === self else { return }
        if mode == nil || mode == .common { timer.isCommon = false }
        timer.modes.subtract(mode.map(modes(of:)) ?? timer.modes)
        if timer.modes.isEmpty {
            needsArming = true
            timer.queue?.remove(timer)
            timer.loop = nil
        } else {
            moveToQueue(timer)
        }
    }

    /// Puts a timer into the queue of its modes; one that is firing follows when its handler has returned.
    private func moveToQueue(_ timer: RunLoopTimer) {
        guard !timer.isFiring else { return }
        if timer.isCommon { timer.modes.formUnion(commonModes) }
        needsArming = true
        timer.queue?.remove(timer)
        for queue in timerQueues
        where queue.clock == timer.clock && queue.isCommon == timer.isCommon && queue.modes == timer.modes {
            return queue.insert(timer)
        }
        let queue = TimerQueue(clock: timer.clock, modes: timer.modes, isCommon: timer.isCommon)
        timerQueues.append(queue)
        queue.insert(timer)
    }

    /// Sets the timerfds to the first moment at which the current mode has something to do.
    func armTimers() {
        needsArming = false
        var nextMonotonic = limitMonotonic
        var nextBoottime = limitBoottime
        for queue in timerQueues where !queue.isEmpty && !queue.modes.isDisjoint(with: current) {
            if queue.clock == .monotonic {
                nextMonotonic = min(nextMonotonic, queue.latest)
            } else {
                nextBoottime = min(nextBoottime, queue.latest)
            }
        }
        if nextMonotonic != armedMonotonic {
            armedMonotonic = nextMonotonic
            monotonic.set(nextMonotonic == .max ? nil : nextMonotonic)
        }
        if nextBoottime != armedBoottime {
            armedBoottime = nextBoottime
            boottime.set(nextBoottime == .max ? nil : nextBoottime)
        }
    }

    /// Fires the timers of a clock that are due in the current mode, those first that may wait least.
    ///
    /// The clock is read once: a timer armed meanwhile for right now fires in the next pass, so timers that arm each
    /// other starve nothing else.
    func fireTimers(_ clock: RunLoopClock) {
        guard timerQueues.contains(where: { !$0.isEmpty && $0.clock == clock }) else { return }
        let now = clock.nanoseconds
        while !isStopped, let timer = firstTimer(clock, dueAt: now) { fire(timer, now: now) }
    }

    private func firstTimer(_ clock: RunLoopClock, dueAt now: Int64) -> RunLoopTimer? {
        var first: RunLoopTimer?
        for queue in timerQueues where queue.clock == clock && !queue.modes.isDisjoint(with: current) {
            guard let timer = queue.first(dueAt: now) else { continue }
            if first.map({ timer.latest < $0.latest }) ?? true { first = timer }
        }
        return first
    }

    private func fire(_ timer: RunLoopTimer, now: Int64) {
        needsArming = true
        timer.queue?.remove(timer)
        timer.isFiring = true
        timer.isRescheduled = false
        if let handler = timer.handler { call(timer.name) { handler(timer) } }
        timer.isFiring = false
        guard timer.isValid else { return }
        if !timer.isRescheduled {
            if timer.period == 0 { return timer.invalidate() }
            // The first multiple after now: missed firings are skipped, and the phase is kept.
            let missed = max(now - timer.due, 0) / timer.period
            let (next, overflow) = timer.due.addingReportingOverflow((missed + 1) * timer.period)
            timer.due = overflow ? .max : next
        }
        if timer.loop === self { moveToQueue(timer) }
    }
}
