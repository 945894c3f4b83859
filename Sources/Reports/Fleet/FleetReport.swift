import Foundation

/// What a fleet's journal says of its kiosks.
public struct FleetReport: Sendable, Equatable, Codable {
    /// When the first entry was written and the last; nil in a journal without any of touchd's.
    public var from, to: Date?
    /// How many touches began.
    public var touches: Int
    /// The kiosks, by their names.
    public var kiosks: [Kiosk]

    /// What to look at first.
    public enum Concern: String, Sendable, Codable {
        case ghostTouches = "ghost touches"
        case deadZone = "dead zone"
        case silent
        case deviceLost = "device lost"
        case clockAhead = "clock ahead"
    }

    /// One kiosk.
    public struct Kiosk: Sendable, Equatable, Codable {
        /// By what it is known.
        public var host, machine: String
        /// What deserves a look.
        public var concerns: [Concern]
        /// All its zones together.
        public var total: ZoneTally
        /// Its zones, by their names.
        public var zones: [Zone]
        /// Whether it had more views than a report keeps, whose touches are counted under `…`.
        public var hasMoreViews: Bool
        /// Zones nobody touched, by their names.
        public var deadZones: [DeadZone]
        /// Touches that nobody seems to have made.
        public var ghosts: [GhostSuspect]
        /// Set where nobody has touched it for longer than usual.
        public var silence: Silence?
        /// Devices that did not come back.
        public var lostDevices: [LostDevice]
        /// When it wrote the first of touchd's entries and the last, by its own clock.
        public var firstEntry, lastEntry: Date
        /// How many touches ended of which the journal does not have the beginning; they are not counted.
        public var strayEnds: Int
    }

    /// A view and what became of the touches that began on it.
    public struct Zone: Sendable, Equatable, Codable {
        /// The view's name; empty where there was none.
        public var view: String
        /// The counts.
        public var tally: ZoneTally
    }

    /// A zone that nobody touched.
    public struct DeadZone: Sendable, Equatable, Codable {
        /// The view's name.
        public var view: String
        /// How many touches it would have had, had people touched it as often as on the other kiosks; nil where no other
        /// kiosk was touched.
        public var expected: Double?

        /// Whether chance can hardly be the reason: with 10 touches expected, none at all comes about once in 20,000 times.
        public var isSuspicious: Bool { (expected ?? 0) >= 10 }
    }

    /// Nobody touched a kiosk for longer than usual.
    public struct Silence: Sendable, Equatable, Codable {
        /// The last touch; nil where there was none.
        public var lastTouch: Date?
        /// How long it has been silent at the journal's end, in seconds.
        public var seconds: Double
        /// The longest pause between two touches before, in seconds.
        public var longestPause: Double
    }
}

extension FleetReport {
    /// What one kiosk is compared with.
    struct Totals {
        var zones: [String: Int]
        /// The views that kiosks are expected to have.
        var awaited: [String]
        var touches: Int
    }
}

extension FleetReport.Kiosk {
    init(_ tally: KioskTally, in fleet: FleetReport.Totals, end: TimeInterval, isAhead: Bool) {
        host = tally.name.host
        machine = tally.name.machine
        total = tally.zones.values.reduce(ZoneTally(), +)
        zones = tally.zones.sorted { $0.key < $1.key }.map { FleetReport.Zone(view: $0.key, tally: $0.value) }
        hasMoreViews = tally.hasMoreViews
        deadZones = Self.deadZones(tally, in: fleet)
        ghosts = tally.ghosts.suspects(hours: tally.hours, days: tally.days)
        silence = isAhead ? nil : FleetReport.Silence(tally, end: end)
        lostDevices = tally.devices.lost(boot: tally.boot)
        firstEntry = Date(timeIntervalSince1970: tally.firstEntry)
        lastEntry = Date(timeIntervalSince1970: tally.lastEntry)
        strayEnds = tally.strayEnds
        concerns = []
        if !lostDevices.isEmpty { concerns.append(.deviceLost) }
        if silence != nil { concerns.append(.silent) }
        if !ghosts.isEmpty { concerns.append(.ghostTouches) }
        if deadZones.contains(where: \.isSuspicious) { concerns.append(.deadZone) }
        if isAhead { concerns.append(.clockAhead) }
    }

    private static func deadZones(_ tally: KioskTally, in fleet: FleetReport.Totals) -> [FleetReport.DeadZone] {
        // Where nothing was touched, no zone is dead for a reason of its own.
        guard tally.touches > 0 else { return [] }
        let othersTouches = fleet.touches - tally.touches
        return fleet.awaited.filter { tally.zones[$0] == nil }.sorted().map { view in
            let share = Double(fleet.zones[view] ?? 0) / Double(othersTouches)
            return FleetReport.DeadZone(view: view, expected: othersTouches > 0 ? share * Double(tally.touches) : nil)
        }
    }
}

extension FleetReport.Silence {
    /// Silent is a kiosk untouched for an hour and for twice its longest pause before, or a day where it was never
    /// touched. A kiosk whose touches span less than a day is not judged: its nights are not known.
    fileprivate init?(_ tally: KioskTally, end: TimeInterval) {
        let day: TimeInterval = 86400
        guard let first = tally.firstTouch, let last = tally.lastTouch else {
            guard end - tally.firstEntry >= day else { return nil }
            self.init(lastTouch: nil, seconds: end - tally.firstEntry, longestPause: 0)
            return
        }
        let silence = end - last
        guard last - first >= day, silence > max(3600, 2 * tally.longestPause) else { return nil }
        self.init(lastTouch: Date(timeIntervalSince1970: last), seconds: silence, longestPause: tally.longestPause)
    }
}
