import Foundation
import Testing

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

    /// The moments of the recording.
    func records() throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: inspector.ask("/api/records").body) as? [[String: Any]])
    }

    /// The touches of a moment.
    func touches(_ record: [String: Any]) -> [[String: Any]] { record["touches"] as? [[String: Any]] ?? [] }

    /// Goes to the first moment that fulfills a condition; returns it.
    @discardableResult
    func go(toFirst isIt: ([String: Any]) -> Bool) throws -> [String: Any] {
        let records = try records(), first = records.firstIndex { isIt($0) }
        let index = try #require(first)
        try go(to: index + 1)
        return records[index]
    }

    /// The ids of the views that are marked as touched.
    func marked() throws -> [String] {
        try browser.evaluate("[...document.querySelectorAll('#stage .is-hit')].map((view) => view.dataset.id)")
            as? [String] ?? []
    }
}
