/// Applies a filter to frames; every contact in the result still begins and ends once.
struct NoiseFilter {
    private let filter: ContactFilter
    private let region: SurfaceRegion
    private var shown: [UInt32: SurfacePoint] = [:]
    private var delayed: [UInt32: Delayed] = [:]
    private var kept: [Contact] = []
    /// The contacts that were lifted and may return, with the time of their lift; they are still shown or delayed.
    private var lifted: [UInt32: (contact: Contact, time: InputTimestamp)] = [:]
    /// The contacts that returned, with the ones that they continue.
    private var joined: [UInt32: UInt32] = [:]

    /// A contact returns within this number of points.
    private static let samePlace = 50.0

    /// A contact that waits for its debounce time, or whose moves follow its delayed beginning.
    private struct Delayed {
        var due: InputTimestamp
        /// Its beginning and the moves since, with their times.
        var changes: [(contact: Contact, time: InputTimestamp)]
        /// The number of changes that were taken.
        var taken = 0
    }

    /// - Parameter region: The part of the screen that the surface covers; its edges are those of `edge`.
    init(_ filter: ContactFilter, in region: SurfaceRegion) {
        self.filter = filter
        self.region = region
    }

    /// When a delayed contact begins or ends without a further event, on the frames' clock; nil without one.
    var deadline: InputTimestamp? {
        let lift = lifted.values.min { $0.time < $1.time }
        return .earliest(firstDelayed?.entry.due, lift?.time.adding(microseconds: filter.join))
    }

    /// The delayed contact that begins first without a further event: of those that are down.
    private var firstDelayed: (id: UInt32, entry: Delayed)? {
        var first: (id: UInt32, entry: Delayed)?
        for (id, entry) in delayed where lifted[id] == nil {
            if let first, (first.entry.due, first.id) < (entry.due, id) { continue }
            first = (id, entry)
        }
        return first
    }

    /// Removes rejected and delayed contacts from a frame.
    mutating func apply(to frame: inout InputFrame) {
        kept.removeAll(keepingCapacity: true)
        for contact in frame.contacts { process(contact, at: frame.timestamp) }
        swap(&kept, &frame.contacts)
    }

    /// Takes the next change of a contact whose delay is over, with the time when it happened; nil without one.
    ///
    /// A contact begins where it landed, and its moves from then follow.
    mutating func nextDelayed(at now: InputTimestamp) -> (contact: Contact, time: InputTimestamp)? {
        while let (id, entry) = firstDelayed, entry.due <= now {
            let change = entry.changes[entry.taken]
            delayed[id]?.taken += 1
            if entry.taken + 1 == entry.changes.count { delayed[id] = nil }
            if change.contact.phase == .began {
                shown[id] = change.contact.position
                return change
            } else if passes(change.contact) {
                return change
            }
        }
        return nextLifted(at: now)
    }

    /// Takes the end of the first contact whose time to return is over, with the time of its lift; nil without one.
    mutating func nextLifted(at now: InputTimestamp) -> (contact: Contact, time: InputTimestamp)? {
        while let (id, end) = lifted.min(by: { ($0.value.time, $0.key) < ($1.value.time, $1.key) }),
            end.time.adding(microseconds: filter.join) <= now
        {
            lifted[id] = nil
            // One that did not return and is still delayed is too short.
            delayed[id] = nil
            if shown.removeValue(forKey: id) != nil { return end }
        }
        return nil
    }

    private mutating func process(_ given: Contact, at now: InputTimestamp) {
        var contact = given
        if given.phase == .began, let old = returned(given) {
            joined[given.id] = old
            (contact.id, contact.phase) = (old, .moved)
        } else if let old = joined[given.id] {
            contact.id = old
        }
        switch contact.phase {
        case .began:
            let isAtEdge = filter.edge > 0 && region.distanceToEdge(contact.position, in: filter.point) < filter.edge
            let isTooMany = filter.greatestCount.map { shown.count - lifted.count + delayed.count >= $0 } ?? false
            if isAtEdge || isTooMany { return }
            if filter.debounce > 0 {
                delayed[contact.id] = Delayed(
                    due: now.adding(microseconds: filter.debounce), changes: [(contact, now)])
            } else {
                shown[contact.id] = contact.position
                kept.append(contact)
            }
        case .moved:
            if delayed[contact.id] != nil {
                delayed[contact.id]?.changes.append((contact, now))
            } else if passes(contact) {
                kept.append(contact)
            }
        case .ended, .cancelled:
            joined[given.id] = nil
            let isKnown = shown[contact.id] != nil || delayed[contact.id] != nil
            if filter.join > 0, contact.phase == .ended, isKnown {
                lifted[contact.id] = (contact, now)
                return
            }
            // A delayed contact that is not shown is too short: otherwise it would have begun before this frame.
            delayed[contact.id] = nil
            if shown.removeValue(forKey: contact.id) != nil { kept.append(contact) }
        }
    }

    /// The contact that a new one continues: the nearest of those that were lifted at its place just before.
    private mutating func returned(_ contact: Contact) -> UInt32? {
        if lifted.isEmpty { return nil }
        let near = lifted.mapValues { [filter] in filter.distance($0.contact.position, contact.position) }.filter {
            $0.value <= Self.samePlace
        }
        guard let (id, _) = near.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
        lifted[id] = nil
        return id
    }

    /// Whether a contact that is shown moved far enough from where it was last shown; it is then shown here.
    private mutating func passes(_ contact: Contact) -> Bool {
        guard let last = shown[contact.id], filter.distance(contact.position, last) >= filter.jitter else {
            return false
        }
        shown[contact.id] = contact.position
        return true
    }
}
