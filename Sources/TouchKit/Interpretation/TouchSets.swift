/// The sets of touches that responders are called with, kept as long as no touch ends.
///
/// A finger that moves is in the same set again and again; making that set anew would allocate, and comparing sets would
/// hash. A set that is kept keeps its touches alive, so that no other object can have the identity of one.
struct TouchSets {
    private struct Known {
        let members: [ObjectIdentifier]
        let set: Set<Touch>
    }

    private var known: [Known] = []
    /// The members of the new set are the first of these.
    private var members: [ObjectIdentifier] = []
    private var memberCount = 0

    /// Begins a new set.
    mutating func begin() { memberCount = 0 }

    /// Adds a touch to the new set; those of one set are added in the order in which they are in their event.
    mutating func add(_ touch: Touch) {
        if memberCount < members.count {
            members[memberCount] = ObjectIdentifier(touch)
        } else {
            members.append(ObjectIdentifier(touch))
        }
        memberCount += 1
    }

    /// Answers the new set, or nil if nothing was added.
    /// - Parameter touches: where the touches that were added are.
    mutating func finish(from touches: [Touch]) -> Set<Touch>? {
        if memberCount == 0 { return nil }
        for number in known.indices where isNew(number) { return known[number].set }
        // Not `Array(members[…])`, which may share the list's memory, so that the first move copied it.
        var identities: [ObjectIdentifier] = []
        identities.reserveCapacity(memberCount)
        for place in 0..<memberCount { identities.append(members[place]) }
        var set = Set<Touch>()
        for touch in touches where identities.contains(ObjectIdentifier(touch)) { set.insert(touch) }
        known.append(Known(members: identities, set: set))
        return set
    }

    /// Whether a set that is known is the new one.
    private func isNew(_ number: Int) -> Bool {
        guard known[number].members.count == memberCount else { return false }
        for place in 0..<memberCount where known[number].members[place] != members[place] { return false }
        return true
    }

    /// Lets go of every set.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        memberCount = 0
    }
}
