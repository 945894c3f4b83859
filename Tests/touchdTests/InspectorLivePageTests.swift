import Foundation
import Testing

/// The inspector's page in a real browser, over a running touchd on which a finger rests.
@Suite(.enabled(if: Chromium.path != nil, "there is no /usr/bin/chromium; 'apt install chromium'"), .serialized)
struct InspectorLivePage {
    private let touchd: RunningTouchd
    private let inspector: RunningInspector
    private let browser: Chromium

    init() throws {
        touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                views:
                  - id: wall
                    frame: [0, 0, 1920, 1080]
                    gestures: [{long-press: {}, id: hold, on: {began: log}}]
                    views:
                      - {id: picture, frame: [100, 100, 900, 800], on: {began: log}}
                      - {id: help, frame: [1500, 100, 300, 300], control: button, on: {pressed: log}}

                """)
        _ = touchd.notifications(until: "touch in the last minute")
        inspector = try RunningInspector("--socket", touchd.control)
        browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
    }

    @Test("a page that is opened later knows of a finger that was down before and does not move, and of the device")
    func present() throws {
        try browser.wait("document.querySelector('[data-fact=view]')?.textContent === 'picture'")
        let marked = "[...document.querySelectorAll('#stage .is-hit')].map((view) => view.dataset.id).join(' ')"
        #expect(try browser.evaluate(marked) as? String == "picture")
        let text = try #require(try browser.evaluate("document.getElementById('touch').textContent") as? String)
        #expect(text.contains("stationary") && text.contains("view 'picture'") && text.contains("hold"))
        #expect(try browser.evaluate("document.getElementById('connection').textContent") as? String == "Connected")
        let devices = try browser.evaluate("document.getElementById('devices').textContent") as? String
        #expect(devices?.contains("QUANTA OpticalTouchScreen") == true && devices?.contains("0 to 1920") == true)
        try browser.picture("live")
    }

    @Test(
        "a view is hidden in the running touchd by the button that says so, and what another program changes is shown")
    func commands() throws {
        try browser.evaluate(
            """
            (() => {
                const view = document.getElementById("view");
                view.value = [...view.options].find((option) => option.text === "help").value;
                view.dispatchEvent(new Event("change"));
                document.querySelector("[data-command=hide]").click();
            })()
            """)
        let hidden = "document.querySelector('[data-id=help]').classList.contains('is-hidden')"
        try browser.wait(hidden)
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "wall")
        #expect(try touchd.command("show", "help").status == 0)
        try browser.wait("!(\(hidden))")
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "help")
        try browser.picture("live-commands")
    }

    @Test("when touchd has ended the page says that it waits for it, and why")
    func ended() throws {
        try browser.wait("document.querySelector('[data-fact=view]')?.textContent === 'picture'")
        touchd.signal(SIGTERM)
        try browser.wait("document.getElementById('connection').textContent === 'Waiting for touchd'")
        try browser.wait("document.getElementById('problem').textContent.includes('no touchd listens at')")
        try browser.picture("live-waiting")
    }
}
