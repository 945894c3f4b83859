import Foundation

/// Finds series of touches on one kiosk that probably no person made, in constant memory.
struct GhostWatch {
    /// The maximum number of spots followed at once; a new spot replaces the one untouched for longest.
    private static let spotCapacity = 32
    /// The maximum number of candidates; those with the most touches are kept.
    private static let candidateCapacity = 16

    private var series: [TouchSeries] = []
    private var candidates: [Candidate] = []

    /// The finished series at one spot.
    fileprivate struct Candidate {
        var spot: CGPoint
        var view: String
        var count: Int
        var first, last: TimeInterval
        var hours: [Int]
        var oddities: Set<GhostSuspect.Oddity>
    }

    /// Adds a finished touch.
    mutating func add(
        from began: TouchdEntry.Touch, to ended: TouchdEntry.Touch, date: TimeInterval, zones: LayoutZones?
    ) {
        guard let point = began.location else { return }
        let duration = max(0, ended.time - began.time)
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
            // To a tenth of a point.
            let x: CGFloat = (candidate.spot.x * 10).rounded() / 10
            let y: CGFloat = (candidate.spot.y * 10).rounded() / 10
            return GhostSuspect(
                x: x, y: y, view: candidate.view, touches: candidate.count,
                first: Date(timeIntervalSince1970: candidate.first), last: Date(timeIntervalSince1970: candidate.last),
                oddities: oddities.sorted())
        }
        .sorted { ($1.touches, $0.first, $0.x) < ($0.touches, $1.first, $1.x) }
    }

    private mutating func evaluate(_ series: TouchSeries, zones: LayoutZones?) {
        let oddities = series.oddities(edgeDistance: zones?.distanceToEdge(series.spot, screen: series.screen))
        guard !oddities.isEmpty || series.count >= TouchSeries.evidence else { return }
        let index = candidates.firstIndex {
            hypot($0.spot.x - series.spot.x, $0.spot.y - series.spot.y) <= TouchSeries.spotRadius
        }
        if let index {
            candidates[index].count += series.count
            candidates[index].first = min(candidates[index].first, series.first)
            candidates[index].last = max(candidates[index].last, series.last)
            for hour in 0..<24 { candidates[index].hours[hour] += series.hours[hour] }
            candidates[index].oddities.formUnion(oddities)
            return
        }
        candidates.append(
            Candidate(
                spot: series.spot, view: series.view, count: series.count, first: series.first, last: series.last,
                hours: series.hours, oddities: oddities))
        // A series that is odd already outranks one that only its hours could make odd.
        func weight(_ candidate: Candidate) -> (Int, Int) { (candidate.oddities.isEmpty ? 0 : 1, candidate.count) }
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
        guard count >= TouchSeries.evidence, days >= 3 else { return false }
        let others = (0..<24).map { all[$0] - hours[$0] }
        let total = others.reduce(0, +)
        guard total >= 200 else { return false }
        var atQuietHours = 0
        for hour in 0..<24 {
            let around = others[hour] + others[(hour + 1) % 24] + others[(hour + 23) % 24]
            if around * 100 <= total { atQuietHours += hours[hour] }
        }
        return atQuietHours >= TouchSeries.evidence && atQuietHours * 2 > count
    }
}
