import CLinux
import Glibc

/// Calls a handler when a descriptor is ready: CFRunLoop's version 1 source, with a descriptor instead of a Mach port.
///
/// The source does not own the descriptor: the caller closes it, after `invalidate()`. The handler runs on the loop's
/// thread. A source can be in several modes of one loop. Two sources cannot watch one descriptor in one loop, because
/// epoll has one entry per descriptor (epoll(7)); duplicate it with `dup`.
///
/// ```swift
/// let input = DescriptorSource(name: "input", descriptor: STDIN_FILENO) { events in
///     if events.contains(.read) { print(readLine() ?? "") }
/// }
/// try loop.add(input)
/// ```
public final class DescriptorSource {
    /// The readiness events of a descriptor.
    ///
    /// The bits are epoll's (epoll_ctl(2)).
    public struct Events: OptionSet, Sendable, Hashable {
        /// epoll's bits.
        public let rawValue: UInt32

        /// Creates a set from epoll's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Data can be read, or the end of data was reached (`EPOLLIN`).
        public static let read = Events(rawValue: EPOLLIN.rawValue)
        /// Data can be written without blocking (`EPOLLOUT`).
        public static let write = Events(rawValue: EPOLLOUT.rawValue)
        /// The peer has closed its end, or the device was unplugged (`EPOLLHUP`); always reported.
        public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
        /// The descriptor has an error (`EPOLLERR`); always reported.
        public static let error = Events(rawValue: EPOLLERR.rawValue)
    }

    /// The source's name in logs and measurements.
    public let name: String
    /// The descriptor; owned only by the sources of signals, children and resumes.
    public let descriptor: Int32
    /// The requested events; `hangUp` and `error` are always reported.
    public let events: Events
    /// Of several ready sources, lower values are handled first; equal ones in the kernel's order.
    public let priority: Int

    /// The handler; nil after invalidation, which releases its captures.
    var handler: ((Events) -> Void)?
    /// The source's loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its sources.
    unowned(unsafe) var loop: EpollRunLoop?
    /// The source's modes.
    var modes: ModeSet = []
    /// Its slot in the loop's table with the slot's use count, as returned by epoll.
    var token: UInt64 = 0
    /// Whether it is removed from the epoll set because it was ready in a mode it does not belong to.
    fileprivate var isParked = false
    private var ownsDescriptor = false

    /// Creates a source, which does nothing until it is added to a loop. Its handler is called in every pass in which the
    /// descriptor is ready.
    ///
    /// If other code reads or writes the descriptor too, it should be nonblocking: the handler may be called after that code
    /// has taken what the kernel reported.
    ///
    /// - Parameters:
    ///   - name: The source's name in logs and measurements.
    ///   - descriptor: An open descriptor that can be polled. Not owned: it must stay open until `invalidate()`.
    ///   - events: The events to wait for; `hangUp` and `error` are always reported.
    ///   - priority: Lower values are handled first.
    ///   - handler: Called on the loop's thread with the reported events.
    public init(
        name: String, descriptor: Int32, events: Events = .read, priority: Int = 0,
        handler: @escaping (Events) -> Void
    ) {
        self.name = name
        self.descriptor = descriptor
        self.events = events
        self.priority = priority
        self.handler = handler
    }

    /// Creates a source that owns its descriptor, and closes it when it becomes invalid.
    convenience init(name: String, owning descriptor: Int32, handler: @escaping (Events) -> Void) {
        self.init(name: name, descriptor: descriptor, handler: handler)
        ownsDescriptor = true
    }

    deinit { if ownsDescriptor, isValid { close(descriptor) } }

    /// Whether the source can still call its handler.
    public var isValid: Bool { handler != nil }

    /// Removes the source from its loop permanently and releases its handler; may be called anywhere, even in its
    /// handler.
    public func invalidate() {
        loop?.remove(self)
        if ownsDescriptor, isValid { close(descriptor) }
        handler = nil
    }
}

extension EpollRunLoop {
    // MARK: The loop's part

    /// Adds a source to a mode, or to all common modes; a source in other modes of this loop stays in them.
    ///
    /// Traps if the descriptor is not open, or is watched by another source of this loop.
    /// - Throws: If the kernel refuses to watch the descriptor (epoll_ctl(2)): no memory is left (`ENOMEM`), the limit of
    ///   watches is reached (`ENOSPC`, max_user_watches), or the descriptor cannot be polled (`EPERM`: a regular file or
    ///   a directory). The source is then in no loop and can be added later.
    @discardableResult
    public func add(_ source: DescriptorSource, to mode: Mode = .common) throws(SystemError) -> DescriptorSource {
        checkThread()
        guard source.isValid else { return source }
        precondition(source.loop == nil || source.loop === self, "source “\(source.name)” is in another run loop")
        if source.loop == nil { try register(source) }
        extend(source, by: ModeSet(mode))
        return source
    }

