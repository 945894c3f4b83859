import CLinux

extension EpollRunLoop {
    /// Adds a source to a mode, or to all common modes; a source already in other modes of this loop stays in them.
    ///
    /// Traps if the descriptor is not open, cannot be polled (a regular file or a directory: epoll_ctl(2), `EPERM`) or
    /// is watched by another source of this loop, and if the kernel has no room for another (`max_user_watches`).
    public func add(_ source: DescriptorSource, to mode: Mode = .common) {
        checkThread()
        guard source.isValid else { return }
        precondition(source.loop == nil || source.loop === self, "source “\(source.name)” is in another run loop")
        if mode == .common { source.isCommon = true }
        if source.loop == nil { register(source) }
        extend(source, by: modes(of: mode))
    }

    /// Adds the source that stands behind a signal, child or file source.
    public func add(_ source: some DescriptorBacked, to mode: Mode = .common) {
        add(source.descriptorSource, to: mode)
    }

    /// Takes a source out of a mode, or of all; allowed anywhere, its own handler included.
    ///
    /// It can be added again.
    public func remove(_ source: DescriptorSource, from mode: Mode? = nil) {
        checkThread()
        guard source.loop === self else { return }
        let removed = mode.map(modes(of:)) ?? source.modes
        if mode == nil || mode == .common { source.isCommon = false }
        count(source.modes.intersection(removed), by: -1)
        source.modes.subtract(removed)
        slots[slot(of: source.token)].modes = source.modes
        if source.modes.isEmpty { unregister(source) }
    }

    /// Takes the source that stands behind a signal, child or file source out of a mode, or of all.
    public func remove(_ source: some DescriptorBacked, from mode: Mode? = nil) {
        remove(source.descriptorSource, from: mode)
    }

    func extend(_ source: DescriptorSource, by modes: ModeSet) {
        count(modes.subtracting(source.modes), by: 1)
        source.modes.formUnion(modes)
        slots[slot(of: source.token)].modes = source.modes
        if source.isParked, !source.modes.isDisjoint(with: current) { unpark() }
    }

