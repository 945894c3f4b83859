import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// What touchd.js does for a page beyond the places of its elements, in a real browser with fingers on a mocked touchscreen.
@Suite(.needs("chromium"), .serialized)
struct WebPageTests {
    private static let layout = "screen: {size: [1000, 1000]}\nviews:\n  - {slot: page, frame: [0, 0, 1000, 1000]}\n"

    /// A page in a browser, with `seen` as the events of touchd on it.
    private struct Page {
        let touchd: MockedKiosk
        let web: RunningWeb
        let browser: Chromium

        init(
            _ body: String, layout: String = WebPageTests.layout,
            script: String = "<script src=\"/touchd.js\"></script>", files: [String: String] = [:]
        )
            throws
        {
            touchd = try MockedKiosk(layout: layout, size: (1000, 1000))
            let page = """
                <!doctype html><style>body { margin: 0 } .at { position: absolute; width: 200px; height: 100px }</style>
                <body>\(body)</body>
                <script>
                  window.seen = [];
                  const names = "began moved ended cancelled pressed held released toggled tap pan pinch rotation connected page error";
                  for (const name of names.split(" ")) document.addEventListener("touchd:" + name, ({ target, detail }) =>
                    seen.push([name, target.id ?? "", detail?.state ?? detail?.message ?? detail?.page ?? ""].join(" ").trim()));
                  addEventListener("error", ({ message }) => seen.push("error " + message));
                  addEventListener("unhandledrejection", ({ reason }) => seen.push("error " + reason));
                </script>\(script)
                """
            web = try RunningWeb(
                control: touchd.control, settings: "pages: FOLDER\n",
                files: files.merging(["index.html": page]) { $1 })
            browser = try Chromium(width: 1000, height: 1000)
            try browser.open("\(web.origin)/", until: "window.touchd?.connected")
        }

        /// Waits until touchd has a view at a point.
        func wait(for view: String?, at point: (x: Double, y: Double)) throws {
            while try touchd.hit(point.x, point.y) != view {}
        }

        func tap(_ view: String, at point: (x: Double, y: Double)) throws {
            try wait(for: view, at: point)
            try touchd.tap(point)
        }

        /// The views as the page has published them, each before those in it.
        var published: [JSONTree] {
            get throws {
                func all(_ view: JSONTree) -> [JSONTree] { [view] + (view["views"]?.items ?? []).flatMap(all) }
                return try (touchd.connect().send(.slot("page"))["views"]?.items ?? []).flatMap(all)
            }
        }

        /// Turns the talking mode on.
        func talk() throws -> Speech {
            let speaker = Speech(connection: try touchd.connect())
            try speaker.connection.send(.subscribe(to: .accessibility, moves: false))
            try speaker.connection.send(.command(.turned(.talk, on: true)))
            return speaker
        }

        /// Taps with a second finger while the first explores, which activates the focus.
        func activate() throws {
            try touchd.devices.play("down panel 1 1200 700", "frame panel", "up panel 1", "frame panel")
        }

        func seen() throws -> [String] { try browser.evaluate("seen") as? [String] ?? [] }
    }

    /// A program that speaks.
    private struct Speech {
        let connection: ControlConnection

        /// The next thing that is said, but for silence.
        func said() throws -> String {
            while true {
                let event = try JSONTree(connection.nextEvent())
                if event["change"]?.string == "quiet" { continue }
                let words = ["change", "label", "role", "value", "state", "language"].compactMap { event[$0]?.string }
                return words.joined(separator: " ")
            }
        }
    }

