/// The sets of touches that responders are called with, kept as long as no touch ends.
///
/// A finger that moves is in the same set again and again; making that set anew would allocate.
struct TouchSets {
    private var known: [Set<Touch>] = []
    private var members: [Touch] = []

    /// Begins a new set.
    mutating func begin() { members.removeAll(keepingCapacity: true) }

    /// Adds a touch to the new set.
    mutating func add(_ touch: Touch) { members.append(touch) }

    /// Answers the new set, or nil if nothing was added.
    mutating func finish() -> Set<Touch>? {
        guard !members.isEmpty else { return nil }
        for set in known where set.count == members.count && members.allSatisfy(set.contains) { return set }
        let set = Set(members)
        known.append(set)
        return set
    }

    /// Lets go of every set.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
    }
}
