import ControlProtocol
import Foundation

/// Finds series of touches on one kiosk that probably no person made, in constant memory.
struct GhostWatch {
    /// The maximum number of spots followed at once; a new spot replaces the one untouched for longest.
    private static let spotCapacity = 32
    /// The maximum number of candidates; those with the most touches are kept.
    private static let candidateCapacity = 16

    private var series: [TouchSeries] = []
    private var candidates: [Candidate] = []

    /// The finished series at one spot, as one.
    fileprivate struct Candidate {
        var series: TouchSeries
        var oddities: Set<GhostSuspect.Oddity>
    }

    /// Adds a touch with the time until which it was down.
    mutating func add(_ began: TouchdEntry.Touch, until end: TimeInterval, zones: LayoutZones?) {
        guard let point = began.location else { return }
        let (duration, date) = (max(0, end - began.time), began.date)
        let index = series.firstIndex { $0.continues(at: point, time: began.time, screen: began.screen) }
        if let index {
            series[index].add(point, time: began.time, duration: duration, date: date)
            return
        }
        if series.count == Self.spotCapacity, let oldest = series.indices.min(by: { series[$0].last < series[$1].last })
        {
            evaluate(series.remove(at: oldest), zones: zones)
        }
        var new = TouchSeries(at: point, view: began.view, screen: began.screen, date: date)
        new.add(point, time: began.time, duration: duration, date: date)
        series.append(new)
    }

    /// Ends every series, because a restart of the kiosk restarts its monotonic clock.
    mutating func finish(zones: LayoutZones?) {
        for series in series { evaluate(series, zones: zones) }
        series.removeAll(keepingCapacity: true)
    }

    /// The suspects, sorted by the number of touches, most first; `hours` and `days` describe all touches of the kiosk.
    func suspects(hours: [Int], days: Int) -> [GhostSuspect] {
        candidates.compactMap { candidate in
            var oddities = candidate.oddities
            if candidate.isAtNight(hours: hours, days: days) { oddities.insert(.atNight) }
            guard !oddities.isEmpty else { return nil }
            let series = candidate.series
            // To a tenth of a point.
            let x: CGFloat = (series.spot.x * 10).rounded() / 10
            let y: CGFloat = (series.spot.y * 10).rounded() / 10
            return GhostSuspect(
                x: x, y: y, view: series.view, touches: series.count,
                first: Date(timeIntervalSince1970: series.first), last: Date(timeIntervalSince1970: series.last),
                oddities: oddities.sorted())
        }
        .sorted { ($1.touches, $0.first, $0.x) < ($0.touches, $1.first, $1.x) }
    }

    private mutating func evaluate(_ series: TouchSeries, zones: LayoutZones?) {
        let oddities = series.oddities(edgeDistance: zones?.distanceToEdge(series.spot, screen: series.screen))
        guard !oddities.isEmpty || series.count >= TouchSeries.evidence else { return }
        let index = candidates.firstIndex {
            $0.series.screen == series.screen
                && hypot($0.series.spot.x - series.spot.x, $0.series.spot.y - series.spot.y) <= TouchSeries.spotRadius
        }
        if let index {
            candidates[index].series.merge(series)
            candidates[index].oddities.formUnion(oddities)
            return
        }
        candidates.append(Candidate(series: series, oddities: oddities))
        // A series that is odd already outranks one that only its hours could make odd.
        func weight(_ candidate: Candidate) -> (Int, Int) {
            (candidate.oddities.isEmpty ? 0 : 1, candidate.series.count)
        }
        if candidates.count > Self.candidateCapacity,
            let least = candidates.indices.min(by: { weight(candidates[$0]) < weight(candidates[$1]) })
        {
            candidates.remove(at: least)
        }
    }
}

extension GhostWatch.Candidate {
    /// Whether its touches were at hours without other touches on the kiosk.
    fileprivate func isAtNight(hours all: [Int], days: Int) -> Bool {
        guard series.count >= TouchSeries.evidence, days >= 3 else { return false }
        let others = (0..<24).map { all[$0] - series.hours[$0] }
        let total = others.reduce(0, +)
        guard total >= 200 else { return false }
        var atQuietHours = 0
        for hour in 0..<24 {
            let around = others[hour] + others[(hour + 1) % 24] + others[(hour + 23) % 24]
            if around * 100 <= total { atQuietHours += series.hours[hour] }
        }
        return atQuietHours >= TouchSeries.evidence && atQuietHours * 2 > series.count
    }
}

/// Successive touches at one spot, and the properties that no finger would give them.
///
/// A spot has the size of a fingertip. Only sums are kept, so memory does not grow with the number of touches.
struct TouchSeries {
    /// The maximum distance of a touch from the center of the previous ones, in points.
    fileprivate static let spotRadius: CGFloat = 16
    /// The maximum number of seconds between two touches.
    static let longestPause: TimeInterval = 60
    /// The maximum duration of a person's touch, in seconds.
    static let longestTouch: TimeInterval = 300
    /// The minimum number of touches for evidence, unless they are faster than fingers.
    static let evidence = 20
    /// The number of touches within `rushDuration` that is faster than fingers.
    private static let rush = 10

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

    /// Adds a touch with its start point, its start on the monotonic clock, its duration, and the date of its start.
    mutating func add(_ point: CGPoint, time: TimeInterval, duration: TimeInterval, date: TimeInterval) {
        count += 1
        spot.x += (point.x - spot.x) / CGFloat(count)
        spot.y += (point.y - spot.y) / CGFloat(count)
        first = min(first, date)
        last = max(last, date)
        hours[Int(date / 3600) % 24] += 1
        if duration < 0.03 { brief += 1 }
        if duration > Self.longestTouch { isStuck = true }
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

    /// Adds the touches of another series at the spot, which stays.
    fileprivate mutating func merge(_ other: TouchSeries) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
        for hour in 0..<24 { hours[hour] += other.hours[hour] }
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
