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
        try browser.evaluate("document.getElementById('day-load').click()")
        try browser.wait("document.getElementById('day').textContent !== ''")
        return browser
    }

    @Test(
        "a recording's touches are squares by number, and untouched views are crossed"
    )
    func recording() throws {
        let inspector = try RunningInspector(
            "--layout", "config/examples/ticket-machine.yaml", "--replay",
            "config/examples/recordings/ticket-machine.evemu")
        let object = try JSONSerialization.jsonObject(with: inspector.ask("/api/day").body)
        let day = try #require(object as? [String: Any])
        let places = try #require(day["places"] as? [[String: Any]])
        let start = try #require(places.first { $0["page"] as? String == "start" })
        let counts = try #require(start["cells"] as? [[String: Any]]).compactMap { $0["count"] as? Int }
        let untouched = try #require(day["untouched"] as? [String])
        #expect(!counts.isEmpty && !untouched.isEmpty && day["source"] as? String == "recording")

        let browser = try read(inspector)
        let drawn = try browser.evaluate(
            "[...document.querySelectorAll('.day-cell')].map((cell) => Number(cell.dataset.count))")
        #expect((drawn as? [Int])?.sorted() == counts.sorted())
        // Different sizes, so that no color vision is needed.
        let grows = try browser.evaluate(
            """
            [...document.querySelectorAll('.day-cell')].sort((a, b) => a.dataset.count - b.dataset.count)
                .every((cell, index, cells) => index === 0 || cells[index - 1].dataset.count === cell.dataset.count
                    || Number(cells[index - 1].getAttribute('width')) < Number(cell.getAttribute('width')))
            """)
        #expect(grows as? Bool == true)
        let crossed = try browser.evaluate(
            "[...document.querySelectorAll('.day-untouched')].map((it) => it.dataset.id)")
        #expect(Set(crossed as? [String] ?? []).isSubset(of: untouched))
        #expect((crossed as? [String])?.isEmpty == false)
        #expect(
            try browser.evaluate("document.querySelector('[data-fact=untouched]').textContent") as? String
                == untouched.joined(separator: ", "))
        try browser.picture("day")
        try browser.evaluate("document.getElementById('day-shown').click()")
        #expect(try browser.evaluate("document.querySelectorAll('.day > *').length") as? Int == 0)
    }

    @Test("the last minutes can be exported without private touches")
    func lastMinutes() throws {
        let touchd = try RunningTouchd(
            layout: KeptTouches.layout + "recording: {keep: 5 min}\n", events: KeptTouches.events)
        try KeptTouches.waitForEnd(of: touchd)
        let inspector = try RunningInspector("--socket", touchd.control)
        let unasked = "POST /api/recording HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\nConnection: close\r\n\r\n"
        #expect(try inspector.send(unasked).status == 401)
        let answer = try inspector.ask("/api/recording", "{}")
        #expect(answer.status == 200)
        let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: String])
        #expect(object["text"] == (try touchd.command("record", "--last").output))
        #expect(object["file"] == "touches.evemu")

        let browser = try read(inspector)
        #expect(
            try browser.evaluate("document.getElementById('day').textContent.includes('started by hand')") as? Bool
                == true)
        try browser.evaluate("document.getElementById('export').click()")
        try browser.wait("document.querySelector('#export-done a')")
        let reports = try #require(object["text"]).split(separator: "\n").count { $0.contains(" 0000 0000 ") }
        let link = try browser.evaluate("document.querySelector('#export-done').textContent")
        #expect((link as? String)?.hasPrefix("Saved as touches.evemu: \(reports) reports.") == true)
        #expect(
            try browser.evaluate("document.querySelector('#export-done a').href.startsWith('blob:')") as? Bool == true)
        try browser.picture("last-minutes")

        try Data(KeptTouches.layout.utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status == 0)
        try browser.evaluate("document.getElementById('export').click()")
        try browser.wait("document.getElementById('export-done').textContent.includes('recording: {keep: 5 min}')")
        #expect(try inspector.ask("/api/recording", "{}").status == 409)
    }
}
