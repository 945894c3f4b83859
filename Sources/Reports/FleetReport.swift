import Basics
import ControlProtocol
import Foundation
import Layout
import TouchKit

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

    package struct Kiosk: JSONRecord, Equatable {
        package var host, machine: String, concerns: [Concern], layouts: [LoadedLayout], hasOtherLayout: Bool
        package var total: ZoneTally, zones: [Zone], hasMoreViews: Bool, deadZones: [DeadZone], ghosts: [GhostSuspect]
        package var firstTouch, lastTouch: Date?
        package var longestPause: Pause?
        package var hours: [Hour], silence: Silence?
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
            visitor.member("firstTouch", "when its first touch began, by its own clock") { $0.firstTouch }
            visitor.member("lastTouch", "when its last touch began, likewise") { $0.lastTouch }
            visitor.member("longestPause", "the longest time between two touches") { $0.longestPause }
            visitor.member("hours", "the last 744 hours with touches, the oldest first") { $0.hours }
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

    /// A time between the beginnings of two touches.
    package struct Pause: JSONRecord, Equatable {
        package var start: Date, seconds: Double

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("start", "the date of the touch before it") { $0.start }
            visitor.member("seconds", .seconds, "its duration", \.seconds)
        }
    }

    /// The touches that began in one hour.
    package struct Hour: JSONRecord, Equatable {
        /// The maximum number for a kiosk, those of a month, so that memory does not grow with the journal.
        static let capacity = 744

        package var start: Date, touches = 0, taps = 0

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("start", "the date of its beginning, a whole hour of UTC") { $0.start }
            visitor.member("touches", "touches that began", \.touches)
            visitor.member("taps", "those of them that were taps", \.taps)
        }
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

/// The counts of the touches that began in one zone: a view, or the area outside named views.
package struct ZoneTally: JSONRecord, Equatable {
    package var touches = 0, taps = 0, cancelled = 0, liftedOutside = 0, abandoned = 0, unfinished = 0

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("touches", "touches that began", \.touches)
        visitor.member("taps", "touches lifted soon and near their start", \.taps)
        visitor.member(
            "cancelled", "touches that touchd cancelled: unplugged, reloaded, stopped, or taken over by a gesture",
            \.cancelled)
        visitor.member(
            "liftedOutside",
            """
            touches lifted outside the view, its `slop`, and the views that redirect to it; 0 if no layout gives its frame
            """, \.liftedOutside)
        visitor.member(
            "abandoned",
            """
            touches cancelled or lifted outside, except those cancelled on a view with a gesture, or without a layout \
            after a gesture was recognized during the touch
            """,
            \.abandoned)
        visitor.member("unfinished", "touches whose end is not in the journal", \.unfinished)
    }

    /// Whether a touch is a tap: lifted within the limits of touchd's tap recognizer. A journal has no moves, so a touch
    /// that moved away and returned counts too.
    static func isTap(from began: TouchdEntry.Touch, to ended: TouchdEntry.Touch) -> Bool {
        guard (0...TapGestureRecognizer.longestTap).contains(ended.time - began.time) else { return false }
        // A private view reports no positions, so only the duration counts.
        guard let from = began.location, let to = ended.location else { return true }
        return hypot(to.x - from.x, to.y - from.y) <= TapGestureRecognizer.longestDistance
    }

    static func + (left: ZoneTally, right: ZoneTally) -> ZoneTally {
        ZoneTally(
            touches: left.touches + right.touches, taps: left.taps + right.taps,
            cancelled: left.cancelled + right.cancelled, liftedOutside: left.liftedOutside + right.liftedOutside,
            abandoned: left.abandoned + right.abandoned, unfinished: left.unfinished + right.unfinished)
    }
}

extension Date: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(utcText) }
}

// MARK: - Text for people

