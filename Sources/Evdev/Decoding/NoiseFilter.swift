/// Applies a filter to frames; every contact in the result still begins and ends once.
struct NoiseFilter {
    private let filter: ContactFilter
    private let region: SurfaceRegion
    private var shown: [UInt32: SurfacePoint] = [:]
    private var waiting: [UInt32: (contact: Contact, due: InputTimestamp)] = [:]
    private var kept: [Contact] = []

    /// - Parameter region: The part of the screen that the surface covers; its edges are those of `edge`.
    init(_ filter: ContactFilter, in region: SurfaceRegion) {
        self.filter = filter
        self.region = region
    }

    /// When a debounced contact begins without a further event, on the frames' clock; nil without one.
    var deadline: InputTimestamp? { waiting.values.map(\.due).min() }

    /// Removes rejected contacts from a frame and adds those whose debounce time is over.
    mutating func apply(to frame: inout InputFrame) {
        let now = frame.timestamp
        kept.removeAll(keepingCapacity: true)
        for contact in frame.contacts { process(contact, at: now) }
        release(at: now)
        swap(&kept, &frame.contacts)
    }

    private mutating func process(_ contact: Contact, at now: InputTimestamp) {
        switch contact.phase {
        case .began:
            let isAtEdge = filter.edge > 0 && region.distanceToEdge(contact.position, in: filter.point) < filter.edge
            let isTooMany = filter.greatestCount.map { shown.count + waiting.count >= $0 } ?? false
            if isAtEdge || isTooMany { return }
            if filter.debounce > 0 {
                waiting[contact.id] = (contact, now.adding(microseconds: filter.debounce))
            } else {
                show(contact)
            }
        case .moved:
            if let due = waiting[contact.id]?.due {
                waiting[contact.id] = (contact, due)
            } else if let last = shown[contact.id],
                max(
                    abs(contact.position.x - last.x) / filter.point.x,
                    abs(contact.position.y - last.y) / filter.point.y) >= filter.jitter
            {
                shown[contact.id] = contact.position
                kept.append(contact)
            }
        case .ended, .cancelled:
            // A waiting contact is too short: otherwise it would have been released before this frame.
            if waiting.removeValue(forKey: contact.id) == nil, shown.removeValue(forKey: contact.id) != nil {
                kept.append(contact)
            }
        }
    }

    private mutating func release(at now: InputTimestamp) {
        for id in waiting.keys.sorted() {
            guard let (contact, due) = waiting[id], due <= now else { continue }
            waiting[id] = nil
            show(contact)
        }
    }

    private mutating func show(_ contact: Contact) {
        var contact = contact
        contact.phase = .began
        shown[contact.id] = contact.position
        kept.append(contact)
    }
}
