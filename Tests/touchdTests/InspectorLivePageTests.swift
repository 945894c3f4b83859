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
        try touchd.waitForTouch()
        inspector = try RunningInspector("--socket", touchd.control)
        browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
    }

    private let hidden = "document.querySelector('[data-id=help]').classList.contains('is-hidden')"

    /// Has the page's button hide the view.
    private func hideHelp() throws {
        try browser.evaluate(
            """
            (() => {
                const view = document.getElementById("view");
                view.value = [...view.options].find((option) => option.text === "help").value;
                view.dispatchEvent(new Event("change"));
                document.querySelector("[data-command=hide]").click();
            })()
            """)
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
        try hideHelp()
        try browser.wait(hidden)
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "wall")
        #expect(try touchd.command("show", "help").status == 0)
        try browser.wait("!(\(hidden))")
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "help")
        try browser.picture("live-commands")
    }

    @Test("an answer that was on its way while touchd told of a change does not undo that change")
    func lateAnswer() throws {
        try browser.wait("document.querySelector('[data-fact=view]')?.textContent === 'picture'")
        // The answer to what there is after the command waits until it is let go.
        try browser.evaluate(
            """
            (() => {
                const ask = window.fetch;
                const held = new Promise((resolve) => { window.letGo = resolve; });
                window.fetch = async (link, options) => {
                    const answer = await ask(link, options);
                    if (String(link).includes("/api/command")) window.isHeld = false;
                    if (String(link).includes("/api/overview") && window.isHeld === false) {
                        window.isHeld = true;
                        await held;
                    }
                    if (String(link).includes("/api/present")) window.isTold = true;
                    return answer;
                };
            })()
            """)
        try hideHelp()
        try browser.wait(hidden)
        try browser.wait("window.isHeld")
        #expect(try touchd.command("show", "help").status == 0)
        try browser.wait("!(\(hidden))")

        try browser.evaluate("window.isTold = false; window.letGo()")
        try browser.wait("window.isTold")
        try browser.wait("!(\(hidden))")
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
