import Foundation
import Testing

@testable import TestSupport

/// The inspector's page in a real browser.
@Suite(.needs("chromium"), .serialized)
final class InspectorPage: RecordedPage {
    @Test("at each moment of a recording the touched view is marked")
    func timeline() throws {
        // The view of each touch that began, and the number of records before it.
        let began = try records().enumerated().compactMap { index, record -> (position: Int, view: String)? in
            guard let touch = touches(record).last, touch["phase"] as? String == "began",
                let view = touch["view"] as? String
            else { return nil }
            return (index + 1, view)
        }
        #expect(began.count > 3)
        for (position, view) in began + began.reversed() {
            try go(to: position)
            #expect(try marked().contains(view))
            #expect(try browser.text("document.querySelector('[data-fact=view]').textContent") == view)
        }
    }

    @Test("a touch that changed the page is drawn over the page on which it was, not over the next one")
    func pages() throws {
        let record = try go { ($0["pages"] as? [String]) != ["start"] && $0["pages"] != nil }
        let number = try #require(touches(record).last?["touch"] as? Int)
        let drawn = "document.querySelector('#stage [data-touch=\"\(number)\"]') !== null"
        #expect(try !browser.isTrue(drawn))
        #expect(try browser.isTrue("document.querySelector('#touches [data-touch=\"\(number)\"]') !== null"))
        try browser.evaluate(
            "(() => { page.value = 'start'; page.dispatchEvent(new Event('change')); })()")
        try browser.wait(drawn)
        // The touch was on that page only.
        try browser.evaluate(
            "(() => { page.value = 'pin'; page.dispatchEvent(new Event('change')); })()")
        try browser.wait("!(\(drawn))")
    }

    @Test("the panel shows position, recognizer states, responders and handlers")
    func panel() throws {
        func ran(_ touch: [String: Any]) -> [String] { touch["handlers"] as? [String] ?? [] }
        let record = try go { touches($0).contains { !ran($0).isEmpty } }
        let touch = try #require(touches(record).last), text = try browser.text(of: "touch")
        for handler in ran(touch) { #expect(text.contains(handler)) }
        #expect(text.contains("Responder chain") && text.contains("application"))
        #expect(text.contains("Phase" + (touch["phase"] as? String ?? "-")))
        try go { ($0["changes"] as? [[String: Any]] ?? []).contains { $0["to"] as? String == "began" } }
        let states = try browser.evaluate(
            "[...document.querySelectorAll('#touch tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join())"
        )
        #expect(states as? [String] == ["long-press,logo,began,began", "talk,,possible,", "talk,,possible,"])
    }

    @Test("a private view shows only that it is touched")
    func privacy() throws {
        let record = try go { touches($0).contains { $0["view"] as? String == "pad" } }
        let text = try browser.text(of: "touch")
        #expect(text.contains("hidden, because the view is private") && !text.contains("key-") && !text.contains("Raw"))
        let number = try #require(touches(record).last?["touch"] as? Int)
        #expect(
            try browser.evaluate("document.querySelectorAll('#stage [data-touch=\"\(number)\"]').length") as? Int == 0)
    }

    @Test("a click hit-tests the point")
    func whatIf() throws {
        try go(to: 1)
        for (x, y) in [(540.0, 100.0), (540, 700), (20, 20)] {
            let place = try #require(
                try browser.evaluate(
                    """
                    (() => {
                        delete document.getElementById("answer").dataset.json;
                        const stage = document.getElementById("stage");
                        const point = new DOMPoint(\(x), \(y)).matrixTransform(stage.getScreenCTM());
                        return [point.x, point.y];
                    })()
                    """) as? [Double])
            try browser.click(place[0], place[1])
            try browser.wait("document.getElementById('answer').dataset.json")
            let answered = try #require(try browser.text("document.getElementById('answer').dataset.json"))
            let answer = try JSONSerialization.jsonObject(with: Data(answered.utf8)) as? NSDictionary
            // A click is at a pixel, which is rarely a whole point.
            let (clickedX, clickedY) = (answer?["x"] as? Double ?? 0, answer?["y"] as? Double ?? 0)
            #expect(abs(clickedX - x) < 2 && abs(clickedY - y) < 2)
            #expect(
                try answer == inspector.json("/api/hit", #"{"x": \#(clickedX), "y": \#(clickedY), "page": "start"}"#))
        }
    }

