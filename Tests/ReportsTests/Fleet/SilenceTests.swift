import Foundation
import Reports
import Testing

/// Silent screens, and devices that did not return.
@Suite struct SilenceTests {
    private let day = 86400.0

    /// Touches every ten minutes from nine to five, for a number of days.
    private func openingHours(_ host: String, days: Int, process: String = "700") -> JournalDraft {
        var journal = JournalDraft(host, process: process)
        for day in 0..<days {
            for tenMinutes in 54..<102 { journal.touch("start", at: Double(day) * 86400 + Double(tenMinutes) * 600) }
        }
        return journal
    }

    @Test("a night is not a silence, but three days without a touch are")
    func silence() throws {
        let hall = openingHours("hall", days: 3), shop = openingHours("shop", days: 6)
        let kiosks = report(hall.records, shop.records).kiosks
        let silence = try #require(kiosks[0].silence)
        // From 16:50 of the third day to 16:50 of the sixth; the night from 16:50 to 9:00 is the longest pause.
        #expect(abs(silence.seconds - 3 * day) < 1)
        #expect(abs(silence.longestPause - (16 * 3600 + 600)) < 1)
        #expect(kiosks[1].silence == nil)
        #expect(kiosks.map(\.concerns) == [[.silent], []])
    }

    @Test("the next morning is not a silence yet")
    func morning() {
        var shop = openingHours("shop", days: 3)
        shop.touch("start", at: 3 * day + 9 * 3600)
        #expect(report(openingHours("hall", days: 3).records, shop.records).kiosks.allSatisfy { $0.silence == nil })
    }

    @Test("a kiosk that writes but is never touched is silent after a day")
    func untouched() {
        var hall = JournalDraft("hall")
        hall.entry(.layoutLoaded, at: 0)
        hall.entry(.layoutLoaded, at: day)
        #expect(report(hall.records).kiosks[0].concerns == [.silent])
        #expect(report(Array(hall.records.dropLast())).kiosks[0].concerns == [])
    }

    @Test("a kiosk whose clock is years ahead is reported, and makes no other silent")
    func clockAhead() {
        let hall = openingHours("hall", days: 2)
        var shop = JournalDraft("shop")
        shop.touch("start", at: 4000 * day)
        let kiosks = report(hall.records, shop.records, now: 3 * day).kiosks
        #expect(kiosks.map(\.concerns) == [[], [.clockAhead]])
    }

    @Test("a device that returns is not lost; an unplugged, failed or missing one is")
    func devices() {
        var hall = JournalDraft("hall", boot: "a")
        for name in ["back", "unplugged", "failed", "twin", "twin", "gone", "kept"] {
            hall.entry(.deviceAdded, at: 10, ["TOUCHD_DEVICE": name])
        }
        var again = JournalDraft("hall", boot: "b")
        again.entry(.deviceAdded, at: 100, ["TOUCHD_DEVICE": "kept"])
        again.entry(.deviceAdded, at: 100, ["TOUCHD_DEVICE": "back"])
        again.entry(.deviceRemoved, at: 110, ["TOUCHD_DEVICE": "back"])
        again.entry(.deviceAdded, at: 120, ["TOUCHD_DEVICE": "back"])
        again.entry(.deviceAdded, at: 130, ["TOUCHD_DEVICE": "unplugged"])
        again.entry(.deviceRemoved, at: 140, ["TOUCHD_DEVICE": "unplugged"])
        again.entry(.deviceFailed, at: 150, ["TOUCHD_DEVICE": "failed", "PRIORITY": "3"])
        again.entry(.deviceFailed, at: 160, ["TOUCHD_DEVICE": "kept", "PRIORITY": "4"])
        for name in ["twin", "twin"] { again.entry(.deviceAdded, at: 170, ["TOUCHD_DEVICE": name]) }

        let lost = report(hall.records, again.records).kiosks[0].lostDevices
        #expect(lost.map(\.device) == ["failed", "gone", "unplugged"])
        #expect(lost.map(\.loss) == [.failed, .absent, .unplugged])
    }

    @Test("an expected device that is missing or silent is lost until it returns")
    func expectedDevices() {
        var hall = JournalDraft("hall")
        hall.entry(.deviceAbsent, at: 10, ["TOUCHD_DEVICE": "ELAN*"])
        hall.entry(.deviceAbsent, at: 20, ["TOUCHD_DEVICE": "ILITEK"])
        for name in ["quiet", "loud"] {
            hall.entry(.deviceAdded, at: 30, ["TOUCHD_DEVICE": name])
            hall.entry(.deviceSilent, at: 40, ["TOUCHD_DEVICE": name])
        }
        hall.entry(.deviceBack, at: 50, ["TOUCHD_DEVICE": "ILITEK"])
        let before = report(hall.records).kiosks[0].lostDevices
        #expect(before.map(\.device) == ["ELAN*", "loud", "quiet"])
        #expect(before.map(\.loss) == [.missing, .silent, .silent])

        hall.entry(.deviceBack, at: 60, ["TOUCHD_DEVICE": "ELAN Touchscreen"])
        hall.entry(.deviceBack, at: 70, ["TOUCHD_DEVICE": "loud"])
        #expect(report(hall.records).kiosks[0].lostDevices.map(\.device) == ["quiet"])
    }

    @Test("of two missing devices, the one stays lost whose rule does not match the device that is back")
    func backByRule() {
        var hall = JournalDraft("hall")
        hall.entry(.deviceAbsent, at: 10, ["TOUCHD_DEVICE": "ELAN*"])
        hall.entry(.deviceAbsent, at: 20, ["TOUCHD_DEVICE": "ILITEK*"])
        hall.entry(
            .deviceBack, at: 30, ["TOUCHD_DEVICE": "ILITEK ILITEK-TP", "TOUCHD_EXPECTED": "ILITEK*"])
        #expect(report(hall.records).kiosks[0].lostDevices.map(\.device) == ["ELAN*"])
    }

    @Test("a device that disappears while the service is stopped is lost, one of another seat's service is not")
    func serviceRestarts() {
        func run(_ process: String, _ unit: String, _ device: String?, missing: String? = nil, at time: Double)
            -> [JournalRecord]
        {
            var draft = JournalDraft("hall", process: process)
            if let device { draft.entry(.deviceAdded, at: time, ["TOUCHD_DEVICE": device]) }
            if let missing { draft.entry(.deviceAbsent, at: time, ["TOUCHD_DEVICE": missing]) }
            draft.entry(.started, at: time + 1)
            for index in draft.records.indices { draft.records[index].fields["_SYSTEMD_UNIT"] = unit }
            return draft.records
        }
        let before =
            run("1", "touchd.service", "ILITEK", missing: "old*", at: 10)
            + run("2", "touchd@seat1.service", "ELAN", missing: "kept*", at: 20)
        #expect(report(before).kiosks[0].lostDevices.map(\.device) == ["kept*", "old*"])
        let after = run("3", "touchd.service", nil, missing: "new*", at: 100)
        let lost = report(before, after).kiosks[0].lostDevices
        #expect(lost.map(\.device) == ["ILITEK", "kept*", "new*"])
        #expect(lost.map(\.loss) == [.absent, .missing, .missing])
        let back = report(before, run("3", "touchd.service", "ILITEK", at: 100)).kiosks[0].lostDevices
        #expect(back.map(\.device) == ["kept*"])
    }
}
