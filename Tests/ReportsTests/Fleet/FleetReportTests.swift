import Foundation
import Layout
import Reports
import Testing

/// The counts and the text of `touchd report`.
@Suite struct FleetReportTests {
    private let layout = """
        screen: {size: [1000, 500]}
        views:
          - {id: start, frame: [0, 0, 500, 500], on: {ended: log}}
          - {id: help, frame: [500, 0, 100, 100], on: {ended: log}}
          - {id: picture, frame: [600, 0, 100, 100]}
          - {id: closed, frame: [700, 0, 100, 100], enabled: false, on: {ended: log}}
          - {id: map, frame: [500, 250, 500, 250], gestures: [{pan: {}, run: log}]}
        """

    private func zones() throws -> LayoutZones {
        LayoutZones(try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: ["log"]))
    }

    @Test("the layouts of each kiosk are listed, and those that differ from --layout are noted")
    func layouts() throws {
        let zones = try zones()
        func loaded(_ journal: inout JournalDraft, _ hash: String, _ version: String? = nil, at time: Double) {
            var fields = ["TOUCHD_LAYOUT_HASH": hash]
            fields["TOUCHD_LAYOUT_VERSION"] = version
            journal.entry(.layoutLoaded, at: time, fields)
        }
        var hall = JournalDraft("hall")
        loaded(&hall, "0123456789ab", "41", at: 60)
        // A warning of the same layout, and a reload of it.
        hall.entry(.layoutLoaded, at: 60)
        loaded(&hall, "0123456789ab", "41", at: 120)
        loaded(&hall, zones.hash, "42", at: 3600)
        hall.touch("start", at: 7200)
        var shop = JournalDraft("shop")
        loaded(&shop, "0123456789ab", "41", at: 60)
        shop.touch("start", at: 7200)
        var attic = JournalDraft("attic")
        attic.touch("start", at: 7200)

        let result = report(hall.records, shop.records, attic.records, layout: zones)
        let kiosks = Dictionary(uniqueKeysWithValues: result.kiosks.map { ($0.host, $0) })
        #expect(kiosks["hall"]?.layouts.map(\.layout.version) == ["41", "42"])
        #expect(kiosks["hall"]?.hasOtherLayout == true && kiosks["hall"]?.deadZones.map(\.view) == ["help", "map"])
        // Only the other kiosks are compared with this layout.
        #expect(kiosks["shop"]?.hasOtherLayout == true && kiosks["shop"]?.deadZones == [])
        #expect(kiosks["attic"]?.hasOtherLayout == false)
        #expect(
            result.text.hasSuffix(
                """

                Layouts:
                  version 41, hash 0123456789ab: 1 kiosk
                  version 42, hash \(zones.hash): 1 kiosk
                  unknown, loaded before the journal starts: 1 kiosk
                """))
    }

    @Test("the whole report of two kiosks, word for word")
    func text() throws {
        var hall = JournalDraft("hall")
        hall.touch("start", at: 3600)
        hall.touch("start", at: 3610, lasting: 2)
        hall.touch("start", at: 3620, x: 490, toX: 510)
        hall.touch("map", at: 3630, x: 600, y: 300, end: .touchCancelled)
        hall.touch("", at: 3640, x: 900, end: nil)
        hall.entry(.deviceRemoved, at: 3650, ["TOUCHD_DEVICE": "ILITEK"])
        var shop = JournalDraft("shop")
        shop.touch("help", at: 7200, x: 550, y: 50, end: .touchCancelled)

        #expect(
            report(hall.records, shop.records, layout: try zones()).text == """
                2 kiosks, 6 touches, 2026-11-01 01:00:00 to 2026-11-01 02:00:00 UTC

                hall: 5 touches
                  view       touches     taps  abandoned  unfinished
                  (no view)        1        0          0           1
                  map              1        0          0           0
                  start            3        2          1           0
                  never touched: help
                  lost: ILITEK, unplugged, 2026-11-01 01:00:50

                shop: 1 touch
                  view  touches     taps  abandoned  unfinished
                  help        1        0          1           0
                  never touched: map, start

                Kiosks to check:
                  hall: device lost
                """)
    }

    @Test("a journal without touchd's entries is reported as such")
    func empty() {
        let records = [JournalRecord(fields: ["MESSAGE": "hello", "__REALTIME_TIMESTAMP": "1"])]
        #expect(report(records).text == "The journal has no entry of touchd.")
    }

    @Test(
        "a tap is lifted within 0.75 s and 45 points, and a cancelled touch is not a tap",
        arguments: [(0.75, 45.0, 1), (0.76, 0, 0), (0.1, 45.1, 0)])
    func taps(duration: Double, distance: Double, taps: Int) {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 10, lasting: duration, toX: 100 + distance)
        journal.touch("start", at: 20, end: .touchCancelled)
        #expect(report(journal.records).kiosks[0].total.taps == taps)
    }

    @Test("a lift outside is judged in the view's own coordinates, also rotated and nested")
    func liftedOutside() throws {
        let text = """
            screen: {size: [1000, 1000]}
            views:
              - id: outer
                frame: [500, 500, 200, 100]
                transform: {rotate: 90}
                views:
                  - {id: inner, frame: [0, 0, 50, 100], on: {ended: log}}
            """
        let layout = LayoutZones(try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]))
        // Rotated about (600, 550), the outer view covers x 550…650 and y 450…650, and the inner one its upper quarter.
        var journal = JournalDraft("hall")
        journal.touch("inner", at: 10, x: 600, y: 460, toX: 645, toY: 499)
        journal.touch("inner", at: 20, x: 600, y: 460, toX: 600, toY: 501)
        let zone = report(journal.records, layout: layout).kiosks[0].total
        #expect(zone.liftedOutside == 1 && zone.abandoned == 1)
    }

    @Test("ends match their begins by kiosk, boot, process and number")
    func pairs() {
        var first = JournalDraft("hall", boot: "a", process: "1"),
            second = JournalDraft("hall", boot: "a", process: "2")
        var third = JournalDraft("hall", boot: "b", process: "1"), other = JournalDraft("shop", boot: "a", process: "1")
        first.touch("start", at: 10, end: nil)
        second.touch("start", at: 20)
        third.touch("start", at: 30)
        other.touch("start", at: 40)
        // The ends come in another order than the begins.
        let mixed =
            [second, third, other].flatMap { [$0.records[0]] } + [other, third, second].flatMap { [$0.records[1]] }
        let report = report(first.records + mixed)

        #expect(report.kiosks.map(\.host) == ["hall", "shop"])
        #expect(report.kiosks.map(\.total.taps) == [2, 1])
        #expect(report.kiosks.map(\.total.unfinished) == [1, 0])
        #expect(report.kiosks.map(\.strayEnds) == [0, 0])
    }

    @Test("the end of a touch that began before the journal is not counted as a touch")
    func strayEnd() {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 10)
        let kiosk = report(Array(journal.records.dropFirst())).kiosks[0]
        #expect(kiosk.strayEnds == 1 && kiosk.total.touches == 0)
    }

    @Test("an upload that was cut and sent again counts once, also over a restart")
    func twice() {
        var first = JournalDraft("hall", boot: "a"), second = JournalDraft("hall", boot: "b")
        for index in 0..<10 {
            first.touch("start", at: Double(index) * 10)
            second.touch("start", at: 1000 + Double(index) * 10)
        }
        // Four entries have the same time.
        func timed(_ journal: JournalDraft) -> [JournalRecord] {
            journal.records.enumerated().map { index, record in
                JournalRecord(fields: record.fields.merging(["__MONOTONIC_TIMESTAMP": "\(index / 4)"]) { $1 })
            }
        }
        let (a, b) = (timed(first), timed(second))
        let whole = report(a, b)
        #expect(whole.touches == 20 && whole.kiosks[0].total.taps == 20)
        #expect(report(a, a, b) == whole && report(a, b, a, b) == whole)
        #expect(report(Array(a[..<9]), a, Array(b[..<6]), Array(b[2...])) == whole)
        // The service of a second seat may be in another file.
        let left = a.map { JournalRecord(fields: $0.fields.merging(["_SYSTEMD_UNIT": "touchd@left.service"]) { $1 }) }
        #expect(report(a, left).touches == 20)
    }

    @Test("kiosks with the same name, or the same machine ID, are distinguished")
    func names() {
        var journals = [
            JournalDraft("kiosk", machine: "a"), JournalDraft("kiosk", machine: "b"),
            JournalDraft("other", machine: "a"),
        ]
        for index in journals.indices { journals[index].touch("start", at: 10) }
        let text = report(journals.flatMap(\.records)).text
        #expect(text.contains("kiosk (a): 1 touch") && text.contains("kiosk (b): 1 touch"))
        #expect(text.contains("\nother: 1 touch"))
    }

    @Test("an untouched zone is suspicious only if people use it on other kiosks")
    func deadZones() {
        var journals: [JournalRecord] = []
        for host in ["a", "b", "c"] {
            var journal = JournalDraft(host)
            for second in 0..<100 {
                let isOther = second.isMultiple(of: 4)
                journal.touch(isOther && host != "c" ? "help" : "start", at: Double(second * second))
            }
            if host == "b" { journal.touch("rare", at: 20_000) }
            journals += journal.records
        }
        let kiosks = report(journals).kiosks
        // 50 of the 201 touches on the others, of the 100 here.
        #expect(kiosks[2].deadZones.map(\.view) == ["help", "rare"])
        #expect(abs((kiosks[2].deadZones[0].expected ?? 0) - 100 * 50.0 / 201) < 0.001)
        #expect(kiosks.map(\.concerns) == [[], [], [.deadZone]])
    }

    @Test("a touch lifted in the slop of its view, at the far edge, or where a view redirects to it is not outside")
    func liftedInside() throws {
        let text = """
            screen: {size: [1000, 500]}
            views:
              - {id: corner, frame: [900, 400, 100, 100], slop: 10, on: {ended: log}}
              - {id: label, frame: [100, 0, 100, 100], redirect: icon}
              - {id: icon, frame: [0, 0, 100, 100], redirect: button}
              - {id: button, frame: [0, 200, 100, 100], on: {ended: log}}
            """
        let layout = LayoutZones(try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]))
        var journal = JournalDraft("hall")
        // As the journal rounds 999.999.
        journal.touch("corner", at: 10, x: 1000, y: 450)
        journal.touch("corner", at: 20, x: 892, y: 450)
        for (index, x) in [50.0, 150, 50].enumerated() { journal.touch("button", at: 30 + Double(index), x: x, y: 50) }
        journal.touch("button", at: 40, x: 50, y: 250)
        #expect(report(journal.records, layout: layout).kiosks[0].total.abandoned == 0)
        journal.touch("corner", at: 50, x: 892, y: 450, toX: 889)
        journal.touch("button", at: 60, x: 50, y: 50, toY: 150)
        #expect(report(journal.records, layout: layout).kiosks[0].total.liftedOutside == 2)
    }

    @Test("what sums of days need: first and last touch, longest pause, hours, a tap in the hour in which it began")
    func hours() throws {
        var journal = JournalDraft("hall")
        journal.entry(.layoutLoaded, at: 10)
        #expect(report(journal.records).kiosks[0].firstTouch == nil)
        for time in [3599.8, 3700, 20000, 20001] { journal.touch("start", at: time, lasting: 0.4) }
        journal.touch("start", at: 20100, lasting: 2)
        func date(_ time: Double) -> Date { Date(timeIntervalSince1970: JournalDraft.midnight + time) }
        let kiosk = report(journal.records).kiosks[0]
        #expect(kiosk.firstTouch == date(3599.8) && kiosk.lastTouch == date(20100))
        #expect(kiosk.longestPause?.start == date(3700) && kiosk.longestPause?.seconds == 16300)
        #expect(kiosk.hours.map(\.start) == [date(0), date(3600), date(5 * 3600)])
        #expect(kiosk.hours.map(\.touches) == [1, 1, 3] && kiosk.hours.map(\.taps) == [1, 1, 2])

        for hour in 0..<800 { journal.touch("start", at: 86400 + Double(hour) * 3600) }
        let busy = report(journal.records).kiosks[0]
        #expect(busy.hours.count == 744 && busy.hours.last?.start == date(86400 + 799 * 3600))
        #expect(busy.total.touches == 805)
    }

    @Test("without a layout, a touch cancelled during a gesture of its run is not abandoned")
    func takenByGesture() throws {
        var journal = JournalDraft("hall")
        journal.touch("map", at: 10, end: .touchCancelled)
        func gesture(_ trigger: String, _ time: Double) {
            journal.entry(
                .gestureRecognized, at: time,
                ["TOUCHD_GESTURE": "pan", "TOUCHD_TRIGGER": trigger, "TOUCHD_TIME": "\(time)"])
            journal.records.swapAt(journal.records.count - 2, journal.records.count - 1)
        }
        gesture("began", 10.05)
        journal.touch("map", at: 20, end: .touchCancelled)
        gesture("ended", 20.05)
        let total = report(journal.records).kiosks[0].total
        #expect(total.cancelled == 2 && total.abandoned == 1)
    }

    @Test("columns are in line below names of wide, combined and pictured characters")
    func wideNames() throws {
        var journal = JournalDraft("hall")
        for name in ["入口", "start", "e\u{301}te", "ｶ한Ａ", "👋🏽"] { journal.touch(name, at: 10) }
        #expect(
            report(journal.records).text.hasSuffix(
                """
                  view   touches     taps  abandoned  unfinished
                  start        1        1          0           0
                  e\u{301}te          1        1          0           0
                  入口         1        1          0           0
                  ｶ한Ａ        1        1          0           0
                  👋🏽           1        1          0           0
                """))
    }
}
