/// Applies a filter to frames; every contact in the result still begins and ends once.
struct NoiseFilter {
    private let filter: ContactFilter
    private let region: SurfaceRegion
    private var shown: [UInt32: SurfacePoint] = [:]
    private var delayed: [UInt32: Delayed] = [:]
    private var kept: [Contact] = []

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

    /// When a debounced contact begins without a further event, on the frames' clock; nil without one.
    var deadline: InputTimestamp? { delayed.values.map(\.due).min() }

    /// Removes rejected and delayed contacts from a frame.
    mutating func apply(to frame: inout InputFrame) {
        kept.removeAll(keepingCapacity: true)
        for contact in frame.contacts { process(contact, at: frame.timestamp) }
        swap(&kept, &frame.contacts)
    }

    /// Takes the next change of a contact whose debounce time is over, with the time when it happened; nil without one.
    ///
    /// A contact begins where it landed, and its moves from then follow.
    mutating func nextDelayed(at now: InputTimestamp) -> (contact: Contact, time: InputTimestamp)? {
        while let (id, entry) = delayed.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }), entry.due <= now {
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
        return nil
    }

    private mutating func process(_ contact: Contact, at now: InputTimestamp) {
        switch contact.phase {
        case .began:
            let isAtEdge = filter.edge > 0 && region.distanceToEdge(contact.position, in: filter.point) < filter.edge
            let isTooMany = filter.greatestCount.map { shown.count + delayed.count >= $0 } ?? false
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
            // A delayed contact that is not shown is too short: otherwise it would have begun before this frame.
            delayed[contact.id] = nil
            if shown.removeValue(forKey: contact.id) != nil { kept.append(contact) }
        }
    }

    /// Whether a contact that is shown moved far enough from where it was last shown; it is then shown here.
    private mutating func passes(_ contact: Contact) -> Bool {
        guard let last = shown[contact.id],
            max(
                abs(contact.position.x - last.x) / filter.point.x,
                abs(contact.position.y - last.y) / filter.point.y) >= filter.jitter
        else { return false }
        shown[contact.id] = contact.position
        return true
    }
}
