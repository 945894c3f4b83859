import Foundation
import Testing

@testable import TestSupport

/// The inspector's page beside a web page that publishes views, in a real browser.
@Suite(.needs("chromium"), .serialized)
struct InspectedWebPage {
    private static let page = """
        <!doctype html>
        <style>button { position: absolute; left: 100px; top: 100px; width: 300px; height: 200px }</style>
        <button id="buy" data-touchd></button>
        <script src="/touchd.js"></script>
        """

    @Test("the inspector draws published views with their page's address, and follows them")
    func published() throws {
        let touchd = try RunningTouchd(
            layout: "screen: {size: [1000, 1000]}\nviews: [{slot: page, frame: [0, 0, 1000, 1000]}]\n")
        touchd.ready()
        let web = try RunningWeb(
            control: touchd.control, settings: "pages: FOLDER\n", files: ["shop.html": Self.page])
        let inspector = try RunningInspector("--socket", touchd.control)
        let browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
        let title = "document.querySelector('[data-id=buy].is-published.control > title')?.textContent"
        #expect(try browser.text(title) == nil)

        // The inspector was open before: it follows touchd's report.
        var kiosk: Chromium? = try Chromium(width: 1000, height: 1000)
        try kiosk?.open("\(web.origin)/shop.html?visitor=1", until: "window.touchd?.connected")
        try browser.wait("\(title) === 'buy, published by \(web.origin)/shop.html'")
        let place = "document.querySelector('[data-id=buy]').getAttribute('transform')"
        try browser.wait("\(place) === 'translate(100 100)'")
        try kiosk?.evaluate("document.getElementById('buy').style.left = '200px'")
        try browser.wait("\(place) === 'translate(200 100)'")

        // What-if answers name the page too, with the moved view.
        let answer = try inspector.json("/api/hit", #"{"x": 490, "y": 150}"#)
        #expect(answer["view"] as? String == "buy")
        let visits = try #require(answer["visits"] as? [[String: Any]])
        #expect(visits.contains { $0["publisher"] as? String == "\(web.origin)/shop.html" })
        withExtendedLifetime(kiosk) {}
        kiosk = nil
        try browser.wait("document.querySelector('[data-id=buy]') === null")
    }

    @Test("a view stays chosen while a page removes another one, and none is chosen when it is removed itself")
    func removed() throws {
        let touchd = try RunningTouchd(
            layout: "screen: {size: [1000, 1000]}\nviews: [{slot: page, frame: [0, 0, 1000, 1000]}]\n")
        touchd.ready()
        let buttons = ["ticket", "service", "alarm"].map { "<button id=\($0) data-touchd>\($0)</button>" }
        let web = try RunningWeb(
            control: touchd.control, settings: "pages: FOLDER\n",
            files: ["index.html": "<!doctype html>\(buttons.joined())<script src=\"/touchd.js\"></script>"])
        let kiosk = try Chromium(width: 1000, height: 1000)
        try kiosk.open("\(web.origin)/", until: "window.touchd?.connected")
        let inspector = try RunningInspector("--socket", touchd.control)
        let browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
        /// Removes a button of the page, and clicks "Hide it" when the inspector no longer draws it.
        func hide(afterRemoving id: String) throws -> String {
            try kiosk.evaluate("document.getElementById('\(id)').remove()")
            try browser.wait("document.querySelector('[data-id=\(id)]') === null")
            try browser.evaluate(
                "document.getElementById('done').textContent = ''; document.querySelector('[data-command=hide]').click()"
            )
            try browser.wait("document.getElementById('done').textContent !== ''")
            return try browser.text(of: "done")
        }
        try browser.wait("document.querySelector('[data-id=alarm]')")
        try browser.choose(view: "service")

        #expect(try hide(afterRemoving: "ticket") == "Done: hide service.")
        #expect(try hide(afterRemoving: "service") == "Choose a view first.")
        let views = try inspector.json("/api/overview")["views"] as? [[String: Any]]
        #expect(views?.filter { $0["hidden"] as? Bool == true }.isEmpty == true)
    }
}
