import ControlProtocol
import Foundation
import Layout

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
        let (days, hours) = (minutes / 1440, minutes / 60 % 24)
        return days > 0 ? "\(days) d \(hours) h" : hours > 0 ? "\(hours) h \(minutes % 60) min" : "\(minutes) min"
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
        let width = max(4, names.map(\.count).max() ?? 0)
        func line(_ name: String, _ columns: [String]) -> String {
            name + String(repeating: " ", count: width - name.count)
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
