import Foundation
import Layout
import Testing

@testable import Reports

/// Malicious journals: a kiosk can falsify only the part of the report about itself.
@Suite struct HostileJournalTests {
    @Test(
        "absurd values in any field are ignored",
        arguments: [
            "__REALTIME_TIMESTAMP", "TOUCHD_TOUCH", "TOUCHD_X", "TOUCHD_Y", "TOUCHD_TIME", "TOUCHD_VIEW", "_HOSTNAME",
            "_MACHINE_ID", "_BOOT_ID", "_PID", "MESSAGE_ID", "PRIORITY", "TOUCHD_DEVICE", "TOUCHD_SCREEN",
        ],
        [
            "", "-1", "1e308", "-1e308", "nan", "inf", "0x1p1023", "99999999999999999999999", "7258118400000000", " 1",
            "\u{0}", "\u{1B}[2J", "very long",
        ])
    func absurdValues(field: String, value: String) {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 10)
        journal.touch("start", at: 20)
        journal.entry(.deviceAdded, at: 30, ["TOUCHD_DEVICE": "ILITEK"])
        journal.entry(.deviceRemoved, at: 40, ["TOUCHD_DEVICE": "ILITEK"])
        for index in journal.records.indices where !index.isMultiple(of: 3) {
            journal.records[index].fields[field] = value == "very long" ? String(repeating: "9", count: 100_000) : value
        }
        let report = report(journal.records)
        #expect(report.touches <= 2)
        #expect(!report.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(report.text.count < 4000)
    }

    @Test("control and bidirectional characters in names are replaced, long names cut")
    func names() {
        var journal = JournalDraft("ha\u{1B}]0;x\u{7}ll\u{202E}")
        journal.touch("st\nart\u{9B}" + String(repeating: "x", count: 500), at: 10)
        let kiosk = report(journal.records).kiosks[0]
        #expect(kiosk.host == "ha\u{FFFD}]0;x\u{FFFD}ll\u{FFFD}")
        #expect(kiosk.zones[0].view.hasPrefix("st\u{FFFD}art\u{FFFD}xxx") && kiosk.zones[0].view.count == 128)
    }

    /// A touch that began, by its number and on its view, over and over with other values.
    private func fleet(
        _ count: Int, layout: LayoutZones? = nil, limit: ZoneLimit = ZoneLimit(), _ fields: (Int) -> [String: String]
    ) -> FleetReport {
        var draft = JournalDraft("hall")
        draft.touch("start", at: 10, end: nil)
        var record = draft.records[0]
        var fleet = FleetTally(layout: layout, limit: limit)
        for index in 0..<count {
            for (name, value) in fields(index) { record.fields[name] = value }
            fleet.add(record)
        }
        return fleet.report(now: .distantFuture)
    }

    @Test("ten thousand touches that never end need the memory of 256, and are all counted")
    func unfinished() {
        let kiosk = fleet(10_000) { ["TOUCHD_TOUCH": "\($0)"] }.kiosks[0]
        #expect(kiosk.total.touches == 10_000 && kiosk.total.unfinished == 10_000)
    }

    @Test("of invented views 2,000 of a kiosk are counted by name, and the report says so")
    func views() throws {
        let report = fleet(3000) { ["TOUCHD_VIEW": "view \($0)"] }
        let kiosk = report.kiosks[0]
        #expect(kiosk.zones.count == 2001 && kiosk.total.touches == 3000)
        #expect(try #require(kiosk.zones.first { $0.view == "…" }).tally.touches == 1000)
        #expect(report.text.contains("too many views: a report counts"))
    }

    @Test("invented views of many kiosks are counted by 500,000 names in all (here 5,000)")
    func viewsInAll() {
        #expect(ZoneLimit.inAll == 500_000)
        let report = fleet(6000, limit: ZoneLimit(inAll: 5000)) {
            ["TOUCHD_VIEW": "view \($0)", "_HOSTNAME": "kiosk \($0 / 20)"]
        }
        #expect(report.kiosks.count == 300 && report.touches == 6000)
        #expect(report.kiosks.reduce(0) { $0 + $1.zones.filter { $0.view != "…" }.count } == 5000)
        #expect(report.kiosks.reduce(0) { $0 + $1.deadZones.count } <= 1_000_000)
    }

    @Test("a layout's views are counted by name, whatever number was invented before")
    func viewsOfLayout() throws {
        let text = "screen: {size: [100, 100]}\nviews: [{id: start, frame: [0, 0, 100, 100], on: {ended: log}}]\n"
        let layout = LayoutZones(try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]))
        let report = fleet(3000, layout: layout) { ["TOUCHD_VIEW": $0 == 2999 ? "start" : "view \($0)"] }
        #expect(try #require(report.kiosks[0].zones.first { $0.view == "start" }).tally.touches == 1)
    }

    @Test("a clock that is set back makes no negative pause and loses no touch")
    func clockSetBack() {
        var journal = JournalDraft("hall")
        for time in [5000.0, 6000, 100, 200] { journal.touch("start", at: time) }
        let kiosk = report(journal.records).kiosks[0]
        #expect(kiosk.total.taps == 4)
        #expect(kiosk.firstEntry < kiosk.lastEntry)
    }

    @Test("touches of an earlier boot that never ended hide no later one")
    func unfinishedBefore() {
        var before = JournalDraft("hall", boot: "a"), after = JournalDraft("hall", boot: "b")
        for index in 0..<256 { before.touch("start", at: 10_000 + Double(index), end: nil) }
        for index in 0..<200 { after.touch("start", at: 10 + Double(index)) }
        // Two fingers at once.
        for index in stride(from: 1, to: 400, by: 4) { after.records.swapAt(index, index + 1) }
        let total = report(before.records, after.records).kiosks[0].total
        #expect(total.taps == 200 && total.unfinished == 256)
    }
}
