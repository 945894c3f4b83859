import Foundation

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
    /// The longest time between two touches, in seconds.
    private(set) var longestPause: TimeInterval = 0
    private(set) var devices = LostDevices()
    private(set) var ghosts = GhostWatch()
    private(set) var boot: String
    /// The layouts that were loaded, the oldest first, without repetitions in a row.
    private(set) var layouts: [(name: LayoutName, since: TimeInterval)] = []
    /// The maximum number of layouts; the oldest are dropped, so that memory does not grow with the journal.
    private static let layoutCapacity = 16

    private var open = OpenTouches()
    private var lastDay = -1
    /// How many views are counted that the layout does not have.
    private var otherViews = 0

    init(_ entry: TouchdEntry) {
        name = entry.kiosk
        boot = entry.run.boot
        firstEntry = entry.date
        lastEntry = entry.date
    }

    mutating func add(_ entry: TouchdEntry, layout: LayoutZones?, limit: inout ZoneLimit) {
        firstEntry = min(firstEntry, entry.date)
        lastEntry = max(lastEntry, entry.date)
        if entry.run.boot != boot {
            ghosts.finish(zones: layout)
            devices.restarted()
            boot = entry.run.boot
        }
        if let touch = entry.touch {
            add(touch, of: entry, layout: layout, limit: &limit)
            return
        }
        let (device, date) = (entry.device, entry.date)
        switch entry.identity {
        case .deviceAdded: devices.added(device, boot: boot, date: date)
        case .deviceRemoved: devices.lost(device, .unplugged, boot: boot, date: date)
        case .deviceFailed where entry.isError: devices.lost(device, .failed, boot: boot, date: date)
        case .deviceAbsent: devices.missed(device, date: date)
        case .deviceSilent: devices.silent(device, boot: boot, date: date)
        case .deviceBack: devices.back(device)
        case .layoutLoaded:
            guard let name = entry.layout, name != layouts.last?.name else { break }
            layouts.append((name, date))
            if layouts.count > Self.layoutCapacity { layouts.removeFirst() }
        default: break
        }
    }

    private mutating func add(
        _ touch: TouchdEntry.Touch, of entry: TouchdEntry, layout: LayoutZones?, limit: inout ZoneLimit
    ) {
        switch entry.identity {
        case .touchBegan:
            count(touch, at: entry.date, layout: layout, limit: &limit)
            open.begin(touch, in: entry.run)
        case .touchEnded:
            guard let began = close(touch, entry, layout: layout) else { return }
            let isOutside = layout?.zones[began.view].map { zone in touch.location.map { !zone.contains($0) } ?? false }
            change(began.view) { zone in
                if ZoneTally.isTap(from: began, to: touch) { zone.taps += 1 }
                guard isOutside == true else { return }
                zone.liftedOutside += 1
                zone.abandoned += 1
            }
        default:
            guard let began = close(touch, entry, layout: layout) else { return }
            let mayBeGesture = layout?.zones[began.view]?.hasGestures ?? false
            change(began.view) { zone in
                zone.cancelled += 1
                if !mayBeGesture { zone.abandoned += 1 }
            }
        }
    }

    /// Evaluates the series that were not finished at the journal's end.
    mutating func finish(layout: LayoutZones?) { ghosts.finish(zones: layout) }

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
        hours[Int(date / 3600) % 24] += 1
        let day = Int(date / 86400)
        if day != lastDay { days += 1 }
        lastDay = day
        if firstTouch == nil { firstTouch = date }
        // A clock that was set back does not create a pause.
        if let lastTouch { longestPause = max(longestPause, date - lastTouch) }
        lastTouch = date
    }

    private mutating func close(
        _ touch: TouchdEntry.Touch, _ entry: TouchdEntry, layout: LayoutZones?
    ) -> TouchdEntry.Touch? {
        guard let began = open.end(touch, in: entry.run) else {
            strayEnds += 1
            return nil
        }
        change(began.view) { $0.unfinished -= 1 }
        ghosts.add(from: began, to: touch, date: entry.date, zones: layout)
        return began
    }

    private mutating func change(_ view: String, _ body: (inout ZoneTally) -> Void) {
        body(&zones[zones[view] != nil ? view : ZoneLimit.otherViews, default: ZoneTally()])
    }
}