    @Test("a view is hidden and moved by keyboard, and the YAML shows the change")
    func trial() throws {
        try go(to: 1)
        try browser.choose(view: "german")
        try browser.evaluate("document.getElementById('trial-hidden').focus()")
        try browser.press(" ", code: 32, text: " ")
        try browser.wait("document.getElementById('yaml').value.includes('hidden: true')")
        let yaml = try #require(try browser.text("document.getElementById('yaml').value"))
        #expect(yaml.hasPrefix("# \(RunningInspector.layout):") && yaml.contains("- id: german\n  hidden: true\n"))
        #expect(try browser.isTrue("document.querySelector('[data-id=german]').classList.contains('is-hidden')"))
        try browser.evaluate(
            "(() => { ask.elements[0].value = 540; ask.elements[1].value = 700; ask.requestSubmit(); })()")
        try browser.wait("document.getElementById('answer').textContent.includes('is hidden')")
        try browser.click("undo")
        try browser.wait("document.getElementById('yaml').value === ''")
        try browser.wait("document.getElementById('answer').textContent.includes('german takes it')")
    }

    @Test("a dragged view stays where it was released, and the YAML has its frame")
    func dragging() throws {
        try browser.click("drag")
        let place = try #require(
            try browser.evaluate(
                """
                (() => {
                    const box = document.querySelector("[data-id=french] > .shape").getBoundingClientRect();
                    const screen = document.querySelector("#stage .screen").getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2, 1080 / screen.width];
                })()
                """) as? [Double])

        try browser.drag(
            from: (place[0], place[1]), to: [(place[0] + 15, place[1] - 40), (place[0] + 30, place[1] - 20)])

        try browser.wait("document.getElementById('yaml').value.includes('- id: french')")
        let yaml = try #require(try browser.text("document.getElementById('yaml').value"))
        let frame = try #require(yaml.firstMatch(of: /frame: \[(\d+), (\d+), 900, 260\]/)).output
        let (x, y) = (Double(frame.1) ?? 0, Double(frame.2) ?? 0)
        #expect(abs(x - (90 + 30 * place[2])) <= 2 && abs(y - (1240 - 20 * place[2])) <= 2, "\(yaml)")
        // A click that ends a drag tests no point.
        #expect(try browser.text(of: "answer") == "")
    }

    @Test("the raw axes of a rotated panel are drawn, and described in words")
    func axes() throws {
        try browser.click("axes")
        #expect(try browser.evaluate("document.querySelectorAll('#stage .axis').length") as? Int == 2)
        // The layout rotates this panel clockwise by 90 degrees.
        #expect(
            try browser.text("document.querySelector('svg.raw').getAttribute('aria-label')")
                == "Raw x runs down on the screen, raw y runs left")
    }

    @Test("touched and untouched views are drawn with a pattern, not by color alone")
    func heat() throws {
        try go(to: 100_000)
        try browser.click("heat", "dead")
        #expect(try browser.isTrue("document.querySelectorAll('.heat-cell').length > 0"))
        // Only for the page that is shown; the day has each page separately.
        let told = try #require(
            try browser.text("document.getElementById('seen').textContent.match(/^\\d+/)[0]"))
        let places = try #require(try inspector.json("/api/day")["places"] as? [[String: Any]])
        let shown = try #require(places.first { $0["page"] as? String == "tickets" }?["cells"] as? [[String: Any]])
        #expect(Int(told) == shown.compactMap { $0["count"] as? Int }.reduce(0, +))
        let fill = try browser.text("getComputedStyle(document.querySelector('.is-dead > .shape')).fill")
        #expect(fill?.contains("#hatch") == true)
    }

    @Test("the token is removed from the page's address, and a reload still has it")
    func token() throws {
        #expect(try browser.text("location.href") == "http://127.0.0.1:\(inspector.port)/")
        try browser.open("http://127.0.0.1:\(inspector.port)/")
        #expect(try browser.isTrue("document.getElementById('problem').hidden"))
    }
}