extension FleetReport {
    /// Writes the report for people, line by line: each kiosk with its zones, then the concerns.
    package func writeText(_ write: (String) -> Void) {
        guard let from, let to else {
            write("The journal has no entry of touchd.")
            return
        }
        write(
            "\(Self.count(kiosks.count, "kiosk")), \(Self.count(touches, "touch", "touches")), \(Self.text(from)) to "
                + "\(Self.text(to)) UTC")
        let shared = Dictionary(grouping: kiosks, by: \.host).filter { $0.value.count > 1 }
        func name(_ kiosk: Kiosk) -> String {
            let host = kiosk.host.isEmpty ? "(no host name)" : kiosk.host
            return shared[kiosk.host] == nil ? host : "\(host) (\(kiosk.machine))"
        }
        for kiosk in kiosks {
            write("")
            write("\(name(kiosk)): \(Self.count(kiosk.total.touches, "touch", "touches"))")
            for line in kiosk.table + kiosk.findings { write("  \(line)") }
        }
        let layouts = Dictionary(grouping: kiosks.compactMap(\.layouts.last?.layout)) { $0 }
        if !layouts.isEmpty {
            write("")
            write("Layouts:")
            for (layout, kiosks) in layouts.sorted(by: { ($1.value.count, $0.key.hash) < ($0.value.count, $1.key.hash) }
            ) {
                write("  \(layout.text): \(Self.count(kiosks.count, "kiosk"))")
            }
            let unknown = kiosks.count { $0.layouts.isEmpty }
            if unknown > 0 { write("  unknown, loaded before the journal starts: \(Self.count(unknown, "kiosk"))") }
        }
        let doubtful = kiosks.filter { !$0.concerns.isEmpty }
        guard !doubtful.isEmpty else { return }
        write("")
        write("Kiosks to check:")
        for kiosk in doubtful {
            write("  \(name(kiosk)): \(kiosk.concerns.map(\.rawValue).joined(separator: ", "))")
        }
    }

    static func text(_ date: Date) -> String { date.utcText(separator: " ") }

    static func text(seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        return minutes < 60 ? "\(minutes) min" : Duration.roughText(seconds: Double(minutes * 60))
    }

    static func count(_ count: Int, _ one: String, _ several: String? = nil) -> String {
        "\(count) \(count == 1 ? one : several ?? one + "s")"
    }
}

extension FleetReport.Kiosk {
    fileprivate var table: [String] {
        guard !zones.isEmpty else { return [] }
        let titles = ["touches", "taps", "abandoned", "unfinished"]
        let names = zones.map { $0.view.isEmpty ? "(no view)" : $0.view }
        let width = max(4, names.map(\.columns).max() ?? 0)
        func line(_ name: String, _ columns: [String]) -> String {
            name + String(repeating: " ", count: width - name.columns)
                + zip(columns, titles).map { column, title in
                    String(repeating: " ", count: max(0, max(9, title.count + 2) - column.count)) + column
                }.joined()
        }
        return [line("view", titles)]
            + zip(names, zones).map { name, zone in
                let tally = zone.tally
                return line(name, [tally.touches, tally.taps, tally.abandoned, tally.unfinished].map { "\($0)" })
            }
    }

    fileprivate var findings: [String] {
        var lines: [String] = []
        for loaded in layouts { lines.append("layout: \(loaded.layout.text), since \(FleetReport.text(loaded.since))") }
        if hasOtherLayout { lines.append("not always the layout of --layout, so views may be missing here") }
        if hasMoreViews {
            lines.append(
                "too many views: a report counts \(ZoneLimit.ofKiosk) per kiosk and \(ZoneLimit.inAll) in all by name; the others are counted "
                    + "under '\(ZoneLimit.otherViews)'; a layout's views are always counted by name: add --layout FILE")
        }
        if !deadZones.isEmpty {
            let list = deadZones.map { zone in
                guard let expected = zone.expected, zone.isSuspicious else { return zone.view }
                return "\(zone.view) (\(Int(expected.rounded())) expected from the other kiosks)"
            }
            lines.append("never touched: \(list.joined(separator: ", "))")
        }
        for ghost in ghosts {
            lines.append(
                "ghost touches? \(ghost.touches) at (\(ghost.x), \(ghost.y)) on \(ghost.view.isEmpty ? "no view" : ghost.view)"
                    + ", \(FleetReport.text(ghost.first)) to \(FleetReport.text(ghost.last)): "
                    + ghost.oddities.map(\.rawValue).joined(separator: ", "))
        }
        if let silence {
            let duration = FleetReport.text(seconds: silence.seconds)
            let story =
                silence.lastTouch.map {
                    "not touched since \(FleetReport.text($0)), for \(duration); its longest pause before that was "
                        + FleetReport.text(seconds: silence.longestPause)
                } ?? "never touched in \(duration)"
            lines.append("silent: \(story); last entry \(FleetReport.text(lastEntry))")
        }
        for device in lostDevices {
            lines.append("lost: \(device.device), \(device.loss.rawValue), \(FleetReport.text(device.since))")
        }
        if concerns.contains(.clockAhead) {
            lines.append("its clock is ahead: last entry \(FleetReport.text(lastEntry))")
        }
        if strayEnds > 0 {
            lines.append("\(FleetReport.count(strayEnds, "touch", "touches")) began before the journal starts")
        }
        return lines
    }
}
