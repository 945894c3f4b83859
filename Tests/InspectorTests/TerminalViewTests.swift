import ControlProtocol
import Foundation
import Testing

@testable import Inspector

@Suite("Touches in a terminal") struct TerminalViewTests {
    private func record(_ time: Double, _ phase: String, handlers: [String] = []) -> InspectionRecord {
        var record = InspectionRecord(time: time, queue: InspectionRecord.Queue(frames: 2, age: 0))
        var touch = InspectionRecord.Touch(
            touch: 7, source: 1, phase: phase, raw: [800, 1200], x: 20, y: 30, view: "start", handlers: handlers)
        if phase == "began" {
            touch.attachment = InspectionRecord.Attachment(
                isPrivate: false, path: ["start"], responders: ["view 'start'", "window"],
                recognizers: [.init(recognizer: 4, gesture: "tap", id: nil, view: "start", state: "possible")])
        }
        record.touches = [touch]
        return record
    }

    @Test(
        "a touch shows position, recognizers, responders and handlers until 5 s later"
    )
    func touch() {
        var view = TerminalView(source: "here")
        #expect(view.lines(columns: 80, rows: 24).last == "The screen is not touched.")
        let isNews = view.update(record(1, "began").line)
        #expect(isNews)
        var end = record(1.1, "ended", handlers: ["greet"])
        end.changes = [
            .init(recognizer: 4, gesture: "tap", id: nil, view: "start", from: "possible", to: "ended", touches: [7])
        ]
        end.latency = 0.0005
        let isEndNews = view.update(end.line)
        #expect(isEndNews)
        #expect(
            view.lines(columns: 80, rows: 24) == [
                "touchd inspect, here", "queue 2   latency 0.50 ms", "",
                "touch 7 ended on start at (20.0, 30.0), raw 800, 1200", "  responders  view 'start' > window",
                "  tap of start: ended", "  ran         greet (ended)",
            ])
        let isTimeNews = view.update(InspectionRecord(time: 7, queue: .init(frames: 0, age: 0)).line)
        #expect(isTimeNews)
        #expect(view.lines(columns: 80, rows: 24).last == "The screen is not touched.")
    }

    @Test("lines fit the terminal, and no name moves its cursor")
    func bounds() {
        var view = TerminalView(source: "\u{1B}[2J")
        let news = [record(1, "began").line, DroppedRecord(count: 3).line, Array("rubbish".utf8)].map {
            view.update($0)
        }
        #expect(news == [true, true, false])
        let lines = view.lines(columns: 20, rows: 4)
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 20 })
        #expect(
            lines[0] == "touchd inspect, \u{FFFD}[2J"
                && view.lines(columns: 80, rows: 4)[1].contains("3 events missing"))
    }
}
