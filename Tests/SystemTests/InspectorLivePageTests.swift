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

    private let rests = "document.querySelector('[data-fact=view]')?.textContent === 'picture'"

    /// Hides the view with the page's button.
    private func hideHelp() throws {
        try browser.choose(view: "help")
        try browser.evaluate("document.querySelector('[data-command=hide]').click()")
    }

    @Test("a page opened later shows a resting finger and its device")
    func present() throws {
        try browser.wait(rests)
        #expect(try browser.isTrue("document.querySelector('#stage .is-hit').dataset.id === 'picture'"))
        let text = try browser.text(of: "touch"), devices = try browser.text(of: "devices")
        #expect(text.contains("stationary") && text.contains("view 'picture'") && text.contains("hold"))
        #expect(try browser.text(of: "connection") == "Connected")
        #expect(devices.contains("QUANTA OpticalTouchScreen") && devices.contains("0 to 1920"))
    }

    @Test("the page hides a view in touchd; a late response does not undo a change that touchd has reported meanwhile")
    func lateAnswer() throws {
        try browser.wait(rests)
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
                    if (String(link).includes("/api/present")) window.isReported = true;
                    return answer;
                };
            })()
            """)
        try hideHelp()
        try browser.wait(hidden)
        try browser.wait("window.isHeld")
        #expect(try inspector.json("/api/hit", #"{"x": 1600, "y": 200}"#)["view"] as? String == "wall")
        #expect(try touchd.command("show", "help").status == 0)
        try browser.wait("!(\(hidden))")

        try browser.evaluate("window.isReported = false; window.letGo()")
        try browser.wait("window.isReported")
        try browser.wait("!(\(hidden))")
    }

    @Test("when a reload is refused, a page says why and shows the layout that stays, also when opened again")
    func refused() throws {
        try browser.wait(rests)
        try Data("views: 3\n".utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status != 0)
        try browser.wait("document.getElementById('problem').textContent.includes('layout.yaml:1:')")
        let drawn = "document.querySelectorAll('#stage .view').length"
        #expect(try browser.evaluate(drawn) as? Int == 3)
        try browser.open("http://127.0.0.1:\(inspector.port)/")
        #expect(try browser.evaluate(drawn) as? Int == 3)
        #expect(try browser.text(of: "problem").contains("layout.yaml:1:"))
    }

    @Test("when the inspector is back at its address, a page that was open says so")
    func restarted() throws {
        let folder = try TemporaryFolder(), token = try folder.file("token", String(repeating: "a", count: 32)).path
        #expect(chmod(token, 0o600) == 0)
        let first = try RunningInspector("--socket", touchd.control, "--token-file", token)
        try browser.open(first.link)
        let connection = "document.getElementById('connection').textContent"
        #expect(first.end() == 0)
        try browser.wait("\(connection).startsWith('Not connected: ')")
        let second = try RunningInspector(
            "--socket", touchd.control, "--token-file", token, listen: "\(first.port)")
        try browser.wait("\(connection) === 'Connected'")
        #expect(second.end() == 0)
    }

    @Test("after touchd has ended the page says that it waits, and why")
    func ended() throws {
        try browser.wait(rests)
        touchd.signal(SIGTERM)
        try browser.wait("document.getElementById('connection').textContent === 'Waiting for touchd'")
        try browser.wait("document.getElementById('problem').textContent.includes('no touchd listens at')")
        // Also when the page is scrolled.
        try browser.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        #expect(
            try browser.isTrue(
                """
                (() => {
                    const box = document.getElementById("connection").getBoundingClientRect();
                    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                    return found?.id === "connection";
                })()
                """))
    }
}
