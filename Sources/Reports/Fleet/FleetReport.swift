import ControlProtocol
import Foundation
import Layout

/// The result of a fleet's journal.
package struct FleetReport: JSONRecord, Equatable {
    package var from, to: Date?
    package var touches: Int, kiosks: [Kiosk]

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("from", "the date of the first entry") { $0.from }
        visitor.member("to", "the date of the last entry") { $0.to }
        visitor.member("touches", "the number of touches that began", \.touches)
        visitor.member("kiosks", "the kiosks, by their names") { $0.kiosks }
    }

    /// A reason to look at a kiosk.
    package enum Concern: String, JSONWritable, Sendable {
        case ghostTouches = "ghost touches"
        case deadZone = "dead zone"
        case silent
        case deviceLost = "device lost"
        case clockAhead = "clock ahead"
    }

    /// One kiosk.
    package struct Kiosk: JSONRecord, Equatable {
        package var host, machine: String, concerns: [Concern], layouts: [LoadedLayout], hasOtherLayout: Bool
        package var total: ZoneTally, zones: [Zone], hasMoreViews: Bool, deadZones: [DeadZone], ghosts: [GhostSuspect]
        package var silence: Silence?
        package var lostDevices: [LostDevice], firstEntry, lastEntry: Date, strayEnds: Int

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("host", "its host name", \.host)
            visitor.member("machine", "its machine ID", \.machine)
            visitor.member("concerns", "the reasons to look at it") { $0.concerns }
            visitor.member("layouts", "the layouts that it loaded; the last one is in use") { $0.layouts }
            visitor.member(
                "hasOtherLayout", "whether one of them is not the report's layout, so that views may differ",
                \.hasOtherLayout)
            visitor.member("total", "the sum of all its zones") { $0.total }
            visitor.member("zones", "its zones, by their names") { $0.zones }
            visitor.member(
                "hasMoreViews", "whether it had more views than a report keeps, whose touches are counted under `…`",
                \.hasMoreViews)
            visitor.member("deadZones", "zones nobody touched, by their names") { $0.deadZones }
            visitor.member("ghosts", "touches that probably no person made") { $0.ghosts }
            visitor.member("silence", "set if the kiosk has been untouched for longer than usual") { $0.silence }
            visitor.member("lostDevices", "devices that did not come back") { $0.lostDevices }
            visitor.member(
                "firstEntry", "the date of its first entry of touchd, by its own clock"
            ) { $0.firstEntry }
            visitor.member("lastEntry", "the date of its last entry, likewise") { $0.lastEntry }
            visitor.member(
                "strayEnds",
                "the number of ends of touches whose beginning is not in the journal, which are no touches here",
                \.strayEnds)
        }
    }

    /// A layout that a kiosk loaded.
    package struct LoadedLayout: JSONRecord, Equatable {
        package var layout: LayoutName, since: Date

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("layout", "its version and hash") { $0.layout }
            visitor.member("since", "when it was loaded, by the kiosk's clock") { $0.since }
        }
    }

    /// A view with the counts of the touches that began on it.
    package struct Zone: JSONRecord, Equatable {
        package var view: String, tally: ZoneTally

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "the view's name; empty for touches outside all named views", \.view)
            visitor.member("tally", "the counts") { $0.tally }
        }
    }

    /// A zone without touches.
    package struct DeadZone: JSONRecord, Equatable {
        package var view: String
        package var expected: Double?

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "the view's name", \.view)
            visitor.member(
                "expected", "the number of touches if it were used as often as on other kiosks, if one was touched",
                \.expected)
        }

        /// Whether chance is an unlikely reason: with 10 touches expected, zero touches have a probability of 1 in
        /// 20,000.
        package var isSuspicious: Bool { (expected ?? 0) >= 10 }
    }

    /// A kiosk has been untouched for longer than usual.
    package struct Silence: JSONRecord, Equatable {
        package var lastTouch: Date?
        package var seconds: Double, longestPause: Double

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("lastTouch", "the date of the last touch") { $0.lastTouch }
            visitor.member("seconds", .seconds, "the duration of the silence at the journal's end", \.seconds)
            visitor.member("longestPause", .seconds, "the longest earlier pause between two touches", \.longestPause)
        }
    }
}

extension Date: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(utcText) }
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
