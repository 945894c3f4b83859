extension EpollRunLoop {
    /// Runs the loop in one mode until there is a reason to return.
    ///
    /// A pass has the order of CFRunLoop's: observers before timers, observers before sources, blocks, signalled
    /// sources, and blocks again if a source was performed. Then, unless something is ready, observers before waiting,
    /// sleep, observers after waiting. Then the events that woke the loop (the main queue and descriptors, then due
    /// timers), and blocks. A run can be nested in any callback. If the kernel reports several descriptors together, they are
    /// handled in one pass, by priority. `stop()` takes effect between two of them, and the unhandled ones are reported
    /// again to the next run.
    ///
    /// - Parameters:
    ///   - mode: The mode to run in; not `common`, which is a set.
    ///   - deadline: The latest time to return. If it is past, the loop makes a single pass without sleeping. Nil for
    ///     never.
    ///   - returnAfterSourceHandled: Whether to return after one source, or the main queue, was handled.
    /// - Returns: Why the run ended.
    @discardableResult
    public func run(
        mode: Mode = .default, until deadline: Deadline? = nil, returnAfterSourceHandled: Bool = false
    ) -> RunResult {
        checkThread()
        precondition(mode != .common, "a run loop runs in one mode; “common” is a set of modes")
        let outer = (currentMode, current, runLimit)
        currentMode = mode
        current = ModeSet(mode)
        runLimit = deadline?.nanoseconds ?? .max
        needsArming = true
        unpark()
        defer {
            (currentMode, current, runLimit) = outer
            needsArming = true
            if currentMode == nil { returnUnhandled() } else { unpark() }
        }
        if isFinished { return .finished }
        notify(.entry)
        let result = consumeStop() ? .stopped : pass(deadline, returnAfterSourceHandled)
        notify(.exit)
        return result
    }

    /// Makes passes until one has a reason to return.
    private func pass(_ deadline: Deadline?, _ returnAfterSourceHandled: Bool) -> RunResult {
        while true {
            var handled = false
            if returnAfterSourceHandled || !waitQuietly() {
                handled = performSources(onlyOne: returnAfterSourceHandled)
                if cursor == ready {
                    wait(poll: handled || isStopped || deadline?.isPast ?? false)
                }
                if handleReady(onlyOne: returnAfterSourceHandled) { handled = true }
            }
            performBlocks()
            if handled && returnAfterSourceHandled { return .handledSource }
            if let deadline, deadline.isPast { return .timedOut }
            if consumeStop() { return .stopped }
            if isFinished { return consumeStop() ? .stopped : .finished }
        }
    }

    /// Makes passes in which only descriptors can be ready, because every other stage is known to be empty.
    ///
    /// Only a callback can change that, so one check after each wait replaces a dozen. Returns whether it made a pass;
    /// the blocks at the end of the last pass are left to the caller.
    @inline(__always)
    private func waitQuietly() -> Bool {
        guard isQuiet, !isFinished else { return false }
        repeat {
            cursor = 0
            cachedNow = 0
            ready = poll.wait(poll: false)
            handleReadyQuietly()
        } while isQuiet && !isFinished
        return true
    }

    /// The first half of a pass; returns whether a signalled source was performed.
    private func performSources(onlyOne: Bool) -> Bool {
        notify(.beforeTimers)
        notify(.beforeSources)
        performBlocks()
        guard hasSignalled, performSignalled(onlyOne: onlyOne) else { return false }
        performBlocks()
        return true
    }

    @inline(__always)
    private var isQuiet: Bool {
        !(needsArming || hasDueTimers || isStopped || hasSignalled || remoteQueue.hasOwnRing)
            && cursor == ready && blocks.isEmpty && observed.isEmpty && meter == nil
    }

    /// Waits until something is ready; calls the observers before and after, if it may sleep.
    @inline(__always)
    private func wait(poll isPolling: Bool) {
        if needsArming { armTimers() }
        cachedNow = 0
        meter?.willWait()
        cursor = 0
        let waiting: RunLoopObserver.Activities = [.beforeWaiting, .afterWaiting]
        if isPolling || observed.isDisjoint(with: waiting) {
            ready = poll.wait(poll: isPolling || mayNotSleep)
            meter?.wokeUp()
        } else {
            waitObserved(waiting)
        }
    }

    private func waitObserved(_ waiting: RunLoopObserver.Activities) {
        ready = poll.wait(poll: true)
        meter?.wokeUp()
        if ready > 0 || mayNotSleep { return }
        notify(.beforeWaiting)
        // A nested run in an observer may have left unhandled events; they are handled before new ones.
        if cursor == ready {
            if needsArming { armTimers() }
            cursor = 0
            meter?.waits()
            ready = poll.wait(poll: mayNotSleep || isStopped)
            meter?.wokeUp()
        }
        notify(.afterWaiting)
    }

    /// Whether there is already work, or nothing left that could wake the loop: a block or a signalled source of this
    /// pass may have been the last (CFRunLoop would sleep forever).
    @inline(__always)
    private var mayNotSleep: Bool { hasWork || isFinished }

    /// Whether there is work in the current mode that no descriptor will report.
    @inline(__always)
    private var hasWork: Bool {
        (hasDueTimers || !blocks.isEmpty || hasSignalled || remoteQueue.hasOwnRing) && hasWorkInMode
    }

    private var hasWorkInMode: Bool {
        hasDueTimers || remoteQueue.hasOwnRing
            || blocks.contains { !$0.modes.isDisjoint(with: current) }
            || signalled.contains { !$0.modes.isDisjoint(with: current) }
            || performing[performCursor...].contains { !$0.modes.isDisjoint(with: current) }
    }

    /// Whether the current mode has nothing left to wait for.
    @inline(__always)
    private var isFinished: Bool {
        sourceCounts[current.rawValue.trailingZeroBitCount] == 0 && isFinishedWithoutSources
    }

    private var isFinishedWithoutSources: Bool {
        for queue in timerQueues where !queue.isEmpty && !queue.modes.isDisjoint(with: current) { return false }
        collectRemoteBlocks()
        return !hasWork
    }

    @inline(__always)
    private func consumeStop() -> Bool {
        guard isStopped else { return false }
        isStopped = false
        return true
    }

    /// Calls back and records the duration in the meter, if there is one.
    @inline(__always)
    func call(_ name: @autoclosure () -> String, _ body: () -> Void) {
        body()
        if let meter { meter.ended(name()) }
    }
}
