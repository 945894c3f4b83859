import Foundation

/// What a journal says of a fleet of kiosks, counted as it is read.
///
/// Each kiosk and each of its zones takes so much memory and no more, however long the journal is. Entries of one kiosk
/// have to come in their order; those of different kiosks may come in any.
public struct FleetTally {
    /// More kiosks than this are somebody's invention; what comes from others is not counted.
    private static let kioskCapacity = 1 << 16
    /// A clock that is this far ahead, in seconds, is wrong.
    private static let clockTolerance: TimeInterval = 86400

    private let layout: LayoutZones?
    private var kiosks: [KioskTally] = []
    private var indices: [KioskName: Int] = [:]
    private var limit = ZoneLimit()

    /// Begins to count; `layout` is the one that every kiosk has, where it is known.
    public init(layout: LayoutZones? = nil) { self.layout = layout }

    /// Counts an entry, if it is touchd's.
    public mutating func add(_ record: JournalRecord) {
        guard let entry = TouchdEntry(record) else { return }
        if let index = indices[entry.kiosk] {
            kiosks[index].add(entry, layout: layout, limit: &limit)
        } else if kiosks.count < Self.kioskCapacity {
            indices[entry.kiosk] = kiosks.count
            var kiosk = KioskTally(entry)
            kiosk.add(entry, layout: layout, limit: &limit)
            kiosks.append(kiosk)
        }
    }

    /// What it amounts to, the kiosks in the order of their names.
    ///
    /// Silence lasts until the last entry of any kiosk, and not until now: the journal may be old. `now` only tells which
    /// kiosks have a clock that is ahead.
    public func report(now: Date) -> FleetReport {
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
            touches: kiosks.reduce(0) { $0 + $1.touches })
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
