import Foundation

@testable import TestSupport

/// The start of tests of the inspector's page: a recording of the ticket machine in a real browser.
class RecordedPage {
    let inspector: RunningInspector
    let browser: Chromium

    init() throws {
        inspector = try RunningInspector.ofRecording()
        browser = try Chromium(width: 1400, height: 1000)
        try browser.open(inspector.link)
    }

    /// Moves the timeline to a position, and waits until it is drawn.
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
