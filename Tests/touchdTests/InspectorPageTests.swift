import Foundation
import Testing

/// The inspector's page in a real browser.
@Suite(.enabled(if: Chromium.path != nil, "there is no /usr/bin/chromium; 'apt install chromium'"), .serialized)
struct InspectorPage {
    private static let layout = "config/examples/ticket-machine.yaml"
    private let inspector: RunningInspector
    private let browser: Chromium

    init() throws {
        inspector = try RunningInspector(
            "--layout", Self.layout, "--replay", "config/examples/recordings/ticket-machine.evemu")
        browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
    }

    /// Drags the timeline so far, and waits until that is drawn.
    private func go(to position: Int) throws {
        try browser.evaluate(
            """
            (() => {
                const time = document.getElementById("time");
                time.value = \(position);
                time.dispatchEvent(new Event("input"));
                return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            })()
            """)
    }

    @Test("at each moment of a recording the view that the finger is on is marked, forwards and back again")
    func timeline() throws {
        let records = try #require(
            try JSONSerialization.jsonObject(with: inspector.ask("/api/records").body) as? [[String: Any]])
        // The view of each touch that began, and after how many records.
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
        "the panel has the place, the recognizers with their states, the responder chain and the handlers of the touch")
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

    @Test("a recognizer's way through its states is told, and of a private view no more than that it is touched")
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
        #expect(text.contains("not told: the view is private") && !text.contains("key-") && !text.contains("Raw"))
        let number = try #require((records[hidden]["touches"] as? [[String: Any]])?.last?["touch"] as? Int)
        let marks = try browser.evaluate("document.querySelectorAll('#stage [data-touch=\"\(number)\"]').length")
        #expect(marks as? Int == 0)
        try browser.picture("private")
    }

    @Test("a click asks what would take a touch there, and the answer is that of `touchd hit --json`")
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
            // A click is at a pixel, and a pixel is not at a whole point.
            let (clickedX, clickedY) = (answer["x"] as? Double ?? 0, answer["y"] as? Double ?? 0)
            #expect(abs(clickedX - x) < 2 && abs(clickedY - y) < 2)
            let outcome = try TouchdProgram.run(
                "hit", "--json", "--layout", Self.layout, "--page", "start", "\(clickedX)", "\(clickedY)")
            let expected = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
            answer["x"] = expected["x"]
            answer["y"] = expected["y"]
            #expect(answer as NSDictionary == expected)
        }
        try browser.picture("what-if")
    }

    @Test("a view is hidden and moved by the keyboard alone, the answer changes, and the YAML says what to write")
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
        #expect(yaml.hasPrefix("# \(Self.layout):") && yaml.contains("- id: german\n  hidden: true\n"))
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

    @Test("a surface that is turned is seen at once: its raw axes are drawn where they come to lie, and said in words")
    func axes() throws {
        try browser.evaluate("document.getElementById('axes').click()")
        #expect(try browser.evaluate("document.querySelectorAll('#stage .axis').length") as? Int == 2)
        let label = try browser.evaluate("document.querySelector('svg.raw').getAttribute('aria-label')") as? String
        // The layout turns this panel clockwise by a quarter.
        #expect(label == "Raw x runs down on the screen, raw y runs left")
        try browser.picture("axes")
    }

    @Test("where it was touched and where not is drawn, by a pattern and not by a colour alone")
    func heat() throws {
        try go(to: 100_000)
        try browser.evaluate("for (const id of ['heat', 'dead']) document.getElementById(id).click()")
        #expect(try #require(try browser.evaluate("document.querySelectorAll('.heat-cell').length") as? Int) > 0)
        let fill = try browser.evaluate("getComputedStyle(document.querySelector('.is-dead > .shape')).fill") as? String
        #expect(fill?.contains("#hatch") == true)
        try browser.picture("heat")
    }

    @Test("every control, region and picture has a name where a screen reader looks for it")
    func names() throws {
        try go(to: 1)
        let nodes = try browser.accessibilityNodes()
        let controls: Set = [
            "button", "checkbox", "combobox", "spinbutton", "slider", "textbox", "link", "application", "region", "img",
            "image", "table",
        ]
        #expect(nodes.filter { controls.contains($0.role) && $0.name.isEmpty }.map(\.role) == [])
        let named = nodes.filter { controls.contains($0.role) }.map { "\($0.role) \($0.name)" }
        let wanted = [
            "slider Time", "button Ask", "checkbox Raw axes", "region Touches", "textbox The changed YAML",
            "combobox Page",
        ]
        #expect(wanted.filter { !named.contains($0) } == [], "\(named)")
        #expect(named.contains { $0.hasPrefix("application Screen, 1080 by 1920 points, page start") })
    }

    @Test("the keyboard reaches every control, in the order in which they are seen, and shows where it is")
    func keyboard() throws {
        #expect(
            try browser.evaluate("[...document.querySelectorAll('[tabindex]')].every((it) => it.tabIndex <= 0)")
                as? Bool == true)
        let wanted = try #require(
            try browser.evaluate(
                """
                [...document.querySelectorAll("a, button, input, select, textarea, [tabindex='0']")]
                    .filter((it) => it.getClientRects().length > 0 && !it.disabled).map((it) => it.id || it.textContent.trim())
                """) as? [String])
        var reached: [String] = []
        for _ in wanted {
            try browser.press("Tab", code: 9)
            reached.append(
                try #require(
                    try browser.evaluate("document.activeElement.id || document.activeElement.textContent.trim()")
                        as? String))
        }
        #expect(reached == wanted && wanted.count > 20)
        let outline = try browser.evaluate("getComputedStyle(document.activeElement).outlineWidth") as? String
        #expect(outline == "3px")
    }

    @Test("with the keyboard the cross is moved over the screen, and Enter asks there")
    func cross() throws {
        try browser.evaluate("document.getElementById('stage').focus()")
        try browser.press("ArrowDown", code: 40)
        try browser.press("ArrowLeft", code: 37)
        try browser.press("Enter", code: 13, text: "\r")
        try browser.wait("document.getElementById('answer').dataset.json")
        #expect(
            try browser.evaluate("[Number(ask.elements[0].value), Number(ask.elements[1].value)].join()") as? String
                == "530,970")
    }

    @Test(
        "every text has at least 4.5 times the light of what it stands on, or that many times less (WCAG 2.2, 1.4.3)",
        arguments: [false, true])
    func contrast(isHigh: Bool) throws {
        try go(to: 1)
        if isHigh { try browser.evaluate("document.getElementById('contrast').click()") }
        let names = try #require(try browser.evaluate("document.querySelectorAll('#stage .name').length") as? Int)
        #expect(names > 3)
        let pale = try browser.evaluate(
            """
            (() => {
                const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
                const light = (colour) => {
                    const [r, g, b] = colour.map((value) => {
                        const part = value / 255;
                        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
                    });
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ratio = (one, other) => {
                    const lights = [light(one), light(other)].sort((a, b) => b - a);
                    return (lights[0] + 0.05) / (lights[1] + 0.05);
                };
                const ground = (node) => {
                    for (; node; node = node.parentElement) {
                        const colour = getComputedStyle(node).backgroundColor;
                        if (!/^rgba.*, 0\\)$/.test(colour)) return parts(colour);
                    }
                    return [255, 255, 255];
                };
                // A name in the picture stands on its view and on those around it, which let some of the light through; of a
                // pattern it stands on the darkest or lightest part.
                const style = (selector) => getComputedStyle(document.querySelector(selector));
                const shapes = (text) => {
                    let under = parts(style("#stage .screen").fill);
                    const groups = [];
                    for (let group = text.closest("g.view"); group; group = group.parentElement.closest("g.view")) groups.unshift(group);
                    for (const group of groups) {
                        const shape = getComputedStyle(group.querySelector(":scope > .shape"));
                        if (shape.fill === "none") continue;
                        const over = parts(shape.fill.startsWith("url") ? style("#stage .dot").fill : shape.fill);
                        const part = Number(shape.fillOpacity);
                        under = under.map((value, index) => value * (1 - part) + over[index] * part);
                    }
                    return under;
                };
                const names = [...document.querySelectorAll("#stage .name")]
                    .map((text) => [text.textContent, ratio(parts(getComputedStyle(text).fill), shapes(text))]);
                return [...document.querySelectorAll("body *")].filter((node) => node instanceof HTMLElement
                    && node.getClientRects().length > 0
                    && [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()))
                    .map((node) => [node.outerHTML.slice(0, 80), ratio(parts(getComputedStyle(node).color), ground(node))])
                    .concat(names).filter(([, ratio]) => ratio < (\(isHigh) ? 7 : 4.5)).map(([text, ratio]) => `${text}: ${ratio}`);
            })()
            """)
        #expect(pale as? [String] == [])
        try browser.picture(isHigh ? "contrast" : "usual")
    }

    @Test(
        "on a phone in portrait nothing is cut off at the side, and what is pressed is at least 24 pixels large (WCAG 2.5.8)"
    )
    func phone() throws {
        try browser.resize(width: 390, height: 844, isPhone: true)
        try go(to: 1)
        #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == 390)
        let small = try browser.evaluate(
            """
            [...document.querySelectorAll("button, select, input:not([type=range])")].filter((it) => it.getClientRects().length > 0)
                .filter((it) => {
                    const own = (it.type === "checkbox" ? it.closest("label") : it).getBoundingClientRect();
                    return own.width < 24 || own.height < 24;
                }).map((it) => it.outerHTML)
            """)
        #expect(small as? [String] == [])
        try browser.picture("phone")
    }

    @Test("the token is not in the page's address any more, and a reload still has it")
    func token() throws {
        #expect(try browser.evaluate("location.href") as? String == "http://127.0.0.1:\(inspector.port)/")
        try browser.open("http://127.0.0.1:\(inspector.port)/")
        #expect(try browser.evaluate("document.getElementById('problem').hidden") as? Bool == true)
    }
}