    @Test("somebody who does not see the page explores it, and presses what was said; the page gets only that press")
    func talking() throws {
        let page = try Page(
            """
            <button id=buy class=at data-touchd style="left: 100px; top: 100px" onclick="seen.push('bought')">
              Buy <b>now</b></button>
            <div id=map class=at data-touchd data-touchd-gestures=pinch aria-label="Map of the city"
              style="left: 100px; top: 300px">Text of the map</div>
            <p id=name hidden>Help for visitors</p>
            <a id=help href="#" class=at data-touchd aria-labelledby=name style="left: 100px; top: 500px">?</a>
            <label for=tax>With tax</label>
            <input id=tax type=checkbox class=at data-touchd style="left: 100px; top: 700px" checked>
            """, script: "<script src=\"/touchd.js\" data-click data-labels></script>")
        try page.wait(for: "tax", at: (200, 750))
        let speaker = try page.talk()
        #expect(try [speaker.said(), speaker.said()] == ["started", "focus Buy now button"])
        for (y, expected) in [
            (350.0, "focus Map of the city button"), (550, "focus Help for visitors link"),
            (750, "focus With tax toggle on"),
        ] {
            try page.touchd.tap((200, y))
            let words = try speaker.said()
            #expect(words == expected)
        }
        // A finger rests on the button, and another one taps somewhere: no time limits that.
        try page.touchd.putDown(at: (200, 150))
        #expect(try speaker.said() == "focus Buy now button")
        #expect(try page.seen().filter { $0 != "connected" } == [])
        try page.activate()
        #expect(try speaker.said() == "activated Buy now button")
        try page.touchd.lift()
        try page.browser.wait("seen.includes('bought')")
        let seen = try page.seen().filter { $0 != "connected" }
        #expect(Set(seen) == ["began buy", "held buy", "ended buy", "released buy", "pressed buy", "bought"])
    }

    @Test("elements have roles, values and states, also after they change; the keys of a private element have none")
    func roles() throws {
        let page = try Page(
            """
            <h2 id=title class=at data-touchd data-touchd-control="" style="left: 0; top: 0; margin: 0">Your ticket</h2>
            <input id=range type=range class=at data-touchd aria-label=Volume min=0 max=10 value=4 style="left: 0; top: 110px">
            <div id=slider role=slider class=at data-touchd aria-label=Zone aria-valuenow=2 aria-valuetext="Zone B"
              style="left: 0; top: 220px"></div>
            <button id=bold class=at data-touchd aria-pressed=false style="left: 0; top: 330px"
              onclick="ariaPressed = ariaPressed !== 'true'">Large text</button>
            <div id=fast role=switch aria-checked=true class=at data-touchd style="left: 0; top: 440px">Fast</div>
            <button id=pay class=at data-touchd disabled style="left: 0; top: 550px">Pay</button>
            <img id=logo class=at data-touchd alt="Bus" style="left: 0; top: 660px">
            <div id=pad data-touchd data-touchd-private class=at style="left: 300px; top: 0; height: 300px">
              <div id=one role=switch aria-checked=true data-touchd style="height: 100px">1</div></div>
            <input id=tax type=checkbox class=at data-touchd aria-label=Tax style="left: 300px; top: 440px">
            """, script: "<script src=\"/touchd.js\" data-click data-labels></script>")
        try page.wait(for: "logo", at: (100, 700))
        let speaker = try page.talk()
        #expect(try speaker.said() == "started")
        _ = try speaker.said()
        for (x, y, expected) in [
            (100.0, 160.0, "Volume slider 4"), (100, 270, "Zone slider Zone B"), (100, 50, "Your ticket heading"),
            (100, 380, "Large text toggle off"), (100, 490, "Fast toggle on"), (100, 600, "Pay button dimmed"),
            (100, 710, "Bus image"), (400, 50, "key button"), (400, 490, "Tax toggle off"),
        ] {
            try page.touchd.tap((x, y))
            let words = try speaker.said()
            #expect(words == "focus " + expected)
        }
        // It stays the focus while its state changes, so that it can be pressed again.
        try page.touchd.putDown(at: (400, 490))
        #expect(try speaker.said() == "focus Tax toggle off")
        for (state, next) in [("off", "on"), ("on", "off"), ("off", "on")] {
            try page.activate()
            let words = try [speaker.said(), speaker.said()]
            #expect(words == ["activated Tax toggle \(state)", "adjusted Tax toggle \(next)"])
            try page.browser.wait("tax.checked === \(state == "off")")
            func isOn(_ view: JSONTree) -> Bool? { view["control"]?["toggle"]?["on"]?.bool }
            while try !page.published.contains(where: { isOn($0) == (state == "off") }) {}
        }
        try page.touchd.lift()
    }

