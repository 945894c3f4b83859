@testable import ControlProtocol
import Evdev
import Handlers
import Layout
import Testing
import TouchKit

@testable import Service

@Suite("Gesture records for subscribers") struct GestureRecordTests {
    /// Holds a finger for a second at (30, 30) of a screen of 100 × 100, and returns the gesture records.
    private func records(_ views: String) throws -> [String] {
        let application = Application()
        let document = try LayoutDocument(
            text: "screen: {size: [100, 100]}\nviews:\n" + views, file: "kiosk.yaml", handlers: ["log"])
        var records: [String] = []
        let scene = Scene(document, application: application) { _, occasion in
            let context = OccasionFacts.Context(deviceName: { _ in "Panel" }, now: { 0 })
            records.append(GestureRecord(OccasionFacts(occasion, handler: "", context: context)).json)
        }
        scene.activate()
        let contact = Contact(id: 1, phase: .began, position: SurfacePoint(x: 0.3, y: 0.3))
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 1_000_000), contacts: [contact]))
        application.drainEvents()
        application.advanceTime(to: InputTimestamp(microseconds: 2_000_000))
        return records
    }

    private static let hold = "gestures: [{long-press: {}, id: hold, on: {began: log}}]"

    @Test("its kind by the layout's name, its id, its view and its position")
    func gesture() throws {
        #expect(
            try records("  - {id: map, frame: [0, 0, 100, 100], \(Self.hold)}") == [
                """
                {"event": "gesture", "gesture": "long-press", "id": "hold", "trigger": "began", "view": "map", \
                "x": 30.0, "y": 30.0}
                """
            ])
    }

    @Test("in a private view a gesture has no id and no position")
    func privateView() throws {
        let key = "{id: key-5, frame: [0, 0, 50, 50], private: true, \(Self.hold)}"
        #expect(
            try records("  - {id: pad, frame: [0, 0, 100, 100], private: true, views: [\(key)]}") == [
                """
                {"event": "gesture", "gesture": "long-press", "trigger": "began", "view": "pad"}
                """
            ])
    }

    @Test("no position while one of its fingers is on a private subview")
    func fingerOnPrivateView() throws {
        let pin = "{id: pin, frame: [0, 0, 50, 50], private: true}"
        #expect(
            try records("  - {id: page, frame: [0, 0, 100, 100], \(Self.hold), views: [\(pin)]}") == [
                """
                {"event": "gesture", "gesture": "long-press", "id": "hold", "trigger": "began", "view": "page"}
                """
            ])
    }
}
