import Foundation

/// What tests of the inspector's page begin with: a recording of the ticket machine, in a real browser.
class RecordedPage {
    let inspector: RunningInspector
    let browser: Chromium

    init() throws {
        inspector = try RunningInspector.ofRecording()
        browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
    }

    /// Drags the timeline so far, and waits until that is drawn.
    func go(to position: Int) throws {
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
}
