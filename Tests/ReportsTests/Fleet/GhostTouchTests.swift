import Foundation
import Reports
import Testing

/// Which touches are suspected as ghosts, and which are not.
@Suite struct GhostTouchTests {
    private let size = try? LayoutZones(
        .init(text: "screen: {size: [1920, 1080]}", file: "kiosk.yaml", handlers: [String]()))

    private func oddities(_ journal: JournalDraft, layout: LayoutZones? = nil) -> [[GhostSuspect.Oddity]] {
        report(journal.records, layout: layout).kiosks[0].ghosts.map(\.oddities)
    }

    @Test("ten touches within 0.75 s at one point are too fast; ten in a second are not")
    func tooFast() {
        var fast = JournalDraft("hall"), slow = JournalDraft("hall")
        for index in 0..<10 {
            fast.touch("start", at: 10 + Double(index) * 0.08, x: 100 + Double(index % 3), lasting: 0.04)
            slow.touch("start", at: 10 + Double(index) * 0.1, x: 100 + Double(index % 3), lasting: 0.05)
        }
        #expect(oddities(fast) == [[.tooFast]])
        #expect(oddities(slow) == [])
    }

    @Test("twenty touches of a frame or two are too short; of 60 ms they are not")
    func tooShort() {
        var short = JournalDraft("hall"), taps = JournalDraft("hall")
        for index in 0..<20 {
            let time = Double(index * index)
            short.touch("start", at: time, lasting: 0.016)
            taps.touch("start", at: time, lasting: 0.06)
        }
        #expect(oddities(short) == [[.tooShort]])
        #expect(oddities(taps) == [])
    }

    @Test("twenty touches at fixed intervals are too regular; a person's are not")
    func tooRegular() {
        var machine = JournalDraft("hall"), person = JournalDraft("hall")
        for index in 0..<20 {
            machine.touch("start", at: Double(index) * 0.5 + Double(index % 2) * 0.004)
            person.touch("start", at: Double(index) * 0.5 + Double(index % 3) * 0.02)
        }
        #expect(oddities(machine) == [[.tooRegular]])
        #expect(oddities(person) == [])
    }

    @Test("a touch of more than five minutes is too long")
    func tooLong() {
        var journal = JournalDraft("hall")
        journal.touch("start", at: 10, lasting: 299)
        journal.touch("start", at: 1000, lasting: 301)
        #expect(oddities(journal) == [[.tooLong]])
    }

    @Test("twenty touches at the screen's edge are suspect if the layout has its size")
    func atEdge() throws {
        var edge = JournalDraft("hall"), inside = JournalDraft("hall")
        for index in 0..<20 {
            edge.touch("start", at: Double(index * index), x: 1914, y: 500)
            inside.touch("start", at: Double(index * index), x: 1900, y: 500)
        }
        let size = try #require(size)
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

    @Test("visitors who press one button as fast as people can are not suspected")
    func visitors() {
        var journal = JournalDraft("hall")
        // Always the same visitors: by chance, others may look like a ghost.
        var seed: UInt64 = 1
        func random(_ range: ClosedRange<Double>) -> Double {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(seed >> 11) / 0x1p53
        }
        var time = 0.0
        for _ in 0..<5000 {
            time += random(0.14...1.2)
            journal.touch(
                "next", at: time, x: 500 + random(-30...30),
                y: 500 + random(-30...30), lasting: random(0.05...0.13))
        }
        #expect(oddities(journal) == [])
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
}
