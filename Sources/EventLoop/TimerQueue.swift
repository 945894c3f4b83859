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

    // Unchecked, because no access contains a callback or releases a timer that its caller does not keep; see EpollRunLoop.
    @exclusivity(unchecked) private var heap: ContiguousArray<Entry> = []
    /// The timers by slot.
    @exclusivity(unchecked) private var timers: ContiguousArray<RunLoopTimer?> = []
    /// The heap position of a slot's timer; -1 if it is not armed.
    @exclusivity(unchecked) private var places: ContiguousArray<Int32> = []
    private var freeSlots: ContiguousArray<Int32> = []
    private var insertions: UInt64 = 0
    // Timers inserted after this count do not fire yet.
    private var closed: UInt64 = 0
    // While timers fire, a past deadline counts as now: it may not go before timers that are still to fire.
    private var floor = Int64.min

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

    /// Begins to fire what is due at a moment; excludes timers that are inserted from now on until the next call.
    func close(at moment: Int64) {
        closed = insertions << 24 | 0xff_ffff
        floor = moment
    }

    /// Ends firing.
    func open() { floor = .min }

    /// The first timer to fire, if it is due at a moment and was inserted before the last `close()`.
    func first(dueAt moment: Int64) -> RunLoopTimer? {
        guard !heap.isEmpty, heap[0].key <= closed else { return nil }
        guard let timer = timers[heap[0].slot], timer.due <= moment else { return nil }
        return timer
    }

    /// Arms a timer of the queue.
    func insert(_ timer: RunLoopTimer) {
        insertions &+= 1
        let entry = Entry(latest: max(timer.latest, floor), key: insertions << 24 | UInt64(timer.slot))
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