    private func register(_ source: DescriptorSource) {
        // An entry here means that the older source's descriptor was closed before it was invalidated, and its number
        // is in use again: epoll forgot the old one when it was closed. If it was not closed, epoll says EEXIST below.
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(SourceSlot())
        }
        slots[slot].uses &+= 1
        source.token = UInt64(slots[slot].uses) << 32 | UInt64(slot + Self.firstSlot)
        let failure = poll.add(source.descriptor, source.requested, token: source.token)
        precondition(
            failure == 0,
            """
            source “\(source.name)” cannot watch descriptor \(source.descriptor): \
            \(SystemError(call: "epoll_ctl(EPOLL_CTL_ADD)", errno: failure))
            """)
        slots[slot].source = source
        slots[slot].handler = source.handler
        slotOfDescriptor[source.descriptor] = slot
        source.loop = self
        if source.priority != 0 { hasPriorities = true }
    }

    private func unregister(_ source: DescriptorSource) {
        let slot = slot(of: source.token)
        if slotOfDescriptor[source.descriptor] == slot {
            // Fails if the descriptor was closed already, and then there is nothing left to take out.
            if !source.isParked { poll.remove(source.descriptor) }
            slotOfDescriptor[source.descriptor] = nil
        }
        if source.isParked {
            parked.removeAll { $0 === source }
            source.isParked = false
        }
        source.loop = nil
        reportsOfRemoved = min(reportsOfRemoved + 1, PollSet.capacity)
        slots[slot].clear()
        freeSlots.append(slot)
    }

    /// Takes a source that is ready in a mode it does not belong to out of the epoll set, so that it does not wake the
    /// loop again before it is in one of the source's modes.
    func park(_ source: DescriptorSource) {
        poll.remove(source.descriptor)
        source.isParked = true
        parked.append(source)
    }

    /// Puts the sources that wait for the current mode back; the kernel then looks again whether they are ready.
    func unpark() {
        if hasMainQueueWaiting, !commonModes.isDisjoint(with: current) {
            hasMainQueueWaiting = false
            returnOwn(Self.mainQueueToken)
        }
        guard !parked.isEmpty else { return }
        var kept: ContiguousArray<DescriptorSource> = []
        for source in parked {
            if current.isEmpty || !source.modes.isDisjoint(with: current) {
                source.isParked = false
                // Fails if the descriptor was closed meanwhile; a source without a descriptor stays silent.
                _ = poll.add(source.descriptor, source.requested, token: source.token)
            } else {
                kept.append(source)
            }
        }
        parked = kept
    }

    /// Hands what is ready but was not handled back to the kernel when the outermost run ends, so that the next run
    /// sees it again if it is still so, edge-triggered sources included.
    func returnUnhandled() {
        while cursor < ready {
            let token = poll[cursor].token
            cursor += 1
            if token < UInt64(Self.firstSlot) {
                returnOwn(token)
            } else if let source = source(of: token), source.trigger == .edge {
                _ = poll.modify(source.descriptor, source.requested, token: token)
            }
        }
    }

    private func returnOwn(_ token: UInt64) {
        _ = poll.modify(ownDescriptor(token), DescriptorSource.ownEvents, token: token)
    }

    private func ownDescriptor(_ token: UInt64) -> Int32 {
        switch token {
        case Self.wakeUpToken: mailbox.wakeUp.descriptor
        case Self.monotonicToken: monotonic.descriptor
        case Self.boottimeToken: boottime.descriptor
        default: _dispatch_get_main_queue_handle_4CF()
        }
    }

    static let firstSlot = 4

    func source(of token: UInt64) -> DescriptorSource? {
        guard let source = slots[slot(of: token)].source else { return nil }
        return source.token == token ? source : nil
    }

    private func priority(of token: UInt64) -> Int {
        token < UInt64(Self.firstSlot) ? 0 : source(of: token)?.priority ?? 0
    }

    /// Handles what the last wait reported, in order, until it is done or the run is stopped.
    ///
    /// - Returns: Whether a source or the main queue was handled; timers and wake-ups do not count, as in CFRunLoop.
    func handleReady(onlyOne: Bool) -> Bool {
        var handled = false
        if hasDueTimers {
            hasDueTimers = false
            fireTimers(.monotonic)
            if isStopped { return false }
        }
        if hasPriorities, ready - cursor > 1 { poll.sort(cursor..<ready, by: priority(of:)) }
        let isFull = ready == PollSet.capacity
        while cursor < ready {
            let (token, events) = poll[cursor]
            cursor &+= 1
            if token >= UInt64(Self.firstSlot) {
                if handle(token, DescriptorSource.Events(rawValue: events)) { handled = true }
            } else if handleOwn(token) {
                handled = true
            }
            if isStopped || onlyOne && handled { return handled }
        }
        // With more ready than one batch holds, timers would wait for their turn among them.
        if isFull { fireAllTimers() }
        return handled
    }

    /// Handles what the last wait reported as `handleReady` does, where nothing is to be measured and no timer is known due.
    @inline(__always)
    func handleReadyQuietly() {
        if hasPriorities, ready > 1 { poll.sort(0..<ready, by: priority(of:)) }
        let isFull = ready == PollSet.capacity
        while cursor < ready {
            let (token, events) = poll[cursor]
            cursor &+= 1
            if token >= UInt64(Self.firstSlot),
                let handler = slots[slot(of: token)].handler(token: token, in: current)
            {
                handler(DescriptorSource.Events(rawValue: events))
            } else {
                handleOther(token)
            }
            if isStopped { return }
        }
        if isFull { fireAllTimers() }
    }

    /// Handles one of the loop's own descriptors, or a source that is gone or belongs to another mode.
    @inline(never)
    private func handleOther(_ token: UInt64) {
        if token < UInt64(Self.firstSlot) {
            _ = handleOwn(token)
        } else if let source = source(of: token) {
            if source.modes.isDisjoint(with: current) { park(source) }
        } else if reportsOfRemoved > 0 {
            reportsOfRemoved -= 1
        } else {
            rebuild()
        }
    }

    /// Makes the epoll set anew, after it reported a descriptor that no source has.
    ///
    /// That is one that was closed before its source was invalidated, and lives on as a duplicate, such as a child
    /// process has: epoll reports it for ever, and lets nobody take it out who does not have its number (epoll(7), Q6).
    private func rebuild() {
        poll.clear()
        for token in 0..<UInt64(drainsMainQueue ? 4 : 3) {
            _ = poll.add(ownDescriptor(token), DescriptorSource.ownEvents, token: token)
        }
        for slot in slots {
            guard let source = slot.source, !source.isParked else { continue }
            // Fails for a descriptor that was closed; a source without one stays silent.
            _ = poll.add(source.descriptor, source.requested, token: source.token)
        }
    }

    @inline(__always)
    private func slot(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xffff_ffff) &- Self.firstSlot }

    private func fireAllTimers() {
        fireTimers(.monotonic)
        fireTimers(.boottime)
    }

    /// Calls the source of a token, if it is still there and in the current mode.
    ///
    /// The source itself is not retained: it is not touched after its handler, which may have ended it.
    @inline(__always)
    private func handle(_ token: UInt64, _ events: DescriptorSource.Events) -> Bool {
        guard let handler = slots[slot(of: token)].handler(token: token, in: current) else {
            handleOther(token)
            return false
        }
        handler(events)
        if let meter { meter.ended(source(of: token)?.name ?? "a source that ended itself") }
        return true
    }

    /// Handles one of the loop's own descriptors, and answers whether it counts as a source.
    private func handleOwn(_ token: UInt64) -> Bool {
        switch token {
        case Self.wakeUpToken:
            takeLetters()
            return false
        case Self.monotonicToken:
            armedMonotonic = .max
            needsArming = true
            fireTimers(.monotonic)
            return false
        case Self.boottimeToken:
            armedBoottime = .max
            needsArming = true
            fireTimers(.boottime)
            return false
        default:
            return drainMainQueue()
        }
    }
}

extension DescriptorSource {
    /// What the loop asks for its own descriptors: one report for each write or expiry, as none is read.
    static let ownEvents = EPOLLIN.rawValue | EPOLLET.rawValue
}
