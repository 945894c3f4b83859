@testable import ControlProtocol
import Evdev
import Handlers
import Layout
import Testing
import TouchKit

@testable import Service

@Suite("Gesture records for subscribers") struct GestureRecordTests {
    nonisolated private static let hold = "gestures: [{long-press: {}, id: hold, on: {began: log}}]"

    /// Holds a finger for a second at (30, 30) of a screen of 100 × 100, and returns the gesture records.
    private func records(_ views: String) throws -> [String] {
        let application = Application()
        let document = try LayoutDocument(
            text: "screen: {size: [100, 100]}\nviews:\n" + views, file: "kiosk.yaml", handlers: ["log"])
        var records: [String] = []
        let scene = Scene(document, application: application) { _, _ in }
        let observer = Reporter {
            let record = Describer { _ in "Panel" }.describe($0, $1, time: 1.5)
            records.append(String(decoding: record.line, as: UTF8.self))
        }
        scene.observer = observer
        defer { scene.observer = nil }
        scene.activate()
        let contact = Contact(id: 1, phase: .began, position: SurfacePoint(x: 0.3, y: 0.3))
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 1_000_000), contacts: [contact]))
        application.drainEvents()
        application.advanceTime(to: InputTimestamp(microseconds: 2_000_000))
        return records
    }

    @Test(
        "a gesture has its kind, id, view and position; no id in a private view, no position with a finger on one",
        arguments: [
            (
                "{id: map, frame: [0, 0, 100, 100], \(hold)}",
                #""id": "hold", "trigger": "began", "view": "map", "touches": 1, "x": 30, "y": 30}"#
            ),
            (
                "{id: pad, frame: [0, 0, 100, 100], private: true, "
                    + "views: [{id: key-5, frame: [0, 0, 50, 50], private: true, \(hold)}]}",
                #""trigger": "began", "view": "pad"}"#
            ),
            (
                "{id: page, frame: [0, 0, 100, 100], \(hold), views: [{id: pin, frame: [0, 0, 50, 50], private: true}]}",
                #""id": "hold", "trigger": "began", "view": "page"}"#
            ),
        ])
    func gesture(view: String, end: String) throws {
        #expect(
            try records("  - \(view)") == [
                #"{"event": "gesture", "time": 1.5, "gesture": "long-press", "# + end + "\n"
            ])
    }
}
