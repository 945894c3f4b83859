/// The timers of one clock that are in the same modes of a loop, in a heap by the last moment each may fire at.
///
/// A heap with four children to a node: half as deep as one with two, and its children lie together in memory, so
/// 100,000 timers cost under nine levels. A timer knows its place, so that one taken out early costs log n as well.
final class TimerQueue {
    /// The clock of all its timers.
    let clock: RunLoopClock
    /// Whether its timers were added to the common set.
    let isCommon: Bool
    /// The modes all its timers are in.
    @exclusivity(unchecked) var modes: ModeSet

    private struct Entry {
        /// The last moment the timer may fire at.
        var latest: Int64
        /// Counts insertions, so that timers of one moment fire in the order they were armed.
        var sequence: UInt64
        var timer: RunLoopTimer

        func isBefore(_ other: Entry) -> Bool {
            latest != other.latest ? latest < other.latest : sequence < other.sequence
        }
    }

    @exclusivity(unchecked) private var heap: ContiguousArray<Entry> = []
    @exclusivity(unchecked) private var sequence: UInt64 = 0

    init(clock: RunLoopClock, modes: ModeSet, isCommon: Bool) {
        self.clock = clock
        self.modes = modes
        self.isCommon = isCommon
    }

    var isEmpty: Bool { heap.isEmpty }

    /// The last moment the first timer may fire at, or `Int64.max`.
    var latest: Int64 { heap.isEmpty ? .max : heap[0].latest }

    /// The timer to fire first, if it is due at a moment.
    func first(dueAt moment: Int64) -> RunLoopTimer? {
        guard !heap.isEmpty, heap[0].timer.due <= moment else { return nil }
        return heap[0].timer
    }

    /// All timers, in no order.
    var all: [RunLoopTimer] { heap.map(\.timer) }

    func insert(_ timer: RunLoopTimer) {
        sequence += 1
        timer.queue = self
        let entry = Entry(latest: timer.latest, sequence: sequence, timer: timer)
        heap.append(entry)
        rise(from: heap.count - 1, entry)
    }

    func remove(_ timer: RunLoopTimer) {
        let place = timer.place
        timer.place = -1
        timer.queue = nil
        let last = heap.removeLast()
        guard place < heap.count else { return }
        if place > 0, last.isBefore(heap[(place - 1) / 4]) {
            rise(from: place, last)
        } else {
            sink(from: place, last)
        }
    }

    private func rise(from start: Int, _ entry: Entry) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 4
            guard entry.isBefore(heap[parent]) else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    private func sink(from start: Int, _ entry: Entry) {
        var place = start
        while true {
            let child = place * 4 + 1
            guard child < heap.count else { break }
            var smallest = child
            for other in child + 1..<max(child + 1, min(child + 4, heap.count))
            where heap[other].isBefore(heap[smallest]) {
                smallest = other
            }
            guard heap[smallest].isBefore(entry) else { break }
            put(heap[smallest], at: place)
            place = smallest
        }
        put(entry, at: place)
    }

    private func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        entry.timer.place = place
    }
}
