import Foundation

/// The result of a fleet's journal.
package struct FleetReport: Sendable, Equatable, Codable {
    /// The dates of the first and the last entry; nil if the journal has none from touchd.
    package var from, to: Date?
    /// The number of touches that began.
    package var touches: Int
    /// The kiosks, by their names.
    package var kiosks: [Kiosk]

    /// A reason to look at a kiosk.
    package enum Concern: String, Sendable, Codable {
        case ghostTouches = "ghost touches"
        case deadZone = "dead zone"
        case silent
        case deviceLost = "device lost"
        case clockAhead = "clock ahead"
    }

    /// One kiosk.
    package struct Kiosk: Sendable, Equatable, Codable {
        /// Its host name and machine ID.
        package var host, machine: String
        /// The reasons to look at it.
        package var concerns: [Concern]
        /// The layouts that it loaded, the oldest first; the last one is in use. Empty if the journal starts later.
        package var layouts: [LoadedLayout]
        /// Whether one of them is not the report's layout, so that views may differ.
        package var hasOtherLayout: Bool
        /// The sum of all its zones.
        package var total: ZoneTally
        /// Its zones, by their names.
        package var zones: [Zone]
        /// Whether it had more views than a report keeps, whose touches are counted under `…`.
        package var hasMoreViews: Bool
        /// Zones nobody touched, by their names.
        package var deadZones: [DeadZone]
        /// Touches that probably no person made.
        package var ghosts: [GhostSuspect]
        /// Set if the kiosk has been untouched for longer than usual.
        package var silence: Silence?
        /// Devices that did not come back.
        package var lostDevices: [LostDevice]
        /// The dates of its first and last touchd entries, by its own clock.
        package var firstEntry, lastEntry: Date
        /// The number of ends of touches whose beginning is not in the journal; they are not counted as touches.
        package var strayEnds: Int
    }

    /// A layout that a kiosk loaded.
    package struct LoadedLayout: Sendable, Equatable, Codable {
        /// Its version and hash.
        package var layout: LayoutName
        /// When it was loaded, by the kiosk's clock.
        package var since: Date
    }

    /// A view with the counts of the touches that began on it.
    package struct Zone: Sendable, Equatable, Codable {
        /// The view's name; empty for touches outside all named views.
        package var view: String
        /// The counts.
        package var tally: ZoneTally
    }

    /// A zone without touches.
    package struct DeadZone: Sendable, Equatable, Codable {
        /// The view's name.
        package var view: String
        /// The number of touches to expect if the zone were used as often as on the other kiosks; nil if no other kiosk
        /// was touched.
        package var expected: Double?

        /// Whether chance is an unlikely reason: with 10 touches expected, zero touches have a probability of 1 in
        /// 20,000.
        package var isSuspicious: Bool { (expected ?? 0) >= 10 }
    }

    /// A kiosk has been untouched for longer than usual.
    package struct Silence: Sendable, Equatable, Codable {
        /// The date of the last touch; nil without touches.
        package var lastTouch: Date?
        /// The duration of the silence at the journal's end, in seconds.
        package var seconds: Double
        /// The longest earlier pause between two touches, in seconds.
        package var longestPause: Double
    }
}

extension FleetReport {
    /// The totals that one kiosk is compared with.
    struct Totals {
        var zones: [String: Int]
        /// The views that kiosks are expected to have.
        var awaited: [String]
        var touches: Int
        /// The hash of the layout that kiosks are compared with; nil without one.
        var layoutHash: String?
    }
}

extension FleetReport.Kiosk {
    init(_ tally: KioskTally, in fleet: FleetReport.Totals, end: TimeInterval, isAhead: Bool) {
        host = tally.name.host
        machine = tally.name.machine
        layouts = tally.layouts.map {
            FleetReport.LoadedLayout(layout: $0.name, since: Date(timeIntervalSince1970: $0.since))
        }
        hasOtherLayout = fleet.layoutHash.map { hash in tally.layouts.contains { $0.name.hash != hash } } ?? false
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
        // On an untouched kiosk every zone is untouched, so its zones are not reported.
        guard tally.touches > 0 else { return [] }
        // A kiosk that never had this layout has other views.
        if let hash = fleet.layoutHash, !tally.layouts.isEmpty, !tally.layouts.contains(where: { $0.name.hash == hash })
        {
            return []
        }
        let othersTouches = fleet.touches - tally.touches
        return fleet.awaited.filter { tally.zones[$0] == nil }.sorted().map { view in
            let share = Double(fleet.zones[view] ?? 0) / Double(othersTouches)
            return FleetReport.DeadZone(view: view, expected: othersTouches > 0 ? share * Double(tally.touches) : nil)
        }
    }
}

extension FleetReport.Silence {
    /// A kiosk is silent if it has been untouched for an hour and for twice its longest earlier pause, or for a day if
    /// it was never touched. A kiosk whose touches span less than a day is not judged, because its nights are not
    /// known.
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
