import Foundation
import Testing

@testable import TestSupport

/// The inspector's page in a real browser, with a running touchd on which a finger rests.
@Suite(.needs("chromium"), .serialized)
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

    /// Hides the view with the page's button.
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

    @Test("a page opened later shows a resting finger and its device")
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
        "the page hides a view in touchd, and shows changes by other programs")
    func commands() throws {
        try hideHelp()
        try browser.wait(hidden)
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "wall")
        #expect(try touchd.command("show", "help").status == 0)
        try browser.wait("!(\(hidden))")
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "help")
        try browser.picture("live-commands")
    }

    @Test("a late response does not undo a change that touchd has reported meanwhile")
    func lateAnswer() throws {
        try browser.wait("document.querySelector('[data-fact=view]')?.textContent === 'picture'")
        // The response with the overview after the command is held back until it is released.
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

    @Test("after touchd has ended the page says that it waits, and why")
    func ended() throws {
        try browser.wait("document.querySelector('[data-fact=view]')?.textContent === 'picture'")
        touchd.signal(SIGTERM)
        try browser.wait("document.getElementById('connection').textContent === 'Waiting for touchd'")
        try browser.wait("document.getElementById('problem').textContent.includes('no touchd listens at')")
        try browser.picture("live-waiting")
    }
}
