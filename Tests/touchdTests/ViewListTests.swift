import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// `touchd pages` and `touchd views`, of a running touchd.
@Suite struct ViewLists {
    private static let layout = """
        screen: {size: [1000, 1000]}
        pages:
          start:
            views:
              - {id: buy, frame: [0, 0, 100, 100]}
              - {id: sound, frame: [200, 0, 100, 100], control: {toggle: {on: true}}}
              - {id: under, frame: [400, 0, 100, 100]}
              - {id: over, frame: [400, 0, 200, 200]}
              - id: pad
                frame: [0, 500, 300, 300]
                private: true
                views: [{id: key, frame: [0, 0, 100, 100]}]
          help: {views: [{id: text, frame: [0, 0, 100, 100]}]}

        """

    @Test("pages and views are listed with their state, without what is in private views")
    func lists() throws {
        let touchd = try RunningTouchd(layout: Self.layout).ready()
        #expect(try touchd.command("pages").lines == ["start               shown", "help"])
        #expect(try touchd.command("hide", "buy").status == 0)
        #expect(try touchd.command("disable", "over").status == 0)
        #expect(
            try touchd.command("views").lines == [
                "buy                 on start  100 × 100 at (0, 0)  hidden",
                "over                on start  200 × 200 at (400, 0)  disabled",
                "pad                 on start  300 × 300 at (0, 500)",
                "sound               on start  100 × 100 at (200, 0)  on",
                "text                on help  100 × 100 at (0, 0)",
                "under               on start  100 × 100 at (400, 0)",
            ])
        #expect(try touchd.command("enable", "over").status == 0)
        #expect(try touchd.command("views").lines.last?.hasSuffix("covered") == true)
        let pages = try JSONSerialization.jsonObject(with: Data(touchd.command("pages", "--json").output.utf8))
        #expect((pages as? [[String: Any]])?.map { $0["shown"] as? Bool } == [true, false])
        let views = try JSONSerialization.jsonObject(with: Data(touchd.command("views", "--json").output.utf8))
        #expect((views as? [[String: Any]])?.compactMap { $0["covered"] as? Bool } == [false, false, false, true])
    }

    @Test("many views come in parts")
    func parts() throws {
        let views = (0..<450).map { "{id: v\($0), frame: [\($0), 0, 1, 1]}" }.joined(separator: ", ")
        let touchd = try RunningTouchd(layout: "screen: {size: [1000, 1000]}\nviews: [\(views)]\n").ready()
        #expect(try touchd.command("views").lines.count == 450)
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        let first: ViewList = try connection.answer(to: .listViews())
        let last: ViewList = try connection.answer(to: .listViews(part: 2))
        let none: ViewList = try connection.answer(to: .listViews(part: 1_000_000))
        #expect(first.views.count == 200 && first.next == 1 && last.views.count == 50 && last.next == nil)
        #expect(none.views.isEmpty && none.next == nil)
    }

    @Test("monitor prints the time of day")
    func clock() throws {
        let touchd = try RunningTouchd(layout: Self.layout).ready()
        let monitor = try Server([TouchdProgram.path, "monitor", "--socket", touchd.control])
        while try !touchd.command("status").output.contains("1 subscriber,") {}
        #expect(try touchd.command("go", "help").status == 0)
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
        #expect(monitor.text().contains(/\d\d:\d\d:\d\d\.\d\d\d  page help/))
    }
}
