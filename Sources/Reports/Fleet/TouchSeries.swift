import Foundation

/// Successive touches at one spot, and the properties that no finger would give them.
///
/// A spot has the size of a fingertip. Only sums are kept, so memory does not grow with the number of touches.
struct TouchSeries {
    /// The maximum distance of a touch from the center of the previous ones, in points.
    static let spotRadius: CGFloat = 16
    /// The maximum number of seconds between two touches.
    static let longestPause: TimeInterval = 60
    /// The minimum number of touches for evidence, unless they are faster than fingers.
    static let evidence = 20
    /// The number of touches within `rushDuration` that is faster than fingers.
    static let rush = 10

    /// The center of the spot.
    private(set) var spot: CGPoint
    /// The view and the screen of the first touch.
    let view: String
    let screen: String?
    private(set) var count = 0
    private(set) var first: TimeInterval
    private(set) var last: TimeInterval
    /// Touches by the hour of the day, in UTC.
    private(set) var hours = [Int](repeating: 0, count: 24)

    private var beginnings: [TimeInterval] = []
    private var isRushed = false
    private var isStuck = false
    private var brief = 0
    /// Welford's sums of the intervals.
    private var intervals = 0
    private var meanInterval = 0.0
    private var squaredDeviations = 0.0

    /// Creates an empty series at a point; `date` is in seconds since 1970.
    init(at point: CGPoint, view: String, screen: String?, date: TimeInterval) {
        spot = point
        self.view = view
        self.screen = screen
        first = date
        last = date
    }

    /// Whether a touch that begins at a point and a monotonic time belongs to the series.
    func continues(at point: CGPoint, time: TimeInterval, screen: String?) -> Bool {
        guard screen == self.screen, let newest = beginnings.last, abs(time - newest) <= Self.longestPause else {
            return false
        }
        return hypot(point.x - spot.x, point.y - spot.y) <= Self.spotRadius
    }

    /// Adds a finished touch with its start point, its start on the monotonic clock, and its duration.
    mutating func add(_ point: CGPoint, time: TimeInterval, duration: TimeInterval, date: TimeInterval) {
        count += 1
        spot.x += (point.x - spot.x) / CGFloat(count)
        spot.y += (point.y - spot.y) / CGFloat(count)
        first = min(first, date)
        last = max(last, date)
        hours[Int(date / 3600) % 24] += 1
        if duration < 0.03 { brief += 1 }
        if duration > 300 { isStuck = true }
        if let newest = beginnings.last {
            let interval = abs(time - newest)
            intervals += 1
            let deviation = interval - meanInterval
            meanInterval += deviation / Double(intervals)
            squaredDeviations += deviation * (interval - meanInterval)
        }
        beginnings.append(time)
        if beginnings.count > Self.rush { beginnings.removeFirst() }
        if beginnings.count == Self.rush, abs(time - beginnings[0]) < 0.75 { isRushed = true }
    }

    /// The odd properties of the series, except those that depend on the kiosk's other touches.
    func oddities(edgeDistance: CGFloat?) -> Set<GhostSuspect.Oddity> {
        var found: Set<GhostSuspect.Oddity> = []
        if isRushed { found.insert(.tooFast) }
        if isStuck { found.insert(.tooLong) }
        guard count >= Self.evidence else { return found }
        if brief * 10 >= count * 9 { found.insert(.tooShort) }
        let deviation = (squaredDeviations / Double(intervals)).squareRoot()
        if deviation <= 0.02 * meanInterval { found.insert(.tooRegular) }
        if let edgeDistance, edgeDistance < 8 { found.insert(.atEdge) }
        return found
    }
}
