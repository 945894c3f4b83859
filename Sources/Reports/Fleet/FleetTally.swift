import Foundation

/// Counts the touches of a fleet of kiosks while its journal is read.
///
/// Memory per kiosk and zone is constant, whatever the length of the journal. The entries of one kiosk must be in
/// order; the entries of different kiosks may be mixed.
package struct FleetTally {
    /// The maximum number of kiosks; more are probably forged, and their entries are not counted.
    private static let kioskCapacity = 1 << 16
    /// A clock more than this many seconds ahead is wrong.
    private static let clockTolerance: TimeInterval = 86400

    private let layout: LayoutZones?
    private var kiosks: [KioskTally] = []
    private var indices: [KioskName: Int] = [:]
    private var limit = ZoneLimit()

    /// Creates an empty tally; `layout` is the layout of all kiosks, if it is known.
    package init(layout: LayoutZones? = nil) { self.layout = layout }

    /// Counts an entry if touchd wrote it.
    package mutating func add(_ record: JournalRecord) {
        if let entry = TouchdEntry(record) { add(entry) }
    }

    /// Counts an entry.
    package mutating func add(_ entry: TouchdEntry) {
        if let index = indices[entry.kiosk] {
            kiosks[index].add(entry, layout: layout, limit: &limit)
        } else if kiosks.count < Self.kioskCapacity {
            indices[entry.kiosk] = kiosks.count
            var kiosk = KioskTally(entry)
            kiosk.add(entry, layout: layout, limit: &limit)
            kiosks.append(kiosk)
        }
    }

    /// The report, with the kiosks sorted by name.
    ///
    /// Silence is measured to the last entry of any kiosk and not to now, because the journal may be old. `now` is used
    /// only to find kiosks whose clock is ahead.
    package func report(now: Date) -> FleetReport {
        let kiosks = kiosks.map { kiosk in
            var kiosk = kiosk
            kiosk.finish(layout: layout)
            return kiosk
        }.sorted { $0.name < $1.name }
        let latest = now.timeIntervalSince1970 + Self.clockTolerance
        let end = kiosks.map(\.lastEntry).filter { $0 <= latest }.max() ?? now.timeIntervalSince1970
        var zones: [String: Int] = [:]
        for kiosk in kiosks {
            for (name, zone) in kiosk.zones { zones[name, default: 0] += zone.touches }
        }
        let fleet = FleetReport.Totals(
            zones: zones, awaited: Self.awaited(zones, layout, kiosks: kiosks.count),
            touches: kiosks.reduce(0) { $0 + $1.touches }, layoutHash: layout?.hash)
        return FleetReport(
            from: kiosks.map(\.firstEntry).min().map(Date.init(timeIntervalSince1970:)),
            to: kiosks.isEmpty ? nil : Date(timeIntervalSince1970: end), touches: fleet.touches,
            kiosks: kiosks.map { FleetReport.Kiosk($0, in: fleet, end: end, isAhead: $0.lastEntry > latest) })
    }
    /// The views that a kiosk is expected to have: those of the layout that wait for touches, and without one those that were
    /// touched, the most touched first, as many as `ZoneLimit` allows.
    private static func awaited(_ zones: [String: Int], _ layout: LayoutZones?, kiosks: Int) -> [String] {
        if let layout { return layout.zones.filter(\.value.isAwaited).map(\.key) }
        let names = zones.filter { !$0.key.isEmpty && $0.key != ZoneLimit.otherViews }
        return names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(ZoneLimit.comparedNames(kiosks: kiosks)).map(\.key)
    }
}
