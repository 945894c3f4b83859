import Foundation
import Testing

@testable import Reports

/// The days that kiosks send to a collector.
@Suite struct DayTallyTests {
    private static let midnight = Int(JournalDraft.midnight), length = 86_400

    private func reports(_ records: [JournalRecord], day: Int = 0) -> [DayReport] {
        var tally = DayTally(
            day: "2026-11-0\(day + 1)", from: Self.midnight + day * Self.length,
            until: Self.midnight + (day + 1) * Self.length)
        for record in records { tally.add(record) }
        return tally.reports(now: Date(timeIntervalSince1970: JournalDraft.midnight + 10 * 86400))
    }

    @Test("a touch counts on the day of its beginning, with its end on the next one; days add up to the whole journal")
    func midnight() throws {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 100)
        journal.touch("start", at: 86_399.9, lasting: 0.3)
        journal.touch("help", at: 86_401)
        journal.touch("help", at: 86_500, end: .touchCancelled)
        let first = try #require(reports(journal.records).first)
        #expect(first.day == "2026-11-01" && first.seat == "" && first.kiosk.host == "hall")
        #expect(first.from.timeIntervalSince1970 == JournalDraft.midnight)
        #expect(first.until.timeIntervalSince(first.from) == 86_400)
        #expect(first.kiosk.total.touches == 2 && first.kiosk.total.taps == 2 && first.kiosk.total.unfinished == 0)
        #expect(first.kiosk.strayEnds == 0 && first.kiosk.zones.map(\.view) == ["start"])

        let second = try #require(reports(journal.records, day: 1).first)
        #expect(second.kiosk.total.touches == 2 && second.kiosk.total.abandoned == 1)

        let whole = report(journal.records).kiosks[0].total
        #expect(first.kiosk.total + second.kiosk.total == whole)
        #expect(reports(journal.records, day: 2).isEmpty)
    }

    @Test("each seat is judged by itself, and the same journal gives the same text")
    func seats() {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 100)
        var left = JournalDraft("hall")
        left.touch("start", at: 101)
        for index in left.records.indices { left.records[index].fields["_SYSTEMD_UNIT"] = "touchd@left.service" }
        let found = reports(journal.records + left.records)
        #expect(found.map(\.seat) == ["", "left"] && found.allSatisfy { $0.kiosk.total.taps == 1 })
        #expect(found.map { $0.jsonText() } == reports(journal.records + left.records).map { $0.jsonText() })
        #expect(
            found[1].jsonText().hasPrefix(
                #"{"day": "2026-11-01", "seat": "left", "from": "2026-11-01T00:00:00Z", "until": "2026-11-02T00:00:00Z", "#
                    + #""kiosk": {"host": "hall", "#))
    }
}
