/// A cache of the sets of touches that responders are called with; it is valid until a touch ends.
///
/// A moving finger needs the same set again and again. Creating it each time would allocate, and comparing sets would
/// hash. A cached set keeps its touches alive, so no other object can reuse the identity of one of them.
struct TouchSets {
    private struct Known {
        let members: [ObjectIdentifier]
        let set: Set<Touch>
    }

    private var known: [Known] = []
    /// Storage for the members of the new set; the first `memberCount` are valid.
    private var members: [ObjectIdentifier] = []
    private var memberCount = 0

    /// Starts a new set.
    mutating func begin() { memberCount = 0 }

    /// Adds a touch to the new set; the caller adds touches in the order of their event.
    mutating func add(_ touch: Touch) {
        if memberCount < members.count {
            members[memberCount] = ObjectIdentifier(touch)
        } else {
            members.append(ObjectIdentifier(touch))
        }
        memberCount += 1
    }

    /// Returns the new set; nil if it is empty.
    /// - Parameter touches: a list that contains the touches that were added.
    mutating func finish(from touches: [Touch]) -> Set<Touch>? {
        if memberCount == 0 { return nil }
        for number in known.indices where isNew(number) { return known[number].set }
        // Not `Array(members[…])`: it may share the storage of `members`, and the first move would copy that.
        var identities: [ObjectIdentifier] = []
        identities.reserveCapacity(memberCount)
        for place in 0..<memberCount { identities.append(members[place]) }
        var set = Set<Touch>()
        for touch in touches where identities.contains(ObjectIdentifier(touch)) { set.insert(touch) }
        known.append(Known(members: identities, set: set))
        return set
    }

    /// Whether a cached set has the members of the new set.
    private func isNew(_ number: Int) -> Bool {
        guard known[number].members.count == memberCount else { return false }
        for place in 0..<memberCount where known[number].members[place] != members[place] { return false }
        return true
    }

    /// Releases every cached set.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        memberCount = 0
    }
}
