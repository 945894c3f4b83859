/// What a kiosk may want kept from its views: noise of bad panels, rows of ghosts at an edge.
///
/// All of it is off by default.
public struct ContactFilter: Sendable, Equatable {
    /// Contacts shorter than this, in microseconds, are none; a contact begins so much later than it touched.
    public var debounce: Int64
    /// Moves of less than this part of the screen, from where the contact was last, are none.
    public var jitter: Double
    /// Contacts that begin nearer to an edge of the surface than this part of the screen are none.
    public var edge: Double
    /// More contacts than this at a time are none; nil for any number.
    public var greatestCount: Int?

    /// Makes a filter that keeps nothing.
    public init(debounce: Int64 = 0, jitter: Double = 0, edge: Double = 0, greatestCount: Int? = nil) {
        self.debounce = debounce
        self.jitter = jitter
        self.edge = edge
        self.greatestCount = greatestCount
    }

    /// Whether it keeps nothing.
    public var isOff: Bool { self == ContactFilter() }
}

/// Applies a filter to frames: what comes out still begins and ends every contact once.
struct ContactFilterState {
    private let filter: ContactFilter
    private let region: SurfaceRegion
    private var shown: [UInt32: SurfacePoint] = [:]
    private var waiting: [UInt32: (contact: Contact, since: Int64)] = [:]
    private var kept: [Contact] = []

    /// - Parameter region: the part of the screen that the surface covers, whose edges count.
    init(_ filter: ContactFilter, in region: SurfaceRegion) {
        self.filter = filter
        self.region = region
    }

    /// When a contact that waits may begin though nothing is reported of it, on the frames' clock; nil if none waits.
    var deadline: InputTimestamp? {
        waiting.values.map(\.since).min().map { InputTimestamp(microseconds: $0 + filter.debounce) }
    }

    /// Takes from a frame what the filter keeps, and adds the contacts that have waited long enough.
    mutating func apply(to frame: inout InputFrame) {
        let now = frame.timestamp.microseconds
        kept.removeAll(keepingCapacity: true)
        for contact in frame.contacts { take(contact, at: now) }
        release(at: now)
        swap(&kept, &frame.contacts)
    }

    private mutating func take(_ contact: Contact, at now: Int64) {
        switch contact.phase {
        case .began:
            let isAtEdge = filter.edge > 0 && region.distanceToEdge(contact.position) < filter.edge
            let isTooMany = filter.greatestCount.map { shown.count + waiting.count >= $0 } ?? false
            if isAtEdge || isTooMany { return }
            if filter.debounce > 0 { waiting[contact.id] = (contact, now) } else { show(contact) }
        case .moved:
            if let since = waiting[contact.id]?.since {
                waiting[contact.id] = (contact, since)
            } else if let last = shown[contact.id],
                max(abs(contact.position.x - last.x), abs(contact.position.y - last.y)) >= filter.jitter
            {
                shown[contact.id] = contact.position
                kept.append(contact)
            }
        case .ended, .cancelled:
            // One that waits is too short: had it waited long enough, it would have been released before this frame.
            if waiting.removeValue(forKey: contact.id) == nil, shown.removeValue(forKey: contact.id) != nil {
                kept.append(contact)
            }
        }
    }

    private mutating func release(at now: Int64) {
        for id in waiting.keys.sorted() {
            guard let (contact, since) = waiting[id], now - since >= filter.debounce else { continue }
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