    @Test("a swipe up or down adjusts a slider of the page, which then says its value")
    func sliders() throws {
        let page = try Page(
            """
            <input id=volume type=range class=at data-touchd aria-label=Volume max=10 value=4 style="left: 0; top: 0">
            <input id=price type=range class=at data-touchd aria-label=Price min=100 max=300 step=any value=110
              style="left: 0; top: 200px">
            <div id=zone role=slider class=at data-touchd aria-label=Zone aria-valuenow=2 style="left: 0; top: 400px"
              onkeydown="ariaValueNow = +ariaValueNow + (event.key === 'ArrowUp' ? 1 : -1)"></div>
            """, script: "<script src=\"/touchd.js\" data-click data-labels></script>")
        try page.wait(for: "zone", at: (100, 450))
        let speech = try page.talk()
        #expect(try [speech.said(), speech.said()] == ["started", "focus Volume slider 4"])
        for (y, name, before, values) in [
            (50.0, "Volume", "4", ["5", "4"]), (250, "Price", "110", ["130", "110"]), (450, "Zone", "2", ["3", "2"]),
        ] {
            try page.touchd.tap((100, y))
            let focus = try speech.said()
            #expect(focus == "focus \(name) slider \(before)")
            for (way, end, value, former) in [
                ("increment", 300.0, values[0], before), ("decrement", 900, values[1], values[0]),
            ] {
                try page.touchd.putDown(at: (700, 600))
                try page.touchd.move(to: (700, end))
                try page.touchd.lift()
                let words = try [speech.said(), speech.said()]
                #expect(words == ["\(way) \(name) slider \(former)", "adjusted \(name) slider \(value)"])
            }
        }
    }

