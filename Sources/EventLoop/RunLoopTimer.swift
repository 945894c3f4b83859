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
            timer.queue?.takeUnretainedValue().insert(timer)
        } else if timer.period == 0, !timer.isReusable {
            timer.invalidate()
        }
    }
}

/// The timers of one set of modes of a loop; armed ones are in a heap, ordered by their latest permitted time.
///
/// A heap with four children per node is half as deep as a binary one, and four entries of 16 bytes fill a cache line.
/// So an access among 100,000 timers costs fewer than nine lines. The heap positions are in a table of four bytes each,
/// not in the timers: otherwise moving an entry would fetch a line of each timer it passes.
final class TimerQueue {
    let modes: ModeSet

    private struct Entry {
        /// The latest permitted time of the timer.
        var latest: Int64
        /// The insertion number above bit 24, so that timers with the same deadline fire in the order in which they
        /// were armed, and the timer's slot below.
        var key: UInt64

        var slot: Int { Int(truncatingIfNeeded: key & 0xff_ffff) }

        @inline(__always)
        func isBefore(_ other: Entry) -> Bool {
            latest != other.latest ? latest < other.latest : key < other.key
        }
    }

    private var heap: ContiguousArray<Entry> = []
    /// The timers by slot.
    private var timers: ContiguousArray<RunLoopTimer?> = []
    /// The heap position of a slot's timer; -1 if it is not armed.
    private var places: ContiguousArray<Int32> = []
    private var freeSlots: ContiguousArray<Int32> = []
    private var insertions: UInt64 = 0
    // Timers inserted after this count do not fire yet.
    private var closed: UInt64 = 0

    // Owns the queue and so outlives it.
    unowned(unsafe) let loop: EpollRunLoop

    init(loop: EpollRunLoop, modes: ModeSet) {
        self.loop = loop
        self.modes = modes
    }

    /// Whether no timer is armed.
    var isEmpty: Bool { heap.isEmpty }

    /// The latest permitted time of the first timer, or `Int64.max`.
    var latest: Int64 { heap.isEmpty ? .max : heap[0].latest }

    /// All timers, armed or not.
    var all: [RunLoopTimer] { timers.compactMap { $0 } }

    /// Adds a timer, not yet armed.
    func join(_ timer: RunLoopTimer) {
        let slot = freeSlots.popLast().map(Int.init) ?? timers.count
        precondition(slot < 1 << 24, "a run loop can have at most 16 million timers")
        if slot == timers.count {
            timers.append(timer)
            places.append(-1)
        } else {
            timers[slot] = timer
        }
        timer.slot = Int32(slot)
        timer.queue = Unmanaged.passUnretained(self)
    }

    /// Removes a timer, armed or not.
    func unregister(_ timer: RunLoopTimer) {
        remove(timer)
        timers[Int(timer.slot)] = nil
        freeSlots.append(timer.slot)
        timer.queue = nil
    }

    /// Excludes timers that are inserted from now on until the next call.
    func close() { closed = insertions << 24 | 0xff_ffff }

    /// The first timer to fire, if it is due at a moment and was inserted before the last `close()`.
    func first(dueAt moment: Int64) -> RunLoopTimer? {
        guard !heap.isEmpty, heap[0].key <= closed else { return nil }
        guard let timer = timers[heap[0].slot], timer.due <= moment else { return nil }
        return timer
    }

    /// Arms a timer of the queue.
    func insert(_ timer: RunLoopTimer) {
        insertions &+= 1
        let entry = Entry(latest: timer.latest, key: insertions << 24 | UInt64(timer.slot))
        heap.append(entry)
        heap.withUnsafeMutableBufferPointer { heap in
            places.withUnsafeMutableBufferPointer { Self.rise(in: heap, $0, from: heap.count - 1, entry) }
        }
        if heap[0].key == entry.key { loop.needsArming = true }
    }

    /// Disarms a timer if it is armed.
    func remove(_ timer: RunLoopTimer) {
        let place = Int(places[Int(timer.slot)])
        guard place >= 0, let last = heap.popLast() else { return }
        places[Int(timer.slot)] = -1
        if place == 0 { loop.needsArming = true }
        guard place < heap.count else { return }
        heap.withUnsafeMutableBufferPointer { heap in
            places.withUnsafeMutableBufferPointer { places in
                if place > 0, last.isBefore(heap[(place - 1) >> 2]) {
                    Self.rise(in: heap, places, from: place, last)
                } else {
                    Self.sink(in: heap, places, from: place, last)
                }
            }
        }
    }

    private typealias Heap = UnsafeMutableBufferPointer<Entry>
    private typealias Places = UnsafeMutableBufferPointer<Int32>

    private static func rise(in heap: Heap, _ places: Places, from start: Int, _ entry: Entry) {
        var place = start
        while place > 0 {
            let parent = (place - 1) >> 2
            guard entry.isBefore(heap[parent]) else { break }
            put(heap[parent], at: place, in: heap, places)
            place = parent
        }
        put(entry, at: place, in: heap, places)
    }

    private static func sink(in heap: Heap, _ places: Places, from start: Int, _ entry: Entry) {
        var place = start
        while case let child = place << 2 + 1, child < heap.count {
            var smallest = child
            var other = child + 1
            let end = min(child + 4, heap.count)
            while other < end {
                if heap[other].isBefore(heap[smallest]) { smallest = other }
                other += 1
            }
            guard heap[smallest].isBefore(entry) else { break }
            put(heap[smallest], at: place, in: heap, places)
            place = smallest
        }
        put(entry, at: place, in: heap, places)
    }

    @inline(__always)
    private static func put(_ entry: Entry, at place: Int, in heap: Heap, _ places: Places) {
        heap[place] = entry
        places[entry.slot] = Int32(truncatingIfNeeded: place)
    }
}
