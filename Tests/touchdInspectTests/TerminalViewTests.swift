import ControlProtocol
import Foundation
import Testing

@testable import touchd_inspect

@Suite("Touches in a terminal") struct TerminalViewTests {
    private func record(_ time: Double, _ phase: TouchRecord.Phase, handlers: [String] = []) -> InspectionRecord {
        var touch = InspectionRecord.Touch()
        (touch.touch, touch.source, touch.phase, touch.raw) = (7, 1, phase, [800, 1200])
        (touch.x, touch.y, touch.view, touch.handlers) = (20, 30, "start", handlers)
        if phase == .began {
            touch.attachment = InspectionRecord.Attachment {
                ($0.path, $0.responders) = (["start"], ["view 'start'", "window"])
                $0.recognizers = [
                    .init { ($0.recognizer, $0.gesture, $0.view, $0.state) = (4, "tap", "start", .possible) }
                ]
            }
        }
        return InspectionRecord {
            ($0.time, $0.touches) = (time, [touch])
            $0.queue.frames = 2
        }
    }

    @Test(
        "a touch shows position, recognizers, responders and handlers until 5 s later"
    )
    func touch() {
        var view = TerminalView(source: "here")
        #expect(view.lines(columns: 80, rows: 24).last == "The screen is not touched.")
        let isNews = view.update(record(1, .began).line)
        #expect(isNews)
        var end = record(1.1, .ended, handlers: ["greet"])
        end.changes = [
            .init {
                ($0.recognizer, $0.gesture, $0.view, $0.touches) = (4, "tap", "start", [7])
                ($0.from, $0.to) = (.possible, .ended)
            }
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
        let isTimeNews = view.update(InspectionRecord { $0.time = 7 }.line)
        #expect(isTimeNews)
        #expect(view.lines(columns: 80, rows: 24).last == "The screen is not touched.")
    }

    @Test("lines fit the terminal, and no name moves its cursor")
    func bounds() {
        var view = TerminalView(source: "\u{1B}[2J")
        let news = [record(1, .began).line, DroppedRecord(count: 3).line, Array("rubbish".utf8)].map {
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