    /// Adds the descriptor source of a signal, child or file source.
    /// - Throws: As for a `DescriptorSource`.
    @discardableResult
    public func add<Source: DescriptorBacked>(
        _ source: Source, to mode: Mode = .common
    ) throws(SystemError) -> Source {
        try add(source.descriptorSource, to: mode)
        return source
    }

    /// Removes a source from a mode, or from all; may be called anywhere, even in its handler.
    ///
    /// It can be added again.
    public func remove(_ source: DescriptorSource, from mode: Mode? = nil) {
        checkThread()
        guard source.loop === self else { return }
        let removed = mode.map(ModeSet.init) ?? source.modes
        count(source.modes.intersection(removed), by: -1)
        source.modes.subtract(removed)
        slots[slot(of: source.token)].modes = source.modes
        if source.modes.isEmpty { unregister(source) }
    }

    /// Removes the descriptor source of a signal, child or file source from a mode, or from all.
    public func remove(_ source: some DescriptorBacked, from mode: Mode? = nil) {
        remove(source.descriptorSource, from: mode)
    }

    func extend(_ source: DescriptorSource, by modes: ModeSet) {
        count(modes.subtracting(source.modes), by: 1)
        source.modes.formUnion(modes)
        slots[slot(of: source.token)].modes = source.modes
        if source.isParked, !source.modes.isDisjoint(with: current) { unpark() }
    }

