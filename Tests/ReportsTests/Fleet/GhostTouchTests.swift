import Foundation
import Layout
import Reports
import Testing

/// Which touches are suspected as ghosts, and which are not.
@Suite struct GhostTouchTests {
    private func oddities(_ journal: JournalDraft, layout: LayoutZones? = nil) -> [[GhostSuspect.Oddity]] {
        report(journal.records, layout: layout).kiosks[0].ghosts.map(\.oddities)
    }

    private static let series: [(Int, @Sendable (Int) -> Double, Double, GhostSuspect.Oddity?)] = [
        // Ten within 0.75 s, and ten in a second.
        (10, { Double($0) * 0.08 }, 0.04, .tooFast), (10, { Double($0) * 0.1 }, 0.05, nil),
        // Twenty of a frame or two, and of 60 ms.
        (20, { Double($0 * $0) }, 0.016, .tooShort), (20, { Double($0 * $0) }, 0.06, nil),
        // Twenty at fixed intervals, and as a person does it.
        (20, { Double($0) * 0.5 + Double($0 % 2) * 0.004 }, 0.1, .tooRegular),
        (20, { Double($0) * 0.5 + Double($0 % 3) * 0.02 }, 0.1, nil),
        // One of more than five minutes.
        (1, { _ in 0 }, 301, .tooLong), (1, { _ in 0 }, 299, nil),
    ]

    @Test(
        "a series is odd if its touches are too fast, too short, too regular or too long, and not just within the limits",
        arguments: series)
    func oddSeries(count: Int, time: @Sendable (Int) -> Double, duration: Double, oddity: GhostSuspect.Oddity?) {
        var journal = JournalDraft("hall")
        for index in 0..<count {
            journal.touch("start", at: 10 + time(index), x: 100 + Double(index % 3), lasting: duration)
        }
        #expect(oddities(journal) == (oddity.map { [[$0]] } ?? []))
    }

    @Test("twenty touches at the screen's edge are suspect if the layout has its size")
    func atEdge() throws {
        let size = LayoutZones(
            try LayoutDocument(text: "screen: {size: [1920, 1080]}", file: "kiosk.yaml", handlers: [String]()))
        var edge = JournalDraft("hall"), inside = JournalDraft("hall")
        for index in 0..<20 {
            edge.touch("start", at: Double(index * index), x: 1914, y: 500)
            inside.touch("start", at: Double(index * index), x: 1900, y: 500)
        }
        #expect(oddities(edge, layout: size) == [[.atEdge]])
        #expect(oddities(edge) == [])
        #expect(oddities(inside, layout: size) == [])
    }

    @Test("twenty touches at an hour without other touches on the kiosk are suspect")
    func atNight() {
        var journal = JournalDraft("hall")
        for day in 0..<4 {
            let opening = Double(day) * 86400 + 11 * 3600
            for index in 0..<100 { journal.touch("start", at: opening + Double(index) * 210) }
        }
        var visitor = journal
        for index in 0..<20 {
            journal.touch("start", at: 4 * 86400 + 3 * 3600 + Double(index * index) * 1.3, x: 700)
            visitor.touch("start", at: 4 * 86400 + 12 * 3600 + Double(index * index) * 1.3, x: 700)
        }
        #expect(oddities(visitor) == [])
        let ghosts = report(journal.records).kiosks[0].ghosts
        #expect(ghosts.map(\.oddities) == [[.atNight]])
        #expect(ghosts.map(\.touches) == [20])
    }

    @Test("a ghost spot between visitors' touches is found, with place, time and number")
    func amongVisitors() throws {
        var journal = JournalDraft("hall")
        for index in 0..<600 {
            journal.touch("start", at: Double(index) * 1.7, x: Double(index * 37 % 1900), y: Double(index * 91 % 1000))
            journal.touch("", at: Double(index) * 1.7 + 0.3, x: 1850 + Double(index % 4), y: 20, lasting: 0.008)
        }
        let ghost = try #require(report(journal.records).kiosks[0].ghosts.first)
        #expect(ghost.oddities == [.tooShort, .tooRegular])
        #expect(ghost.view == "" && ghost.x == 1851.5 && ghost.y == 20)
        #expect(ghost.touches >= 600 && ghost.touches < 610)
        #expect(abs(ghost.last.timeIntervalSince(ghost.first) - 599 * 1.7) < 1)
    }

    @Test("a restart of the kiosk ends a series, because its clock restarts")
    func restart() {
        var before = JournalDraft("hall", boot: "a"), after = JournalDraft("hall", boot: "b")
        for index in 0..<9 {
            before.touch("start", at: 10 + Double(index) * 0.05, lasting: 0.04)
            after.touch("start", at: 10 + Double(index) * 0.05, lasting: 0.04)
        }
        #expect(report(before.records, after.records).kiosks[0].ghosts == [])
    }

    @Test("a ghost's first and last time are those at which its touches began")
    func times() throws {
        var journal = JournalDraft("hall")
        for time in [1000.0, 1050] { journal.touch("start", at: time, lasting: 400) }
        let ghost = try #require(report(journal.records).kiosks[0].ghosts.first)
        #expect([ghost.first, ghost.last].map { $0.timeIntervalSince1970 - JournalDraft.midnight } == [1000, 1050])
    }

    @Test("a finger that is down while others touch for five minutes is suspect, one whose run ends is not")
    func neverLifted() throws {
        var before = JournalDraft("hall", process: "1"), after = JournalDraft("hall", process: "2")
        before.touch("start", at: 10, x: 2, y: 2, end: nil)
        before.touch("start", at: 300, x: 700)
        after.touch("start", at: 900, x: 700)
        #expect(oddities(before) == [])
        #expect(report(before.records, after.records).kiosks[0].ghosts == [])
        before.touch("start", at: 311, x: 900)
        let kiosk = report(before.records, after.records).kiosks[0]
        #expect(kiosk.ghosts.map(\.oddities) == [[.tooLong]] && kiosk.ghosts.map(\.x) == [2])
        #expect(kiosk.total.unfinished == 1)
    }

    @Test("touches at one spot of two screens are two ghosts")
    func screens() {
        var journal = JournalDraft("hall")
        for (screen, start) in [("left", 0.0), ("right", 100)] {
            let first = journal.records.count
            for index in 0..<20 { journal.touch("start", at: start + Double(index)) }
            for index in first..<journal.records.count { journal.records[index].fields["TOUCHD_SCREEN"] = screen }
        }
        #expect(report(journal.records).kiosks[0].ghosts.map(\.touches) == [20, 20])
    }
}
