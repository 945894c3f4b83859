/// Filters contacts: noise of bad panels, ghost touches at an edge.
///
/// Everything is off by default.
public struct ContactFilter: Sendable, Equatable {
    /// Rejects contacts shorter than this, in microseconds; each contact is reported with this delay, from its landing on.
    public var debounce: Int64
    /// Rejects moves of less than this number of points from the contact's last location, on both axes.
    public var jitter: Double
    /// Rejects a move of more than this number of points, on one axis, to a place that the contact leaves as far with the
    /// next report, back to where it was; 0 for none. Moves of that length are reported with the next report, or 50 ms
    /// later.
    public var jump: Double
    /// Rejects contacts that begin closer than this number of points to an edge of the surface.
    public var edge: Double
    /// The maximum number of simultaneous contacts; further ones are rejected. Nil for no limit.
    public var greatestCount: Int?
    /// Continues a contact with one that begins at its last place less than this after its lift, in microseconds; each lift
    /// is reported with this delay.
    public var join: Int64
    /// The size of a point, as fractions of the screen's width and height.
    public var point: SurfacePoint

    /// Creates a filter; the defaults reject nothing, on a screen of one point.
    public init(
        debounce: Int64 = 0, jitter: Double = 0, jump: Double = 0, edge: Double = 0, greatestCount: Int? = nil,
        join: Int64 = 0, point: SurfacePoint = SurfacePoint(x: 1, y: 1)
    ) {
        self.debounce = debounce
        self.jitter = jitter
        self.jump = jump
        self.edge = edge
        self.greatestCount = greatestCount
        self.join = join
        self.point = point
    }

    /// The greater of the horizontal and the vertical distance, in points.
    func distance(_ place: SurfacePoint, _ other: SurfacePoint) -> Double {
        max(abs(place.x - other.x) / point.x, abs(place.y - other.y) / point.y)
    }

    /// Whether it rejects nothing.
    var isOff: Bool { self == ContactFilter(point: point) }
}
