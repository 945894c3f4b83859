/// The order in which views are asked: every entry has a label, and those in front have greater ones.
///
/// Labels have gaps, so that an entry can be put between two others. Where a gap is used up, the labels next to it are
/// spread (P. Dietz and D. Sleator, Two algorithms for maintaining order in a list, STOC 1987): as many as it takes to
/// have more room than the square of their number.
extension HitTestIndex {
    /// How far apart labels are put where there is room.
    private static let gap: UInt32 = 1 << 16

    /// Puts an entry just in front of another, or with nil behind all.
    func link(_ entry: Int32, inFrontOf previous: Int32?) {
        let next = previous.map { entries[Int($0)].next } ?? rearmost
        var (low, high) = labels(previous, next)
        if high - low < 2 {
            spread(from: previous)
            (low, high) = labels(previous, next)
        }
        entries[Int(entry)].label = low + min((high - low) / 2, Self.gap)
        entries[Int(entry)].previous = previous ?? -1
        entries[Int(entry)].next = next
        if let previous { entries[Int(previous)].next = entry } else { rearmost = entry }
        if next >= 0 { entries[Int(next)].previous = entry }
    }

    /// Takes an entry out of the order.
    func unlink(_ entry: Int32) {
        let (previous, next) = (entries[Int(entry)].previous, entries[Int(entry)].next)
        if previous >= 0 { entries[Int(previous)].next = next } else { rearmost = next }
        if next >= 0 { entries[Int(next)].previous = previous }
    }

    /// Gives every entry a new label, with the gaps that many entries leave.
    func labelAll() {
        let gap = min(Self.gap, UInt32.max / UInt32(entries.count + 2))
        var (entry, label) = (rearmost, gap)
        while entry >= 0 {
            entries[Int(entry)].label = label
            entry = entries[Int(entry)].next
            label += gap
        }
        grid.forgetLimits()
    }

    private func labels(_ previous: Int32?, _ next: Int32) -> (low: UInt32, high: UInt32) {
        (previous.map { entries[Int($0)].label } ?? 0, next >= 0 ? entries[Int(next)].label : UInt32.max)
    }

    private func spread(from previous: Int32?) {
        let low = labels(previous, -1).low
        var next = previous.map { entries[Int($0)].next } ?? rearmost
        var count: UInt64 = 1
        while next >= 0, UInt64(entries[Int(next)].label - low) <= (count + 1) * (count + 1) {
            count += 1
            next = entries[Int(next)].next
        }
        let room = UInt64((next >= 0 ? entries[Int(next)].label : UInt32.max) - low)
        guard room > (count + 1) * 2 else { return labelAll() }
        var entry = previous.map { entries[Int($0)].next } ?? rearmost
        for number in 1..<max(1, count) {
            entries[Int(entry)].label = low + UInt32(room * (number + 1) / (count + 1))
            entry = entries[Int(entry)].next
        }
        grid.forgetLimits()
    }
}
