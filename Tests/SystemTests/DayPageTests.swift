import Foundation
import Testing

@testable import TestSupport

/// The day's map and the export of the last minutes, in a real browser.
@Suite("The day on the inspector's page", .needs("chromium"), .serialized)
struct DayPage {
    /// Opens the page and clicks its button for the day.
    private func read(_ inspector: RunningInspector) throws -> Chromium {
        let browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
        try browser.click("day-load")
        try browser.wait("document.getElementById('day').textContent !== ''")
        return browser
    }

    @Test("a recording's touches are squares by number, and untouched views are crossed")
    func recording() throws {
        let inspector = try RunningInspector.ofRecording()
        let day = try inspector.json("/api/day"), places = try #require(day["places"] as? [[String: Any]])
        let start = try #require(places.first { $0["page"] as? String == "start" })
        let counts = try #require(start["cells"] as? [[String: Any]]).compactMap { $0["count"] as? Int }
        let untouched = try #require(day["untouched"] as? [String])
        #expect(!counts.isEmpty && !untouched.isEmpty && day["source"] as? String == "recording")

        let browser = try read(inspector)
        #expect(try browser.text(of: "day-title") == "The recording's touches")
        #expect(try browser.text(of: "day-load") == "Count them")
        // Number and width of each square: different widths, so that no color vision is needed.
        let cells = try #require(
            try browser.evaluate(
                "[...document.querySelectorAll('.day-cell')].map((it) => [it.dataset.count, it.getAttribute('width')].map(Number))"
            ) as? [[Double]]
        ).sorted { $0[0] < $1[0] }
        #expect(cells.map { Int($0[0]) } == counts.sorted())
        #expect(zip(cells, cells.dropFirst()).allSatisfy { $0[0] == $1[0] || $0[1] < $1[1] })
        let crossed = try browser.evaluate(
            "[...document.querySelectorAll('.day-untouched')].map((it) => it.dataset.id)")
        let ids = try #require(crossed as? [String])
        #expect(!ids.isEmpty && Set(ids).isSubset(of: untouched))
        #expect(
            try browser.text("document.querySelector('[data-fact=untouched]').textContent")
                == untouched.joined(separator: ", "))
        try browser.click("day-shown")
        #expect(try browser.evaluate("document.querySelectorAll('.day > *').length") as? Int == 0)
    }

    @Test("the last minutes can be exported without private touches")
    func lastMinutes() throws {
        let touchd = try RunningTouchd(
            layout: KeptTouches.layout + "recording: {keep: 5 min}\n", events: KeptTouches.events)
        try KeptTouches.waitForEnd(of: touchd)
        let inspector = try RunningInspector("--socket", touchd.control)
        let object = try inspector.json("/api/recording", "{}"), text = try #require(object["text"] as? String)
        #expect(text == (try touchd.command("record", "--running").output))
        #expect(object["file"] as? String == "touches.evemu")

        let browser = try read(inspector)
        #expect(try browser.text(of: "day").contains("started by hand"))
        try browser.click("export")
        try browser.wait("document.querySelector('#export-done a')")
        let reports = text.split(separator: "\n").count { $0.contains(" 0000 0000 ") }
        #expect(try browser.text(of: "export-done").hasPrefix("Saved as touches.evemu: \(reports) reports."))
        #expect(try browser.isTrue("document.querySelector('#export-done a').href.startsWith('blob:')"))

        try Data(KeptTouches.layout.utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status == 0)
        try browser.click("export")
        try browser.wait("document.getElementById('export-done').textContent.includes('recording: {keep: 5 min}')")
    }
}
