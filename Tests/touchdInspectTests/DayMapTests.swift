import ControlProtocol
import Foundation
import Layout
import Testing

@testable import Reports
@testable import touchd_inspect

/// The places touched in a day, from the journal's entries and from the inspector's events.
@Suite("The day's map") struct DayMapTests {
    private func document() throws -> LayoutDocument {
        try LayoutDocument(
            text: """
                screen: {size: [400, 400]}
                pages:
                  start:
                    views:
                      - {id: buy, frame: [0, 0, 100, 100], on: {ended: log}}
                      - {id: help, frame: [300, 0, 100, 100], on: {ended: log}}
                      - {id: picture, frame: [0, 300, 100, 100]}
                  pay:
                    views:
                      - id: pad
                        frame: [100, 100, 200, 200]
                        private: true
                        views: [{id: one, frame: [0, 0, 50, 50], control: button, on: {pressed: log}}]
                """, file: "kiosk.yaml", handlers: ["log"])
    }

    private func record(_ json: String) throws -> InspectionRecord {
        try JSONTree(#"{"event":"inspection","queue":{"age":0,"frames":0},"changes":[],\#(json)}"#.utf8).decode()
    }

    /// A tap that the inspector received.
    private func tap(_ seen: inout SeenTouches, _ number: Int, at time: Double, view: String, _ place: String = "")
        throws
    {
        for phase in ["began", "ended"] {
            let touch = #""touch":\#(number),"source":1,"phase":"\#(phase)","view":"\#(view)","handlers":[]\#(place)"#
            seen.add(
                try record(#""time":\#(time + (phase == "began" ? 0 : 0.1)),"touches":[{\#(touch)}]"#), date: time + 1e9
            )
        }
    }

    @Test("touches are counted in squares of 32 points on the current page")
    func seen() throws {
        var seen = SeenTouches(), tally = DayMapTally(try document())
        seen.show(page: "start")
        try tap(&seen, 1, at: 10, view: "buy", #","x":40,"y":10"#)
        try tap(&seen, 2, at: 20, view: "buy", #","x":50,"y":20"#)
        try tap(&seen, 3, at: 30, view: "picture", #","x":10,"y":390"#)
        for touch in seen.touches { tally.add(touch) }
        let map = tally.map(.opened, reason: "why")
        #expect(map.touches == 3 && map.source == .opened && map.reason == "why" && map.cellSize == 32)
        #expect(
            map.places == [
                DayMap.PageHeat(
                    screen: nil, page: "start",
                    cells: [Heatmap.Square(column: 1, row: 0, count: 2), Heatmap.Square(column: 0, row: 12, count: 1)])
            ])
        #expect(map.untouched == ["help"])
        #expect(map.ghosts.isEmpty)
    }

    @Test("a private touch is counted, without a square and without being listed by view")
    func privateView() throws {
        var seen = SeenTouches(), tally = DayMapTally(try document())
        seen.show(page: "pay")
        try tap(&seen, 1, at: 10, view: "pad")
        for touch in seen.touches { tally.add(touch) }
        let map = tally.map(.recording)
        #expect(map.touches == 1 && map.places.isEmpty)
        #expect(map.untouched == ["buy", "help"])
    }

    @Test(
        "a touch belongs to the page on which it began, even if it shows another one"
    )
    func pages() throws {
        var seen = SeenTouches(), tally = DayMapTally(try document())
        seen.add(try record(#""time":1,"touches":[],"pages":["start"]"#), date: 1e9)
        let touch = #""source":1,"view":"buy","handlers":[],"x":40,"y":10"#
        seen.add(
            try record(#""time":2,"pages":["pay"],"touches":[{"touch":1,"phase":"began",\#(touch)}]"#), date: 1e9)
        seen.show(page: "start")
        seen.add(try record(#""time":3,"touches":[{"touch":2,"phase":"began",\#(touch)}]"#), date: 1e9)
        for touch in seen.touches { tally.add(touch) }
        #expect(tally.map(.opened).places.map(\.page) == ["start"])
        #expect(tally.map(.opened).places[0].cells == [Heatmap.Square(column: 1, row: 0, count: 2)])
    }

    @Test("suspicious touches are listed with place and reason")
    func ghosts() throws {
        var seen = SeenTouches(), tally = DayMapTally(try document())
        seen.show(page: "start")
        for number in 0..<30 {
            try tap(&seen, number, at: 10 + Double(number), view: "buy", #","x":40,"y":40"#)
        }
        for touch in seen.touches { tally.add(touch) }
        let ghost = try #require(tally.map(.opened).ghosts.first)
        #expect(ghost.x == 40 && ghost.y == 40 && ghost.view == "buy" && ghost.touches == 30)
        #expect(ghost.oddities == [.tooRegular] && ghost.first == Date(timeIntervalSince1970: 1e9 + 10))
    }

    @Test("a program's exported journal is counted; a failing program's error is reported")
    func journal() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).export")
        defer { try? FileManager.default.removeItem(at: file) }
        let began = MessageID.touchBegan.rawValue
        let entries = [("start", "40"), ("start", "41"), ("gone", "42"), ("start", "5000")].enumerated().map {
            """
            MESSAGE_ID=\(began)\nTOUCHD_TOUCH=\($0 + 1)\nTOUCHD_VIEW=buy\nTOUCHD_PAGE=\($1.0)\nTOUCHD_X=\($1.1)\nTOUCHD_Y=10
            __REALTIME_TIMESTAMP=1793491200000000\n_HOSTNAME=kiosk\n_BOOT_ID=1\n_PID=7\n
            """
        }
        try Data(entries.joined(separator: "\n").utf8).write(to: file)
        var tally = DayMapTally(try document())
        try DayMapJournal.read(["/bin/cat", file.path], into: &tally)
        let map = tally.map(.journal)
        #expect(map.touches == 4)
        // Neither a page that the layout no longer has, nor a position outside the screen.
        #expect(map.places.map(\.page) == ["start"])
        #expect(map.places[0].cells == [Heatmap.Square(column: 1, row: 0, count: 2)])

        let error = #expect(throws: SessionError.self) {
            try DayMapJournal.read(["/bin/ls", "/nowhere at all"], into: &tally)
        }
        #expect(error?.description.contains("/nowhere at all") == true)
        #expect(throws: SessionError.self) { try DayMapJournal.read(["/nowhere/journalctl"], into: &tally) }
        #expect(throws: JournalError.self) { try DayMapJournal.read(["/bin/echo", "{"], into: &tally) }
    }

    @Test(
        "the socket of a service or instance determines the journal's unit",
        arguments: [
            ("/run/touchd/control", "touchd.service"), ("/run/touchd-seat1/control", "touchd@seat1.service"),
            ("/run/touchd-/control", nil), ("/tmp/touchd/control", nil), ("/run/touchd/other", nil), ("control", nil),
        ])
    func unit(path: String, unit: String?) {
        #expect(DayMapJournal.unit(ofSocket: path) == unit)
    }
}
