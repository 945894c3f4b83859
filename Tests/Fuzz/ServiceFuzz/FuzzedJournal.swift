import ControlProtocol
import CLinux
import Foundation
import Layout
import Reports

/// Reads bytes as an exported journal, from a file in memory, and creates its report.
///
/// A report can be written as text, without terminal control characters, and as JSON.
enum FuzzedJournal {
    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        let descriptor = memfd_create("journal", MFD_CLOEXEC)
        precondition(descriptor >= 0, "memfd_create: error number \(errno)")
        defer { close(descriptor) }
        write(descriptor, bytes.baseAddress, bytes.count)
        var fleet = FleetTally(layout: zones)
        var count = 0
        do {
            var reader = try JournalRecordReader(path: "/proc/self/fd/\(descriptor)")
            while let record = try reader.next() {
                fleet.add(record)
                count += 1
            }
        } catch {
            if "\(error)".isEmpty { return "an error without words" }
        }
        let report = fleet.report(now: Date(timeIntervalSince1970: 2e9))
        if report.touches > count { return "\(report.touches) touches of \(count) entries" }
        var text = ""
        report.writeText { text += "\($0)\n" }
        let control = text.unicodeScalars.first { $0.properties.generalCategory == .control && $0 != "\n" }
        if let control { return "a report with the character \(control.value)" }
        return (try? JSONTree(report.jsonLine)) == nil ? "a report that JSON cannot have" : nil
    }

    private static let zones: LayoutZones? = {
        let text = """
            views:
              - {id: start, frame: [0, 0, 100, 100], on: {ended: log}}
              - {id: help, frame: [200, 0, 100, 100], control: button, on: {pressed: log}}
            """
        return (try? LayoutDocument(text: text, file: "zones.yaml", handlers: ["log"])).map { LayoutZones($0) }
    }()
}
