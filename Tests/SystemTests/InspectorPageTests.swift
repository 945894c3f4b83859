import Foundation
import Testing

@testable import TestSupport

/// The inspector's page in a real browser.
@Suite(.needs("chromium"), .serialized)
final class InspectorPage: RecordedPage {
    @Test("at each moment of a recording the touched view is marked")
    func timeline() throws {
        let records = try #require(
            try JSONSerialization.jsonObject(with: inspector.ask("/api/records").body) as? [[String: Any]])
        // The view of each touch that began, and the number of records before it.
        let began = records.enumerated().compactMap { index, record -> (position: Int, view: String)? in
            let touches = record["touches"] as? [[String: Any]] ?? []
            guard let touch = touches.last, touch["phase"] as? String == "began", let view = touch["view"] as? String
            else {
                return nil
            }
            return (index + 1, view)
        }
        #expect(began.count > 3)
        for (position, view) in began + began.reversed() {
            try go(to: position)
            let marked = try browser.evaluate(
                "[...document.querySelectorAll('#stage .is-hit')].map((view) => view.dataset.id).join(' ')")
            #expect((marked as? String)?.split(separator: " ").contains(Substring(view)) == true)
            #expect(try browser.evaluate("document.querySelector('[data-fact=view]').textContent") as? String == view)
        }
        try browser.picture("recording")
    }

    @Test(
        "the panel shows position, recognizer states, responders and handlers")
    func panel() throws {
        let records = try #require(
            try JSONSerialization.jsonObject(with: inspector.ask("/api/records").body) as? [[String: Any]])
        let index = try #require(
            records.firstIndex { record in
                (record["touches"] as? [[String: Any]] ?? []).contains {
                    !(($0["handlers"] as? [String]) ?? []).isEmpty
                }
            })
        try go(to: index + 1)
        let touch = try #require((records[index]["touches"] as? [[String: Any]])?.last)
        let text = try #require(try browser.evaluate("document.getElementById('touch').textContent") as? String)
        for handler in try #require(touch["handlers"] as? [String]) { #expect(text.contains(handler)) }
        #expect(text.contains("Responder chain") && text.contains("application"))
        #expect(text.contains("Phase" + (touch["phase"] as? String ?? "-")))
    }

    @Test("a private view shows only that it is touched")
    func statesAndPrivacy() throws {
        let records = try #require(
            try JSONSerialization.jsonObject(with: inspector.ask("/api/records").body) as? [[String: Any]])
        let held = try #require(
            records.firstIndex { record in
                (record["changes"] as? [[String: Any]] ?? []).contains { $0["to"] as? String == "began" }
            })
        try go(to: held + 1)
        let states = try browser.evaluate(
            "[...document.querySelectorAll('#touch tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join())"
        )
        #expect(states as? [String] == ["long-press,logo,began,began"])
        try browser.picture("gesture")
        let hidden = try #require(
            records.firstIndex { record in
                (record["touches"] as? [[String: Any]] ?? []).contains { $0["view"] as? String == "pad" }
            })
        try go(to: hidden + 1)
        let text = try #require(try browser.evaluate("document.getElementById('touch').textContent") as? String)
        #expect(text.contains("hidden, because the view is private") && !text.contains("key-") && !text.contains("Raw"))
        let number = try #require((records[hidden]["touches"] as? [[String: Any]])?.last?["touch"] as? Int)
        let marks = try browser.evaluate("document.querySelectorAll('#stage [data-touch=\"\(number)\"]').length")
        #expect(marks as? Int == 0)
        try browser.picture("private")
    }

    @Test("a click hit-tests the point, and the result equals `touchd hit --json`")
    func whatIf() throws {
        try go(to: 1)
        for (x, y) in [(540.0, 100.0), (540, 700), (20, 20), (540, 1850)] {
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
            let answered = try #require(
                try browser.evaluate("document.getElementById('answer').dataset.json") as? String)
            var answer = try #require(try JSONSerialization.jsonObject(with: Data(answered.utf8)) as? [String: Any])
            // A click is at a pixel, which is rarely a whole point.
            let (clickedX, clickedY) = (answer["x"] as? Double ?? 0, answer["y"] as? Double ?? 0)
            #expect(abs(clickedX - x) < 2 && abs(clickedY - y) < 2)
            let outcome = try TouchdProgram.run(
                "hit", "--json", "--layout", RunningInspector.layout, "--page", "start", "\(clickedX)", "\(clickedY)")
            let expected = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
            answer["x"] = expected["x"]
            answer["y"] = expected["y"]
            #expect(answer as NSDictionary == expected)
        }
        try browser.picture("what-if")
    }

    @Test("a view is hidden and moved by keyboard, and the YAML shows the change")
    func trial() throws {
        try go(to: 1)
        try browser.evaluate(
            """
            (() => {
                const view = document.getElementById("view");
                view.value = [...view.options].find((option) => option.text === "german").value;
                view.dispatchEvent(new Event("change"));
                document.getElementById("trial-hidden").focus();
            })()
            """)
        try browser.press(" ", code: 32, text: " ")
        try browser.wait("document.getElementById('yaml').value.includes('hidden: true')")
        let yaml = try #require(try browser.evaluate("document.getElementById('yaml').value") as? String)
        #expect(yaml.hasPrefix("# \(RunningInspector.layout):") && yaml.contains("- id: german\n  hidden: true\n"))
        #expect(
            try browser.evaluate("document.querySelector('[data-id=german]').classList.contains('is-hidden')") as? Bool
                == true)
        try browser.evaluate(
            "(() => { ask.elements[0].value = 540; ask.elements[1].value = 700; ask.requestSubmit(); })()")
        try browser.wait("document.getElementById('answer').textContent.includes('is hidden')")
        try browser.picture("trial")
        try browser.evaluate("document.getElementById('undo').click()")
        try browser.wait("document.getElementById('yaml').value === ''")
        try browser.wait("document.getElementById('answer').textContent.includes('german takes it')")
    }

    @Test("a dragged view stays where it was released, and the YAML has its frame")
    func dragging() throws {
        try browser.evaluate("document.getElementById('drag').click()")
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
        let yaml = try #require(try browser.evaluate("document.getElementById('yaml').value") as? String)
        let frame = try #require(yaml.firstMatch(of: /frame: \[(\d+), (\d+), 900, 260\]/)).output
        let (x, y) = (Double(frame.1) ?? 0, Double(frame.2) ?? 0)
        #expect(abs(x - (90 + 30 * place[2])) <= 2 && abs(y - (1240 - 20 * place[2])) <= 2, "\(yaml)")
        // A click that ends a drag tests no point.
        #expect(try browser.evaluate("document.getElementById('answer').textContent") as? String == "")
    }

    @Test("the raw axes of a rotated panel are drawn, and described in words")
    func axes() throws {
        try browser.evaluate("document.getElementById('axes').click()")
        #expect(try browser.evaluate("document.querySelectorAll('#stage .axis').length") as? Int == 2)
        let label = try browser.evaluate("document.querySelector('svg.raw').getAttribute('aria-label')") as? String
        // The layout rotates this panel clockwise by 90 degrees.
        #expect(label == "Raw x runs down on the screen, raw y runs left")
        try browser.picture("axes")
    }

    @Test("touched and untouched views are drawn with a pattern, not by color alone")
    func heat() throws {
        try go(to: 100_000)
        try browser.evaluate("for (const id of ['heat', 'dead']) document.getElementById(id).click()")
        #expect(try #require(try browser.evaluate("document.querySelectorAll('.heat-cell').length") as? Int) > 0)
        // Only for the page that is shown; the day has each page separately.
        let told = try #require(
            try browser.evaluate("document.getElementById('seen').textContent.match(/^\\d+/)[0]") as? String)
        let day = try #require(
            try JSONSerialization.jsonObject(with: inspector.ask("/api/day").body) as? [String: Any])
        let places = try #require(day["places"] as? [[String: Any]])
        let shown = try #require(places.first { $0["page"] as? String == "tickets" }?["cells"] as? [[String: Any]])
        #expect(Int(told) == shown.compactMap { $0["count"] as? Int }.reduce(0, +))
        let fill = try browser.evaluate("getComputedStyle(document.querySelector('.is-dead > .shape')).fill") as? String
        #expect(fill?.contains("#hatch") == true)
        try browser.picture("heat")
    }

    @Test("the token is removed from the page's address, and a reload still has it")
    func token() throws {
        #expect(try browser.evaluate("location.href") as? String == "http://127.0.0.1:\(inspector.port)/")
        try browser.open("http://127.0.0.1:\(inspector.port)/")
        #expect(try browser.evaluate("document.getElementById('problem').hidden") as? Bool == true)
    }
}
