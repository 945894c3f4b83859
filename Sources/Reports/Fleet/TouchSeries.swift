import Foundation

/// Touches at one spot, one soon after the other, and what of them no finger does.
///
/// A spot is as large as what a fingertip covers. Everything is kept in sums, so a series of a million takes no more room
/// than one of ten.
struct TouchSeries {
    /// How far, in points, a touch may be from the middle of those before it.
    static let spotRadius: CGFloat = 16
    /// How many seconds may pass from one touch to the next.
    static let longestPause: TimeInterval = 60
    /// Fewer touches than this are no evidence, unless they come faster than fingers.
    static let evidence = 20
    /// So many touches have to come within `rushDuration` to be faster than fingers.
    static let rush = 10

    /// The middle of the spot.
    private(set) var spot: CGPoint
    /// The view and the screen of the first touch.
    let view: String
    let screen: String?
    private(set) var count = 0
    private(set) var first: TimeInterval
    private(set) var last: TimeInterval
    /// By the hour of the day, in UTC.
    private(set) var hours = [Int](repeating: 0, count: 24)

    private var beginnings: [TimeInterval] = []
    private var isRushed = false
    private var isStuck = false
    private var brief = 0
    /// Welford's sums of the intervals.
    private var intervals = 0
    private var meanInterval = 0.0
    private var squaredDeviations = 0.0

    /// Begins an empty series around a point; `date` is in seconds since 1970.
    init(at point: CGPoint, view: String, screen: String?, date: TimeInterval) {
        spot = point
        self.view = view
        self.screen = screen
        first = date
        last = date
    }

    /// Whether a touch that begins at a point at a time on the kiosk's monotonic clock goes on with the series.
    func continues(at point: CGPoint, time: TimeInterval, screen: String?) -> Bool {
        guard screen == self.screen, let newest = beginnings.last, abs(time - newest) <= Self.longestPause else {
            return false
        }
        return hypot(point.x - spot.x, point.y - spot.y) <= Self.spotRadius
    }

    /// Adds a touch that is over: where it began and when, on the monotonic clock, and how long it lasted.
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

    /// What of it no finger does; what needs to know the whole kiosk is not among it.
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
