import Foundation
import Reports
import Testing

/// Malicious journals: they can falsify the report of their own kiosk only.
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

    @Test("names cannot steer a terminal: control and bidirectional characters are replaced, and long names cut")
    func names() {
        var journal = JournalDraft("ha\u{1B}]0;x\u{7}ll\u{202E}")
        journal.touch("st\nart\u{9B}" + String(repeating: "x", count: 500), at: 10)
        let kiosk = report(journal.records).kiosks[0]
        #expect(kiosk.host == "ha\u{FFFD}]0;x\u{FFFD}ll\u{FFFD}")
        #expect(kiosk.zones[0].view.hasPrefix("st\u{FFFD}art\u{FFFD}xxx") && kiosk.zones[0].view.count == 128)
    }

    /// A touch that began, with the same number and view but other values each time.
    private func beginnings(_ count: Int, _ fields: (Int) -> [String: String]) -> FleetReport.Kiosk {
        var draft = JournalDraft("hall")
        draft.touch("start", at: 10, end: nil)
        var record = draft.records[0]
        var fleet = FleetTally()
        for index in 0..<count {
            for (name, value) in fields(index) { record.fields[name] = value }
            fleet.add(record)
        }
        return fleet.report(now: .distantFuture).kiosks[0]
    }

    @Test("ten thousand touches that never end need the memory of 256, and are all counted")
    func unfinished() {
        let kiosk = beginnings(10_000) { ["TOUCHD_TOUCH": "\($0)"] }
        #expect(kiosk.total.touches == 10_000 && kiosk.total.unfinished == 10_000)
    }

    @Test("65,536 forged views are counted by name, the others together")
    func views() throws {
        let kiosk = beginnings(66_000) { ["TOUCHD_VIEW": "view \($0)"] }
        #expect(kiosk.zones.count == 65_537 && kiosk.total.touches == 66_000)
        #expect(try #require(kiosk.zones.first { $0.view == "…" }).tally.touches == 66_000 - 65_536)
    }

    @Test("a clock that is set back makes no negative pause and loses no touch")
    func clockSetBack() {
        var journal = JournalDraft("hall")
        for time in [5000.0, 6000, 100, 200] { journal.touch("start", at: time) }
        let kiosk = report(journal.records).kiosks[0]
        #expect(kiosk.total.taps == 4)
        #expect(kiosk.firstEntry < kiosk.lastEntry)
    }
}