    private func register(_ source: DescriptorSource) throws(SystemError) {
        // An existing entry means that the older source's descriptor was closed before the source was invalidated, and
        // its number was reused: epoll removed the old descriptor when it was closed. If it was not closed, epoll
        // returns EEXIST below.
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(SourceSlot()) }
        slots[slot].uses &+= 1
        source.token = UInt64(slots[slot].uses) << 32 | UInt64(slot + Self.firstSlot)
        let failure = poll.add(source.descriptor, source.events.rawValue, token: source.token)
        if failure != 0 {
            let error = SystemError(call: "epoll_ctl(EPOLL_CTL_ADD)", errno: failure)
            precondition(
                failure != EBADF && failure != EEXIST,
                "source “\(source.name)” cannot watch descriptor \(source.descriptor): \(error)")
            freeSlots.append(slot)
            throw error
        }
        slots[slot].source = source
        slots[slot].handler = source.handler
        slotOfDescriptor[source.descriptor] = slot
        source.loop = self
        source.isParked = false
        if source.priority != 0 { hasPriorities = true }
    }

    private func unregister(_ source: DescriptorSource) {
        let slot = slot(of: source.token)
        if slotOfDescriptor[source.descriptor] == slot {
            // Fails if the descriptor is already closed; then epoll has already removed it.
            if !source.isParked { poll.remove(source.descriptor) }
            slotOfDescriptor[source.descriptor] = nil
        }
        if source.isParked { parked.removeAll { $0 === source } }
        source.loop = nil
        reportsOfRemoved = min(reportsOfRemoved + 1, PollSet.capacity)
        slots[slot].clear()
        freeSlots.append(slot)
    }

    /// Removes a source that is ready in another mode from the epoll set. Otherwise it would wake the loop again before
    /// the loop is in one of the source's modes.
    private func park(_ source: DescriptorSource) {
        poll.remove(source.descriptor)
        source.isParked = true
        parked.append(source)
    }

    /// Adds the sources of the current mode again; the kernel then rechecks their readiness.
    @inline(__always)
    func unpark() {
        if hasMainQueueWaiting || !parked.isEmpty { watchParked() }
    }

    private func watchParked() {
        if hasMainQueueWaiting, !ModeSet.common.isDisjoint(with: current) {
            hasMainQueueWaiting = false
            // The kernel reports it again, because it is edge-triggered.
            let token = Self.mainQueueToken
            _ = poll.modify(ownDescriptor(token), DescriptorSource.ownEvents, token: token)
        }
        let waiting = parked
        parked.removeAll(keepingCapacity: true)
        for source in waiting {
            if source.modes.isDisjoint(with: current) { parked.append(source) } else { watchAgain(source) }
        }
    }

    /// Watches a source's descriptor again; if no memory is left, with the next run.
    private func watchAgain(_ source: DescriptorSource) {
        let failure = poll.add(source.descriptor, source.events.rawValue, token: source.token)
        source.isParked = failure == ENOMEM || failure == ENOSPC
        // Other failures mean that the descriptor was closed meanwhile; such a source reports nothing.
        if source.isParked { parked.append(source) }
    }

    private func ownDescriptor(_ token: UInt64) -> Int32 {
        switch token {
        case Self.wakeUpToken: remoteQueue.wakeUp.descriptor
        case Self.timerToken: timer.descriptor
        default: _dispatch_get_main_queue_handle_4CF()
        }
    }

    private static let firstSlot = 3

    func source(of token: UInt64) -> DescriptorSource? {
        guard let source = slots[slot(of: token)].source else { return nil }
        return source.token == token ? source : nil
    }

    func priority(of token: UInt64) -> Int {
        token < UInt64(Self.firstSlot) ? 0 : source(of: token)?.priority ?? 0
    }

    /// Handles the events of the last wait, in order, until all are handled or the run is stopped.
    ///
    /// - Returns: Whether a source or the main queue was handled; timers and wake-ups do not count, as in CFRunLoop.
    @discardableResult
    @inline(__always)
    func handleReady(onlyOne: Bool) -> Bool {
        var handled = false
        let isFull = ready == PollSet.capacity
        while cursor < ready {
            let (token, events) = poll[cursor]
            cursor &+= 1
            if token >= UInt64(Self.firstSlot),
                let handler = slots[slot(of: token)].handler(token: token, in: current)
            {
                // The source is not retained: it is not accessed after its handler, which may have released it.
                handler(DescriptorSource.Events(rawValue: events))
                if let meter { meter.ended(source(of: token)?.name ?? "a source that ended itself") }
                handled = true
            } else if handleOther(token) {
                handled = true
            }
            if isStopped || onlyOne && handled && cursor < ready { return handled }
        }
        fireDueTimers(evenIfUnknown: isFull)
        return handled
    }

    /// Fires due timers after the descriptors, so that what was ready before a timer's handler counts first.
    ///
    /// - Parameter isFull: Whether more is ready than one batch holds: timers must not wait for the following batches.
    @inline(__always)
    private func fireDueTimers(evenIfUnknown isFull: Bool) {
        guard hasDueTimers || isFull else { return }
        hasDueTimers = false
        fireTimers()
    }

    /// Handles one of the loop's own descriptors, or a source that was removed or belongs to another mode; returns whether
    /// it counts as a source.
    @inline(never)
    private func handleOther(_ token: UInt64) -> Bool {
        if token < UInt64(Self.firstSlot) { return handleOwn(token) }
        if let source = source(of: token) {
            if source.modes.isDisjoint(with: current) { park(source) }
        } else if reportsOfRemoved > 0 {
            reportsOfRemoved -= 1
        } else {
            rebuild()
        }
        return false
    }

    /// Recreates the epoll set, after it reported a descriptor without a source.
    ///
    /// Such a descriptor was closed before its source was invalidated and still exists as a duplicate, for example in a
    /// child process. epoll reports it forever, and it cannot be removed without its number (epoll(7), Q6).
    private func rebuild() {
        guard poll.clear() else { return }
        for token in 0..<UInt64(drainsMainQueue ? 3 : 2) {
            _ = poll.add(ownDescriptor(token), DescriptorSource.ownEvents, token: token)
        }
        for slot in slots {
            if let source = slot.source, !source.isParked { watchAgain(source) }
        }
    }

    @inline(__always)
    private func slot(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xffff_ffff) &- Self.firstSlot }

    /// Handles one of the loop's own descriptors, and returns whether it counts as a source.
    private func handleOwn(_ token: UInt64) -> Bool {
        switch token {
        case Self.wakeUpToken:
            collectRemoteBlocks()
            return false
        case Self.timerToken:
            armedTime = .max
            needsArming = true
            hasDueTimers = true
            return false
        default:
            return drainMainQueue()
        }
    }
}

extension DescriptorSource {
    /// The events for the loop's own descriptors: edge-triggered, one report per write or expiration, because they are
    /// never read.
    static let ownEvents = EPOLLIN.rawValue | EPOLLET.rawValue
}

/// A slot in the loop's table of descriptor sources. A token contains the slot's index and its use count.
///
/// epoll keeps a token while a descriptor is open, which may be longer than the source exists; an outdated token finds
/// nothing. The slot holds the data for a callback, so that with a thousand sources the processor fetches one cache
/// line instead of the source's three.
struct SourceSlot {
    /// The source's handler.
    var handler: ((DescriptorSource.Events) -> Void)?
    /// The source's modes.
    var modes: ModeSet = []
    /// How often the slot was used.
    var uses: UInt32 = 0
    /// The source; nil if the slot is free.
    var source: DescriptorSource?

    /// The handler for a token in a mode.
    @inline(__always)
    func handler(token: UInt64, in mode: ModeSet) -> ((DescriptorSource.Events) -> Void)? {
        uses == UInt32(truncatingIfNeeded: token >> 32) && !modes.isDisjoint(with: mode) ? handler : nil
    }

    /// Clears the slot.
    mutating func clear() {
        source = nil
        handler = nil
        modes = []
    }
}
