import Foundation
import Testing

@testable import TestSupport

/// Pages in a real browser with `touchd.js`, and fingers on a mocked touchscreen.
@Suite(.needs("chromium"), .serialized)
struct WebKiosk {
    private static let isPublished = "window.touchd?.connected"

    @Test("a visitor buys a ticket: fingers on the screen press the page's buttons, and the PIN stays private")
    func ticket() throws {
        let example = TouchdProgram.root.appending(path: "Examples/web-kiosk")
        let layout = try String(contentsOf: example.appending(path: "touchd.yaml"), encoding: .utf8)
        let touchd = try MockedKiosk(layout: layout, size: (1080, 1920))
        let web = try RunningWeb(control: touchd.control, settings: "pages: \(example.path)\n")
        let browser = try Chromium(width: 1080, height: 1920)
        try browser.open("\(web.origin)/?visitor=1#top", until: Self.isPublished)

        /// Waits until touchd has a button where the page shows it, and touches it.
        func press(_ id: String, asView view: String? = nil) throws {
            while true {
                let place = try #require(try browser.center(of: id))
                if try touchd.hit(place.x, place.y) == view ?? id { return try touchd.tap(place) }
            }
        }
        try press("more-0")
        try browser.wait("document.querySelector('#products output').textContent === '1'")
        try press("de")
        try browser.wait("document.getElementById('buy').textContent === 'Kaufen'")
        try press("buy")
        try browser.wait("!document.getElementById('pay').hidden")
        for (index, key) in ["key-1", "key-9", "key-0"].enumerated() {
            // Nobody but the page learns which key it is.
            try press(key, asView: "pad")
            try browser.wait("document.querySelectorAll('#dots .typed').length === \(index + 1)")
        }
        try press("key-2", asView: "pad")
        try browser.wait("!document.getElementById('ticket').hidden")
        #expect(
            try browser.text("document.getElementById('lines').textContent")
                == "1 × Einzelfahrt3,20\u{A0}€")
        // The query and the fragment may hold a visitor's data.
        #expect(try touchd.slot()["publisher"] as? String == "\(web.origin)/")
    }

    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {slot: page, frame: [0, 0, 1000, 1000]}

        """

    private static let page = """
        <!doctype html>
        <style>
          body { margin: 0; position: relative; height: 900px }
          #list { position: absolute; left: 100px; top: 100px; width: 300px; height: 200px; overflow: auto }
          #item { height: 100px } #rest { height: 1000px }
          #map { position: absolute; left: 500px; top: 500px; width: 400px; height: 400px }
          #cover { position: fixed; inset: 0; background: #0008 }
        </style>
        <div id="list"><div id="item" data-touchd></div><div id="rest"></div></div>
        <div id="map" data-touchd data-touchd-gestures="pan"></div>
        <div id="cover" hidden></div>
        <script src="/touchd.js"></script>
        <script>
          const seen = [];
          for (const name of ["began", "ended", "cancelled", "pan"]) document.addEventListener("touchd:" + name, ({ target, detail }) =>
            seen.push([target.id, name === "pan" ? "pan " + detail.state : name, detail.x, detail.y, detail.translation]));
        </script>
        """

    @Test("views follow the page: scrolled, resized, covered, removed; when it is killed they are gone")
    func follows() throws {
        let touchd = try MockedKiosk(layout: Self.layout, size: (1000, 1000))
        let web = try RunningWeb(
            control: touchd.control, settings: "pages: FOLDER\n", files: ["index.html": Self.page])
        var browser: Chromium? = try Chromium(width: 1000, height: 1000)
        try browser?.open("\(web.origin)/", until: Self.isPublished)

        while try touchd.hit(200, 150) != "item" {}
        // Scrolled by half of its height, and clipped by the list.
        try browser?.evaluate("document.getElementById('list').scrollTop = 50")
        while try touchd.hit(200, 170) == "item" {}
        #expect(try touchd.hit(200, 120) == "item" && touchd.hit(200, 90) != "item")
        try browser?.evaluate("document.getElementById('list').scrollTop = 100")
        while try touchd.hit(200, 101) == "item" {}
        // Something in front of the page takes touches, as in the browser.
        #expect(try touchd.hit(700, 700) == "map")
        try browser?.evaluate("document.getElementById('cover').hidden = false")
        while try touchd.hit(700, 700) == "map" {}
        try browser?.evaluate("document.getElementById('cover').hidden = true")
        while try touchd.hit(700, 700) != "map" {}

        // A pan with positions in CSS pixels, and the way since the finger landed, as in UIKit.
        try touchd.putDown(at: (600, 600))
        try browser?.wait("seen.some(([id, name]) => id === 'map' && name === 'began')")
        try touchd.move(to: (640, 600))
        try browser?.wait("seen.some(([id, name]) => id === 'map' && name === 'pan began')")
        try touchd.move(to: (700, 600))
        try browser?.wait("seen.some(([id, name]) => id === 'map' && name === 'pan changed')")
        try touchd.lift()
        try browser?.wait("seen.some(([id, name]) => id === 'map' && name === 'pan ended')")
        let moved = try browser?.evaluate("seen.findLast(([id, name]) => name === 'pan changed')") as? [Any]
        let (x, way) = (try #require(moved?[2] as? Double), try #require(moved?[4] as? [Double]))
        #expect(abs(x - 700) < 1 && abs(way[0] - 100) < 1 && abs(way[1]) < 1, "\(x), \(way)")

        // The window is half as large: the page fills the slot as before.
        try browser?.resize(width: 500, height: 500)
        try browser?.evaluate(
            "document.getElementById('map').style.cssText = 'left: 0; top: 0; width: 100px; height: 100px'")
        while try touchd.hit(190, 190) != "map" {}
        #expect(try touchd.hit(210, 190) != "map")
        try browser?.evaluate("document.getElementById('map').remove()")
        while try touchd.hit(190, 190) == "map" {}

        #expect(try touchd.slot()["publisher"] != nil)
        browser = nil
        while try touchd.slot()["publisher"] != nil {}
        #expect(try touchd.slot()["views"] as? Int == 0)
    }

    @Test("when touchd restarts, the page's touches end, and it publishes its views again")
    func restart() throws {
        let folder = try TemporaryFolder()
        let touchd = try MockedKiosk(layout: Self.layout, size: (1000, 1000), service: folder.url)
        let web = try RunningWeb(control: touchd.control, settings: "pages: FOLDER\n", files: ["index.html": Self.page])
        let browser = try Chromium(width: 1000, height: 1000)
        try browser.open("\(web.origin)/", until: Self.isPublished)
        while try touchd.hit(700, 700) != "map" {}
        try touchd.putDown(at: (700, 700))
        try browser.wait("seen.some(([id, name]) => id === 'map' && name === 'began')")

        touchd.end()
        try browser.wait("!touchd.connected && seen.at(-1)[1] === 'cancelled'")

        let other = try MockedKiosk(layout: Self.layout, size: (1000, 1000), service: folder.url)
        while try other.hit(700, 700) != "map" {}
        try other.tap((700, 700))
        try browser.wait("seen.at(-1)[1] === 'ended'")
        let names = try browser.evaluate("seen.map(([id, name]) => name).join(' ')")
        #expect(names as? String == "began cancelled began ended")
        withExtendedLifetime(folder) {}
    }

    /// A page that tries to reach a kiosk's touchd-web, and says what it got.
    private static func intruder(to kiosk: String) -> String {
        """
        <!doctype html><body><script>
        (async () => {
            const kiosk = "\(kiosk)", got = [];
            const opened = (make) => new Promise((resolve) => {
                const stream = make();
                stream.onopen = () => resolve("open");
                stream.onerror = () => resolve("refused");
            });
            got.push(await opened(() => new WebSocket(kiosk.replace("http", "ws") + "/events")));
            got.push(await opened(() => new EventSource(kiosk + "/events")));
            for (const path of ["/", "/touchd.js", "/events"]) {
                got.push(await fetch(kiosk + path).then(() => "read", () => "refused"));
            }
            got.push(await fetch(kiosk + "/requests", { method: "POST", body: "{}" }).then(() => "sent", () => "refused"));
            parent.postMessage(got.join(" "), "*");
            document.body.dataset.got = got.join(" ");
            document.body.dataset.ready = "true";
        })();
        </script>
        """
    }

    @Test("a foreign page gets nothing, alone or in a frame, and cannot show the kiosk's page in a frame")
    func foreign() throws {
        let touchd = try MockedKiosk(layout: Self.layout, size: (1000, 1000))
        let folder = try TemporaryFolder()
        let web = try RunningWeb(control: touchd.control, settings: "pages: \(folder.url.path)\n")
        _ = try folder.file("index.html", "<!doctype html><body><script src=\"/touchd.js\"></script>")
        _ = try folder.file("advertisement.html", Self.intruder(to: web.origin))
        // Another server on the same machine is another origin.
        let foreign = try RunningWeb(
            control: "/nowhere", settings: "pages: FOLDER\n",
            files: [
                "index.html": Self.intruder(to: web.origin),
                "frame.html": """
                <!doctype html><body><iframe src="\(web.origin)/" onload="document.body.dataset.ready = 'true'"></iframe>
                """,
            ])
        let nothing = Array(repeating: "refused", count: 6).joined(separator: " ")
        let browser = try Chromium(width: 1000, height: 1000)
        try browser.open("\(foreign.origin)/")
        #expect(try browser.text("document.body.dataset.got") == nothing)
        // The kiosk's page is not shown, so it publishes nothing.
        try browser.open("\(foreign.origin)/frame.html")
        #expect(try touchd.slot()["publisher"] == nil)
        // A frame of the kiosk's own page, sandboxed as advertisements are.
        try browser.open("\(web.origin)/", until: Self.isPublished)
        let got = try browser.evaluate(
            """
            new Promise((resolve) => {
                window.onmessage = ({ data }) => resolve(data);
                const frame = document.createElement("iframe");
                frame.sandbox = "allow-scripts";
                frame.src = "/advertisement.html";
                document.body.append(frame);
            })
            """)
        #expect(got as? String == nothing)
    }
}

extension Chromium {
    /// The middle of an element, in CSS pixels.
    fileprivate func center(of id: String) throws -> (x: Double, y: Double)? {
        let value = try evaluate(
            """
            (() => {
                const box = document.getElementById("\(id)").getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            })()
            """)
        guard let place = value as? [Double], place.count == 2 else { return nil }
        return (place[0], place[1])
    }
}
