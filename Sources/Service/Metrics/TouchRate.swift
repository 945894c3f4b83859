import EventLoop

/// How many touches began within the last minute, to within five seconds.
struct TouchRate {
    private static let slot: Int64 = 5_000_000_000
    private var counts = [Int](repeating: 0, count: 12)
    /// The number of the current slot.
    private var current: Int64 = 0

    /// Counts a touch.
    mutating func count(at moment: Deadline) {
        advance(to: moment)
        counts[Int(current % 12)] += 1
    }

    /// How many touches began within the minute before a moment.
    mutating func perMinute(at moment: Deadline) -> Int {
        advance(to: moment)
        return counts.reduce(0, +)
    }

    private mutating func advance(to moment: Deadline) {
        let now = moment.nanoseconds / Self.slot
        guard now > current else { return }
        for slot in max(current + 1, now - 11)...now { counts[Int(slot % 12)] = 0 }
        current = now
    }
}