    @Test("the page marks the element that is the focus; of a private element, the element itself")
    func focus() throws {
        let layout = """
            screen: {size: [1000, 1000]}
            views:
              - {slot: page, frame: [0, 0, 1000, 800]}
              - {id: home, label: Home, control: button, frame: [0, 800, 1000, 200]}

            """
        let page = try Page(
            """
            <button id=buy class=at data-touchd style="left: 0; top: 100px">Buy</button>
            <div id=pad data-touchd data-touchd-private class=at style="left: 300px; top: 0; height: 300px">
              <button id=one data-touchd style="display: block; height: 100px">1</button>
              <button id=two data-touchd style="display: block; height: 100px">2</button></div>
            <script>
              window.marks = [];
              new MutationObserver(() => marks.push(
                [...document.querySelectorAll("[data-touchd-focus]")].map(({ id }) => id).join(" "))
              ).observe(document, { subtree: true, attributeFilter: ["data-touchd-focus"] });
            </script>
            """, layout: layout, script: "<script src=\"/touchd.js\" data-click data-labels></script>")
        try page.wait(for: "buy", at: (100, 120))
        try page.wait(for: "pad", at: (305, 120))
        func isMarked(_ marks: String) -> String { "JSON.stringify(marks) === '\(marks)'" }
        let speech = try page.talk()
        #expect(try [speech.said(), speech.said()] == ["started", "focus Buy button"])
        try page.browser.wait(isMarked(#"["buy"]"#))
        for (x, y, marks) in [
            (305.0, 40.0, #"["buy","pad"]"#), (305, 120, #"["buy","pad"]"#), (500, 900, #"["buy","pad",""]"#),
            (100, 120, #"["buy","pad","","buy"]"#),
        ] {
            try page.touchd.tap((x, y))
            while try !speech.said().hasPrefix("focus") {}
            try page.browser.wait(isMarked(marks))
        }
        // An element that the page makes again is marked, too.
        try page.browser.evaluate("buy.outerHTML = buy.outerHTML.replace(' data-touchd-focus=\"\"', '')")
        try page.browser.wait("buy.matches('[data-touchd-focus]')")
        try speech.connection.send(.command(.turned(.talk, on: false)))
        try page.browser.wait("!document.querySelector('[data-touchd-focus]')")
    }

    @Test("texts of live regions that change are said in their language while the mode is on, but no private ones")
    func liveTexts() throws {
        let page = try Page(
            """
            <button id=buy class=at data-touchd style="left: 0; top: 100px">Buy</button>
            <p id=status role=status lang=de>Bitte wählen</p><p id=log aria-live=polite>Old</p>
            <div data-touchd data-touchd-private><p id=secret role=alert>1</p></div><p id=off aria-live=off>Off</p>
            """, script: "<script src=\"/touchd.js\" data-labels></script>")
        try page.wait(for: "buy", at: (100, 150))
        try page.browser.evaluate("document.querySelector('#status').textContent = 'Tageskarte'")
        let speech = try page.talk()
        #expect(try [speech.said(), speech.said()] == ["started", "focus Buy button"])
        // The page knows that the mode is on.
        try page.browser.wait("buy.matches('[data-touchd-focus]')")
        try page.browser.evaluate(
            """
            secret.textContent = "2", off.textContent = "On", log.textContent = "New",
              document.querySelector("#status").textContent = "Bezahlt"
            """)
        #expect(try [speech.said(), speech.said()] == ["said Bezahlt de", "said New"])
        try page.browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<p role=alert>Card removed')")
        #expect(try speech.said() == "said Card removed")
    }

    @Test("headings and pictures are read in the page's order; a touch on them is what it would be without data-labels")
    func headings() throws {
        let page = try Page(
            """
            <div id=all data-touchd data-touchd-control="" style="position: absolute; inset: 0">
            <button id=last class=at data-touchd style="left: 0; top: 500px">Back</button>
            <h1 id=title class=at style="left: 0; top: 100px; margin: 0">Tickets</h1>
            <button id=buy class=at data-touchd style="left: 0; top: 300px">Buy <img alt=bus src="data:,"></button>
            <div id=map class=at data-touchd data-touchd-gestures=pan style="left: 300px; top: 0; height: 300px">
              <div role=heading>Lines</div><button id=u1 data-touchd style="width: 100px; height: 100px">U1</button></div>
            <img class=at alt="The castle" src="data:," style="left: 300px; top: 400px">
            <img class=at alt="" src="data:," style="left: 300px; top: 500px"><h2 hidden>Nothing</h2>
            <div data-touchd data-touchd-private class=at style="left: 600px; top: 0"><h2>PIN</h2></div>
            <h2 aria-hidden=true class=at style="left: 600px; top: 300px">Decoration</h2></div>
            """, script: "<script src=\"/touchd.js\" data-labels></script>")
        try page.wait(for: "last", at: (100, 550))
        #expect(
            try page.touchd.hit(100, 150) == "all" && page.touchd.hit(400, 450) == "all"
                && page.touchd.hit(310, 5) == "map")
        let read = try page.published.compactMap { view in
            view["label"]?.string.map { "\($0) \(view["role"]?.string ?? "-")" }
        }
        #expect(
            read == [
                "Back -", "Tickets heading", "Buy -", "Lines heading", "U1 -", "The castle image",
            ])
        let speech = try page.talk()
        #expect(try [speech.said(), speech.said()] == ["started", "focus Back button"])
        try page.touchd.tap((100, 150))
        #expect(try speech.said() == "focus Tickets heading")
        #expect(try page.seen() == ["connected"])
    }

    @Test("a list scrolls under one finger from its first row to its last")
    func scrolling() throws {
        let rows = (0..<30).map {
            "<button id=row\($0) data-touchd style=\"display: block; width: 100%; height: 90px\"></button>"
        }
        let page = try Page(
            """
            <div id=list data-touchd data-touchd-gestures=pan style="width: 400px; height: 600px; overflow: auto">\(rows.joined())</div>
            <script>
              let start = 0;
              list.addEventListener("touchd:pan", ({ detail: { state, translation } }) => {
                if (state === "began") start = list.scrollTop;
                list.scrollTop = start - translation[1];
              });
            </script>
            """)
        for drag in 1...4 {
            try page.wait(for: "row\((drag - 1) * 500 / 90 + 6)", at: (200, 560))
            try page.touchd.putDown(at: (200, 560))
            for way in stride(from: 50, through: 500, by: 50) {
                try page.touchd.move(to: (200, Double(560 - way)))
                try page.browser.wait("list.scrollTop > \((drag - 1) * 500 + way - 20)")
            }
            try page.touchd.lift()
            try page.browser.wait(
                "seen.filter((one) => one.startsWith('pan') && one.endsWith('ended')).length >= \(drag)")
        }
        #expect(try !page.seen().contains { $0.hasPrefix("pan") && $0.hasSuffix("cancelled") })
    }

    @Test("a page takes its slot again when the layout lost it for a while")
    func slotReturns() throws {
        let page = try Page("<button id=ok class=at data-touchd></button>")
        try page.wait(for: "ok", at: (100, 50))
        try page.touchd.reload("screen: {size: [1000, 1000]}\n")
        try page.browser.wait("seen.some((one) => one.includes(\"no slot 'page'\"))")
        try page.touchd.reload(Self.layout)
        try page.tap("ok", at: (100, 50))
        try page.browser.wait("seen.includes('pressed ok')")
    }

    @Test("a page that the browser keeps when it is left takes no touches; when it comes back it takes them again")
    func leftPage() throws {
        let page = try Page(
            "<button id=ok class=at data-touchd></button>",
            files: ["other.html": "<!doctype html><body data-ready=true>"])
        try page.wait(for: "ok", at: (100, 50))
        try page.browser.open("\(page.web.origin)/other.html")
        try page.wait(for: nil, at: (100, 50))
        try page.browser.evaluate("void history.back()")
        try page.wait(for: "ok", at: (100, 50))
    }

    @Test("a press clicks what a mouse would click")
    func clicks() throws {
        let page = try Page(
            """
            <input id=radio type=radio class=at data-touchd style="left: 0; top: 0">
            <label id=label class=at data-touchd style="left: 300px; top: 0"><input id=box type=checkbox></label>
            <details class=at style="left: 600px; top: 0"><summary id=summary data-touchd style="height: 80px"></summary></details>
            <div id=div class=at data-touchd style="left: 0; top: 300px" onclick="seen.push('click')"></div>
            <div id=tab role=tab class=at data-touchd style="left: 300px; top: 300px" onclick="seen.push('click')"></div>
            <input id=field class=at data-touchd style="left: 600px; top: 300px">
            <input id=check type=checkbox class=at data-touchd style="left: 0; top: 600px">
            <button id=kept class=at data-touchd style="left: 300px; top: 600px" onclick="seen.push('kept')"></button>
            <svg class=at style="left: 600px; top: 600px"><rect id=seat data-touchd width=200 height=100 onclick="seen.push('seat')" /></svg>
            """, script: "<script src=\"/touchd.js\" data-click></script>")
        try page.browser.evaluate("kept.addEventListener('touchd:pressed', (event) => event.preventDefault())")
        try page.tap("radio", at: (100, 50))
        try page.browser.wait("radio.checked")
        try page.tap("label", at: (450, 80))
        try page.browser.wait("box.checked")
        try page.tap("summary", at: (650, 40))
        try page.browser.wait("document.querySelector('details').open")
        try page.tap("div", at: (100, 350))
        try page.tap("tab", at: (400, 350))
        try page.browser.wait("seen.filter((one) => one === 'click').length === 2")
        try page.tap("field", at: (700, 350))
        try page.browser.wait("document.activeElement === field")
        try page.tap("check", at: (100, 650))
        try page.browser.wait("check.checked && seen.includes('toggled check')")
        try page.tap("seat", at: (700, 650))
        try page.browser.wait("seen.includes('seat')")
        try page.tap("kept", at: (400, 650))
        try page.browser.wait("seen.includes('pressed kept')")
        #expect(try !page.seen().contains("kept"))
        #expect(try !page.seen().contains { $0.hasPrefix("error") })
    }

    @Test("what a magnified page shows is touched where it is seen")
    func magnified() throws {
        let page = try Page("<button id=ok class=at data-touchd style=\"left: 100px; top: 100px\"></button>")
        try page.wait(for: "ok", at: (110, 150))
        try page.browser.evaluate(
            "window.at = []; ok.addEventListener('touchd:began', ({ detail: { x, y } }) => at.push(x, y))")
        try page.browser.magnify(2)
        try page.wait(for: nil, at: (110, 150))
        try page.tap("ok", at: (500, 300))
        try page.browser.wait("seen.includes('pressed ok')")
        #expect(try page.browser.evaluate("at.map(Math.round)") as? [Int] == [250, 150])
        try page.browser.magnify(1)
        try page.wait(for: "ok", at: (110, 150))
    }

    @Test("elements in shadow roots, the body, clones, deep nesting and a module work")
    func unusual() throws {
        let deep = (0..<40).reduce("") { text, level in
            "<div id=deep\(39 - level) data-touchd style=\"padding: 2px\">\(text)</div>"
        }
        let page = try Page(
            """
            <div id=host class=at style="left: 0; top: 0"></div>
            <div class=at style="left: 300px; top: 0">\(deep)</div>
            <div id=empty class=at data-touchd data-touchd-gestures="" style="left: 600px; top: 0"></div>
            <button class="at clone" data-touchd style="left: 0; top: 600px"></button>
            <script>
              host.attachShadow({ mode: "open" }).innerHTML = "<button id=inner data-touchd style='width: 100px; height: 100px'></button>";
              const copy = document.querySelector(".clone").cloneNode();
              copy.style.left = "300px";
              document.body.append(copy);
              document.body.dataset.touchd = "all";
              document.body.style.height = "900px";
            </script>
            """, script: "<script type=module src=\"/touchd.js\"></script>")
        try page.tap("inner", at: (50, 50))
        try page.browser.wait("seen.includes('pressed host')")
        try page.wait(for: "deep39", at: (400, 80))
        try page.wait(for: "empty", at: (700, 50))
        try page.wait(for: "all", at: (900, 500))
        let first = try #require(try page.touchd.hit(100, 650)), second = try #require(try page.touchd.hit(400, 650))
        #expect(first != second && first != "all" && second != "all")
        #expect(try page.seen().filter { $0.hasPrefix("error") } == [])
    }

    @Test("a touch says whether it is the first; fingers that rotate and pinch do both")
    func gestures() throws {
        let page = try Page(
            "<div id=map data-touchd data-touchd-gestures=\"pinch+rotation tap:2\" style=\"height: 900px\"></div>")
        try page.browser.evaluate(
            "window.first = []; map.addEventListener('touchd:began', ({ detail }) => first.push(detail.isPrimary))")
        try page.wait(for: "map", at: (500, 500))
        try page.touchd.devices.play("down panel 0 600 300", "frame panel", "down panel 1 700 400", "frame panel")
        try page.browser.wait("first.length === 2")
        #expect(try page.browser.evaluate("first") as? [Bool] == [true, false])
        try page.touchd.devices.play("move panel 0 500 350", "move panel 1 850 350", "frame panel")
        try page.touchd.devices.play("move panel 0 450 400", "move panel 1 900 300", "frame panel")
        try page.browser.wait(
            "seen.some((one) => one.startsWith('pinch')) && seen.some((one) => one.startsWith('rotation'))")
        try page.touchd.devices.play("up panel 0", "up panel 1", "frame panel")
        try page.touchd.tap((500, 500))
        try page.touchd.tap((500, 500))
        try page.browser.wait("seen.some((one) => one.startsWith('tap'))")
    }

    @Test("a list of more than 1 MiB is an error that says so, once, and the page stays connected")
    func large() throws {
        let page = try Page("<div id=host></div>")
        try page.browser.evaluate(
            """
            host.innerHTML = Array.from({ length: 1500 }, (_, i) =>
              `<p data-touchd="${"x".repeat(1200)}${i}" style="margin: 0; height: 1px"></p>`).join("")
            """)
        try page.browser.wait("seen.some((one) => one.includes('1 MiB'))")
        #expect(try page.browser.isTrue("touchd.connected"))
    }

    @Test("a page that connects receives the pages, the toggles and whether touches are ignored")
    func state() throws {
        let layout = """
            screen: {size: [1000, 1000]}
            views: [{slot: page, frame: [0, 0, 900, 1000]}]
            pages:
              start: {views: [{id: lamp, frame: [900, 0, 100, 100], control: {toggle: {on: true}}}]}

            """
        let page = try Page("<div id=host></div>", layout: layout)
        try page.browser.wait("seen.includes('page  start')")
        try page.browser.evaluate(
            """
            window.state = new Promise((resolve) =>
              document.addEventListener("touchd:connected", ({ detail }) => resolve(detail), { once: true }));
            dispatchEvent(new PageTransitionEvent("pagehide"));
            dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
            """)
        #expect(try page.browser.isTrue("state.then(({ toggles: [{ view, on }] }) => view === 'lamp' && on)"))
        #expect(
            try page.browser.isTrue("state.then(({ ignoring, screens }) => !ignoring && screens[0].page === 'start')"))
    }
}
