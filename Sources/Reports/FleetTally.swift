import ControlProtocol
import Foundation

/// Counts the touches of a fleet of kiosks while its journal is read.
///
/// Memory per kiosk and zone is constant, whatever the length of the journal. The entries of one kiosk must be in
/// order; the entries of different kiosks may be mixed. Those that an upload repeats count once.
package struct FleetTally {
    /// The maximum number of kiosks; more are probably forged, and their entries are not counted.
    private static let kioskCapacity = 1 << 16
    /// A clock more than this many seconds ahead is wrong.
    private static let clockTolerance: TimeInterval = 86400

    private let layout: LayoutZones?
    private var kiosks: [KioskTally] = []
    private var indices: [KioskName: Int] = [:]
    private var limit: ZoneLimit

    /// Creates an empty tally; `layout` is the layout of all kiosks, if it is known.
    package init(layout: LayoutZones? = nil) { self.init(layout: layout, limit: ZoneLimit()) }

    init(layout: LayoutZones?, limit: ZoneLimit) { (self.layout, self.limit) = (layout, limit) }

    /// Counts an entry if touchd wrote it; returns whether it was counted.
    @discardableResult
    package mutating func add(_ record: JournalRecord) -> Bool { TouchdEntry(record).map { add($0) } ?? false }

    @discardableResult
    package mutating func add(_ entry: TouchdEntry) -> Bool {
        if let index = indices[entry.kiosk] { return kiosks[index].add(entry, layout: layout, limit: &limit) }
        guard kiosks.count < Self.kioskCapacity else { return false }
        indices[entry.kiosk] = kiosks.count
        kiosks.append(KioskTally(entry))
        return kiosks[kiosks.count - 1].add(entry, layout: layout, limit: &limit)
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

/// Counts the touches of one kiosk while its journal is read.
struct KioskTally {
    let name: KioskName
    private(set) var zones: [String: ZoneTally] = [:]
    /// Whether there were more views than `ZoneLimit` allows; their touches are counted under one name.
    private(set) var hasMoreViews = false
    private(set) var touches = 0
    /// The number of ends of touches whose beginning is not in the journal.
    private(set) var strayEnds = 0
    /// Touches by the hour of the day, in UTC.
    private(set) var hours = [Int](repeating: 0, count: 24)
    /// The number of days with touches.
    private(set) var days = 0
    /// In seconds since 1970.
    private(set) var firstEntry, lastEntry: TimeInterval
    private(set) var firstTouch, lastTouch: TimeInterval?
    private(set) var longestPause: FleetReport.Pause?
    /// The hours with touches, by their number since 1970.
    private(set) var hourly: [Int: FleetReport.Hour] = [:]
    private(set) var devices = LostDevices()
    private(set) var ghosts = GhostWatch()
    private(set) var boot: String
    /// The layouts that were loaded, the oldest first, without repetitions in a row.
    private(set) var layouts: [FleetReport.LoadedLayout] = []
    /// The maximum number of layouts; the oldest are dropped, so that memory does not grow with the journal.
    private static let layoutCapacity = 16

    private var open = OpenTouches()
    private var seen = SeenEntries()
    private var lastDay = -1
    /// How many views are counted that the layout does not have.
    private var otherViews = 0

    init(_ entry: TouchdEntry) {
        name = entry.kiosk
        boot = entry.run.boot
        firstEntry = entry.date
        lastEntry = entry.date
    }

    /// Returns false if an upload repeats the entry.
    mutating func add(_ entry: TouchdEntry, layout: LayoutZones?, limit: inout ZoneLimit) -> Bool {
        guard seen.insert(entry) else { return false }
        firstEntry = min(firstEntry, entry.date)
        lastEntry = max(lastEntry, entry.date)
        if entry.run.boot != boot {
            ghosts.finish(zones: layout)
            devices.restarted()
            boot = entry.run.boot
        }
        if let touch = entry.touch {
            add(touch, of: entry, layout: layout, limit: &limit)
            return true
        }
        if entry.isGesture { open.recognizedGesture(in: entry.run) }
        let (device, date, run) = (entry.device, entry.date, entry.run)
        switch entry.identity {
        case .deviceAdded: devices.added(device, in: run, date: date)
        case .deviceRemoved: devices.lost(device, .unplugged, in: run, date: date)
        case .deviceFailed where entry.isError: devices.lost(device, .failed, in: run, date: date)
        case .deviceAbsent: devices.missed(device, in: run, date: date)
        case .deviceSilent: devices.silent(device, in: run, date: date)
        case .deviceBack: devices.back(device, expected: entry.expected)
        case .started: devices.started(run)
        case .layoutLoaded:
            guard let layout = entry.layout, layout != layouts.last?.layout else { break }
            layouts.append(.init(layout: layout, since: Date(timeIntervalSince1970: date)))
            if layouts.count > Self.layoutCapacity { layouts.removeFirst() }
        default: break
        }
        return true
    }

    private mutating func add(
        _ touch: TouchdEntry.Touch, of entry: TouchdEntry, layout: LayoutZones?, limit: inout ZoneLimit
    ) {
        switch entry.identity {
        case .touchBegan:
            count(touch, at: entry.date, layout: layout, limit: &limit)
            open.reported(touch.time, in: entry.run)
            open.begin(touch, in: entry.run)
        case .touchEnded:
            guard let began = close(touch, entry, layout: layout)?.touch else { return }
            let isOutside = layout?.zones[began.view].map { zone in touch.location.map { !zone.contains($0) } ?? false }
            let isTap = ZoneTally.isTap(from: began, to: touch)
            if isTap { hourly[Int(began.date / 3600)]?.taps += 1 }
            change(began.view) { zone in
                if isTap { zone.taps += 1 }
                guard isOutside == true else { return }
                zone.liftedOutside += 1
                zone.abandoned += 1
            }
        default:
            guard let began = close(touch, entry, layout: layout) else { return }
            let mayBeGesture =
                layout.map { $0.zones[began.touch.view]?.hasGestures ?? false } ?? began.isDuringGesture
            change(began.touch.view) { zone in
                zone.cancelled += 1
                if !mayBeGesture { zone.abandoned += 1 }
            }
        }
    }

    /// Evaluates the series that were not finished at the journal's end.
    mutating func finish(layout: LayoutZones?) {
        for down in open.stuck { ghosts.add(down.touch, until: down.latest, zones: layout) }
        ghosts.finish(zones: layout)
    }

    private mutating func count(
        _ touch: TouchdEntry.Touch, at date: TimeInterval, layout: LayoutZones?, limit: inout ZoneLimit
    ) {
        touches += 1
        if zones[touch.view] == nil {
            // The names of a layout, and that of no view, are nobody's invention.
            if touch.view.isEmpty || layout?.zones[touch.view] != nil || limit.accepts(&otherViews) {
                zones[touch.view] = ZoneTally()
            } else {
                hasMoreViews = true
            }
        }
        change(touch.view) { zone in
            zone.touches += 1
            zone.unfinished += 1
        }
        let hour = Int(date / 3600)
        hours[hour % 24] += 1
        hourly[hour, default: .init(start: Date(timeIntervalSince1970: TimeInterval(hour * 3600)))].touches += 1
        if hourly.count > FleetReport.Hour.capacity { hourly[hourly.keys.min() ?? hour] = nil }
        let day = Int(date / 86400)
        if day != lastDay { days += 1 }
        lastDay = day
        if firstTouch == nil { firstTouch = date }
        // A clock that was set back does not create a pause.
        if let lastTouch, date - lastTouch > longestPause?.seconds ?? 0 {
            longestPause = .init(start: Date(timeIntervalSince1970: lastTouch), seconds: date - lastTouch)
        }
        lastTouch = date
    }

    private mutating func close(
        _ touch: TouchdEntry.Touch, _ entry: TouchdEntry, layout: LayoutZones?
    ) -> OpenTouches.Down? {
        guard let began = open.end(touch, in: entry.run) else {
            strayEnds += 1
            return nil
        }
        change(began.touch.view) { $0.unfinished -= 1 }
        ghosts.add(began.touch, until: touch.time, zones: layout)
        return began
    }

    private mutating func change(_ view: String, _ body: (inout ZoneTally) -> Void) {
        body(&zones[zones[view] != nil ? view : ZoneLimit.otherViews, default: ZoneTally()])
    }
}

/// How many views a report counts by their names, of those that no layout names.
///
/// A program that can write entries that look like touchd's can name any number of views. Without a limit the report's
/// memory would grow with the journal, and the views never touched with the product of kiosks and names.
struct ZoneLimit {
    /// Of one kiosk; a seat map has some hundreds.
    static let ofKiosk = 2000
    /// Of all kiosks together: each counts as often as it has kiosks. A count and its name take some 200 bytes.
    static let inAll = 500_000
    /// How many names times kiosks are compared to find views that were never touched.
    private static let comparisons = 1_000_000
    /// The name under which the touches of further views are counted.
    static let otherViews = "…"

    private var remaining: Int

    init(inAll: Int = Self.inAll) { remaining = inAll }

    /// Takes one more view of a kiosk that has `count`; false if there are too many.
    mutating func accepts(_ count: inout Int) -> Bool {
        guard count < Self.ofKiosk, remaining > 0 else { return false }
        count += 1
        remaining -= 1
        return true
    }

    /// How many names each kiosk is compared with.
    fileprivate static func comparedNames(kiosks: Int) -> Int { min(ofKiosk, comparisons / max(1, kiosks)) }
}

/// The touches of one kiosk that are down.
struct OpenTouches {
    /// The maximum number of touches, more than any kiosk has at once. Beyond it, touches without an end in the journal
    /// are dropped.
    static let capacity = 256

    private struct Key: Hashable {
        var run: TouchdEntry.Run
        var number: UInt64
    }

    /// A touch that is down.
    struct Down {
        let touch: TouchdEntry.Touch
        /// How many touches began before it in the journal.
        fileprivate let order: Int
        /// The time at which the newest touch of its run began.
        fileprivate(set) var latest: TimeInterval
        /// Whether a gesture was recognized in its run meanwhile.
        fileprivate(set) var isDuringGesture = false
    }

    private var touches: [Key: Down] = [:]
    private var count = 0

    mutating func begin(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) {
        let key = Key(run: run, number: touch.number)
        if touches[key] == nil, touches.count == Self.capacity,
            let oldest = touches.min(by: { $0.value.order < $1.value.order })
        {
            touches[oldest.key] = nil
        }
        touches[key] = Down(touch: touch, order: count, latest: touch.time)
        count += 1
    }

    /// Removes a touch that ended and returns its beginning; nil if the journal does not have it.
    mutating func end(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) -> Down? {
        touches.removeValue(forKey: Key(run: run, number: touch.number))
    }

    /// Records that another touch of a run began.
    mutating func reported(_ time: TimeInterval, in run: TouchdEntry.Run) {
        change(run) { $0.latest = max($0.latest, time) }
    }

    mutating func recognizedGesture(in run: TouchdEntry.Run) { change(run) { $0.isDuringGesture = true } }

    /// The touches that stayed down while others of their run began for long, in the order of their beginnings. One at
    /// which the journal or its run ends may have been lifted.
    var stuck: [Down] {
        touches.values.filter { $0.latest - $0.touch.time > TouchSeries.longestTouch }.sorted { $0.order < $1.order }
    }

    private mutating func change(_ run: TouchdEntry.Run, _ body: (inout Down) -> Void) {
        for index in touches.indices where touches.keys[index].run == run { body(&touches.values[index]) }
    }
}

// MARK: - Judgment

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
        layouts = tally.layouts
        hasOtherLayout = fleet.layoutHash.map { hash in tally.layouts.contains { $0.layout.hash != hash } } ?? false
        total = tally.zones.values.reduce(ZoneTally(), +)
        zones = tally.zones.sorted { $0.key < $1.key }.map { FleetReport.Zone(view: $0.key, tally: $0.value) }
        hasMoreViews = tally.hasMoreViews
        deadZones = Self.deadZones(tally, in: fleet)
        ghosts = tally.ghosts.suspects(hours: tally.hours, days: tally.days)
        firstTouch = tally.firstTouch.map(Date.init(timeIntervalSince1970:))
        lastTouch = tally.lastTouch.map(Date.init(timeIntervalSince1970:))
        longestPause = tally.longestPause
        hours = tally.hourly.values.sorted { $0.start < $1.start }
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
        if let hash = fleet.layoutHash, !tally.layouts.isEmpty,
            !tally.layouts.contains(where: { $0.layout.hash == hash })
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
        let silence = end - last, longestPause = tally.longestPause?.seconds ?? 0
        guard last - first >= day, silence > max(3600, 2 * longestPause) else { return nil }
        self.init(lastTouch: Date(timeIntervalSince1970: last), seconds: silence, longestPause: longestPause)
    }
}
