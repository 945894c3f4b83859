/// Recognizes the entries of one kiosk that an upload repeats because it was cut.
struct SeenEntries {
    /// The maximum number of boots of services, and of entries at one time. More are probably forged.
    private static let capacity = 64

    /// The newest entries of each boot of a service, all of one monotonic time.
    private var newest: [[TouchdEntry]] = []

    /// Whether an entry is new: later than those of its boot and service, or another one of the latest time.
    mutating func insert(_ entry: TouchdEntry) -> Bool {
        guard let time = entry.monotonic else { return true }
        let index = newest.lastIndex { $0[0].run.boot == entry.run.boot && $0[0].run.unit == entry.run.unit }
        guard let index, let latest = newest[index][0].monotonic else {
            newest.append([entry])
            if newest.count > Self.capacity { newest.removeFirst() }
            return true
        }
        guard time >= latest, !newest[index].contains(entry) else { return false }
        if time > latest { newest[index].removeAll(keepingCapacity: true) }
        if newest[index].count < Self.capacity { newest[index].append(entry) }
        return true
    }
}
