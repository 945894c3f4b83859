import ControlProtocol
import Foundation
import Reports
import Testing

@testable import touchd

/// The days that kiosks send to a collector.
@Suite struct DayTallyTests {
    /// Midnight of November 1, 2026, in UTC.
    private static let midnight = 1_793_491_200

    /// The two entries of a touch; times are in seconds since midnight.
    private func touch(
        _ number: Int, _ view: String, at time: Double, lasting: Double = 0.1, end: MessageID = .touchEnded,
        unit: String = "touchd.service"
    ) -> [JournalRecord] {
        [(MessageID.touchBegan, time), (end, time + lasting)].map { identity, time in
            JournalRecord(fields: [
                "MESSAGE_ID": identity.rawValue, "_BOOT_ID": "boot", "_PID": "700", "_SYSTEMD_UNIT": unit,
                "_HOSTNAME": "hall", "_MACHINE_ID": "machine", "TOUCHD_TOUCH": "\(number)", "TOUCHD_VIEW": view,
                "__REALTIME_TIMESTAMP": "\(Self.midnight * 1_000_000 + Int((time * 1_000_000).rounded()))",
                "TOUCHD_X": "100", "TOUCHD_Y": "100", "TOUCHD_TIME": "\(1000 + time)",
            ])
        }
    }

    private func reports(_ records: [JournalRecord], day: Int = 0) -> [DayReport] {
        let start = Self.midnight + day * 86400
        var tally = DayTally(CalendarDay(name: "2026-11-0\(day + 1)", start: start, end: start + 86400))
        for record in records { tally.add(record) }
        return tally.reports(now: Date(timeIntervalSince1970: Double(Self.midnight + 10 * 86400)))
    }

    @Test("a touch counts on the day of its beginning, with its end on the next one; days add up to the whole journal")
    func midnight() throws {
        let journal =
            touch(1, "start", at: 100) + touch(2, "start", at: 86_399.9, lasting: 0.3) + touch(3, "help", at: 86_401)
            + touch(4, "help", at: 86_500, end: .touchCancelled)
        let first = try #require(reports(journal).first)
        #expect(first.day == "2026-11-01" && first.seat == "" && first.kiosk.host == "hall")
        #expect(first.from.timeIntervalSince1970 == Double(Self.midnight))
        #expect(first.until.timeIntervalSince(first.from) == 86_400)
        #expect(first.kiosk.total.touches == 2 && first.kiosk.total.taps == 2 && first.kiosk.total.unfinished == 0)
        #expect(first.kiosk.strayEnds == 0 && first.kiosk.zones.map(\.view) == ["start"])

        let second = try #require(reports(journal, day: 1).first)
        #expect(second.kiosk.total.touches == 2 && second.kiosk.total.abandoned == 1)
        #expect(second.kiosk.hours.map(\.touches) == [2])

        var fleet = FleetTally()
        for record in journal { fleet.add(record) }
        let whole = fleet.report(now: .now).kiosks[0].total
        for count in [\ZoneTally.touches, \.taps, \.cancelled, \.abandoned, \.unfinished] {
            #expect(first.kiosk.total[keyPath: count] + second.kiosk.total[keyPath: count] == whole[keyPath: count])
        }
        #expect(reports(journal, day: 2).isEmpty)
    }

    @Test("the days of a random journal add up to the whole, view by view", arguments: 1...25)
    func sums(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31) * bound
        }
        var entries: [JournalRecord] = []
        for number in 1...300 {
            // A third is near a midnight.
            let isNear = next(3) < 1
            let time = isNear ? (1 + next(4).rounded(.down)) * 86_400 + next(60) - 30 : next(432_000)
            let both = touch(
                number, "view \(Int(next(15)))", at: time, lasting: 0.01 + next(isNear ? 60 : 2),
                end: next(2) < 1 ? .touchEnded : .touchCancelled)
            entries += next(10) < 1 ? [both[0]] : both
        }
        entries.sort { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }

        var fleet = FleetTally()
        for entry in entries { fleet.add(entry) }
        let whole = fleet.report(now: .now).kiosks[0], days = (0..<5).flatMap { reports(entries, day: $0) }
        for count in [\ZoneTally.touches, \.taps, \.cancelled, \.abandoned, \.unfinished] {
            for zone in whole.zones {
                let sum = days.flatMap(\.kiosk.zones).filter { $0.view == zone.view }.map { $0.tally[keyPath: count] }
                #expect(sum.reduce(0, +) == zone.tally[keyPath: count], "\(zone.view)")
            }
        }
        #expect(days.count == 5)
        #expect(days.flatMap(\.kiosk.hours).map(\.taps).reduce(0, +) == whole.hours.map(\.taps).reduce(0, +))
    }

    @Test("each seat is judged by itself, and the same journal gives the same text")
    func seats() {
        let journal = touch(1, "start", at: 100) + touch(1, "start", at: 101, unit: "touchd@left.service")
        let found = reports(journal)
        #expect(found.map(\.seat) == ["", "left"] && found.allSatisfy { $0.kiosk.total.taps == 1 })
        #expect(found.map { $0.jsonText() } == reports(journal).map { $0.jsonText() })
        #expect(
            found[1].jsonText().hasPrefix(
                #"{"day": "2026-11-01", "seat": "left", "from": "2026-11-01T00:00:00Z", "until": "2026-11-02T00:00:00Z", "#
                    + #""kiosk": {"host": "hall", "#))
    }
}
