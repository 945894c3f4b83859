import ControlProtocol
import Foundation
import Testing
import TouchKit
import TouchKitTesting

@testable import Handlers
@testable import Layout

/// The facts of gestures, controls and private views.
@Suite struct HandlerFactsTests {
    /// Shows a layout whose handler `told` stores its facts, and returns a closure with the latest ones.
    private func kiosk(_ layout: String) throws -> (HandlerKiosk, told: () -> [String: String]) {
        let kiosk = try HandlerKiosk()
        var fields: [String: String] = [:]
        kiosk.registry.register("told") { (context: HandlerContext) in
            let facts = kiosk.facts(of: context)
            fields = Dictionary(uniqueKeysWithValues: facts.fields.map { ($0.name, $0.value) })
        }
        try kiosk.show("screen: {size: [1000, 1000]}\n" + layout)
        return (kiosk, { fields })
    }

    @Test("a control's facts name the finger that pressed it, or the first that held it, whatever other fingers do")
    func fingerOfControl() throws {
        for _ in 0..<8 {
            let (kiosk, told) = try kiosk(
                """
                views:
                  - {id: b, frame: [0, 0, 500, 500], control: button, multiple-touch: true, on: {held: told, pressed: told, released: told}}
                """)
            let (first, second, third) = (kiosk.finger(), kiosk.finger(), kiosk.finger())
            kiosk.send(first.landing(at: 100, 100), second.landing(at: 200, 100), third.landing(at: 300, 100))
            #expect(told()["TOUCHD_TRIGGER"] == "held" && told()["TOUCHD_X"] == "100.0")
            kiosk.send(first.lifting(), second.lifting())
            #expect(told()["TOUCHD_TRIGGER"] == "pressed")
            #expect(told()["TOUCHD_TOUCH"] == "1" && told()["TOUCHD_X"] == "100.0")
            third.lifts()
            #expect(told()["TOUCHD_TRIGGER"] == "released" && told()["TOUCHD_X"] == "300.0")
        }
    }

    @Test("a pan has its fingers' position, translation and velocity")
    func pan() throws {
        let (kiosk, told) = try kiosk(
            "views: [{id: map, frame: [100, 0, 500, 500], gestures: [{pan: {}, id: drag, on: {changed: told}}]}]")
        kiosk.finger(at: 200, 200).moves(to: 280, 200, over: 0.04)

        var facts = told()
        // Full precision, so not exactly 2,000.
        let velocity = try #require(facts.removeValue(forKey: "TOUCHD_VELOCITY_X").flatMap(Double.init))
        #expect(abs(velocity - 2000) < 0.001)
        #expect(
            facts == [
                "TOUCHD_TRIGGER": "changed", "TOUCHD_HANDLER": "test", "TOUCHD_TOUCH": "1", "TOUCHD_VIEW": "map",
                "TOUCHD_GESTURE": "drag", "TOUCHD_X": "280.0", "TOUCHD_Y": "200.0", "TOUCHD_DEVICE": "Panel",
                "TOUCHD_TIME": "1.050000", "TOUCHD_TRANSLATION_X": "80.0", "TOUCHD_TRANSLATION_Y": "0.0",
                "TOUCHD_VELOCITY_Y": "0.0",
            ])
    }

    @Test("a pinch has its scale, a rotation its angle")
    func twoFingers() throws {
        let (kiosk, told) = try kiosk(
            "views: [{id: map, frame: [0, 0, 1000, 1000], multiple-touch: true, gestures: [{pinch: {}, on: {changed: told}}]}]"
        )
        let left = kiosk.finger(at: 400, 500)
        let right = kiosk.finger(at: 600, 500)
        for step in 1...20 {
            left.moves(to: 400 - Double(step) * 10, 500)
            right.moves(to: 600 + Double(step) * 10, 500)
        }
        let scale = try #require(told()["TOUCHD_SCALE"].flatMap(Double.init))
        #expect(scale == 3)
        #expect(told()["TOUCHD_GESTURE"] == "pinch")
        #expect(told()["TOUCHD_X"] == "500.0")
    }

    @Test("a button has its touch, a repeating one each time with its current position and time; a page has its name")
    func controlAndPage() throws {
        let (kiosk, told) = try kiosk(
            """
            pages:
              start:
                on: {appeared: told}
                views:
                  - {id: up, frame: [0, 0, 100, 100], control: {repeat: {after: 0.5, every: 0.1}}, on: {pressed: told}}
            """)
        #expect(told()["TOUCHD_PAGE"] == "start" && told()["TOUCHD_TRIGGER"] == "appeared")
        let finger = kiosk.finger(at: 50, 60)
        var facts = [
            "TOUCHD_TRIGGER": "pressed", "TOUCHD_HANDLER": "test", "TOUCHD_TOUCH": "1", "TOUCHD_VIEW": "up",
            "TOUCHD_PAGE": "start", "TOUCHD_X": "50.0", "TOUCHD_Y": "60.0", "TOUCHD_DEVICE": "Panel",
            "TOUCHD_TIME": "1.010000",
        ]
        #expect(told() == facts)
        finger.moves(to: 55, 65)
        kiosk.advanceTime(by: 0.5)
        facts.merge(["TOUCHD_X": "55.0", "TOUCHD_Y": "65.0", "TOUCHD_TIME": "1.510000"]) { $1 }
        #expect(told() == facts)
    }

    private static let pad = """
        views:
          - id: outer
            frame: [0, 0, 1000, 1000]
            private: true
            multiple-touch: true
            gestures: [{pan: {}, id: over-5, on: {changed: told}}]
            on: {began: [told, {log: "{view} {x},{y}"}]}
            views:
              - id: key-5
                frame: [100, 100, 200, 200]
                private: true
                on: {began: [told, {log: "{view} {x},{y}"}], ended: {exec: {command: [/bin/true]}}}
        """

    @Test("every form of a private touch has only the outermost private view's name")
    func privateTouch() throws {
        let (kiosk, told) = try kiosk(Self.pad)
        kiosk.registry.register("json") { (context: HandlerContext) in
            kiosk.log.logger.notice("\(kiosk.facts(of: context, ["digit": "5"]).json)")
        }
        kiosk.finger(at: 150, 150)
        #expect(
            told() == [
                "TOUCHD_TRIGGER": "began", "TOUCHD_HANDLER": "test", "TOUCHD_TOUCH": "1", "TOUCHD_PHASE": "began",
                "TOUCHD_VIEW": "outer", "TOUCHD_DEVICE": "Panel", "TOUCHD_TIME": "1.010000",
            ])
        #expect(kiosk.log.lines == ["notice: outer ,"])
        #expect(!kiosk.log.fields.keys.contains("TOUCHD_X"))

        kiosk.log.clear()
        kiosk.run("json", for: try #require(kiosk.lastContext))
        #expect(
            kiosk.log.lines == [
                """
                notice: {"trigger": "began", "handler": "test", "touch": 1, "phase": "began", "view": "outer", \
                "device": "Panel", "time": 1.01}
                """
            ])
    }

    @Test("a gesture on a private view has no position, translation or id, which could reveal the key, but its kind")
    func privateGesture() throws {
        let (kiosk, told) = try kiosk(Self.pad)
        kiosk.finger(at: 150, 150).moves(to: 230, 150, over: 0.04)
        #expect(
            Set(told().keys) == [
                "TOUCHD_TRIGGER", "TOUCHD_HANDLER", "TOUCHD_TOUCH", "TOUCHD_VIEW", "TOUCHD_GESTURE", "TOUCHD_DEVICE",
                "TOUCHD_TIME",
            ])
        #expect(told()["TOUCHD_VIEW"] == "outer" && told()["TOUCHD_GESTURE"] == "pan")
    }

    @Test("a gesture with a finger on a private view has no position")
    func gestureOverPrivateView() throws {
        let (kiosk, told) = try kiosk(
            """
            views:
              - id: page
                frame: [0, 0, 1000, 1000]
                gestures: [{pan: {}, on: {changed: told}}]
                views: [{id: pin, frame: [0, 0, 100, 100], private: true}]
            """)
        kiosk.finger(at: 50, 50).moves(to: 130, 50, over: 0.04)
        #expect(told()["TOUCHD_VIEW"] == "page")
        #expect(told()["TOUCHD_X"] == nil && told()["TOUCHD_TRANSLATION_X"] == nil)
    }

    @Test("a delivered touch in a private view is written without position too")
    func privateDelivery() throws {
        let (kiosk, _) = try kiosk(Self.pad)
        let describer = Describer { _ in "Panel" }
        var records: [TouchRecord] = []
        kiosk.application.onDelivery {
            records.append(describer.describe($0.touch, $0.phase, handlers: $0.handlerNames))
        }
        kiosk.finger(at: 150, 150)
        #expect(records.map(\.view) == ["outer"] && records.map(\.device) == ["Panel"])
        #expect(records.allSatisfy { $0.x == nil && $0.y == nil })
    }

    @Test("a device cannot call itself an option")
    func optionName() throws {
        func device(_ context: HandlerContext) -> String? {
            HandlerFacts(context, handler: "test", deviceName: { _ in "-rf" }, now: { 1 })["device"]
        }
        #expect(device(HandlerContext(.absent, .device("--output=/etc/passwd"))) == "_-output=/etc/passwd")
        let (kiosk, _) = try kiosk("views: [{id: a, frame: [0, 0, 500, 500], on: {ended: told}}]")
        kiosk.taps(at: 200, 200)
        #expect(device(try #require(kiosk.lastContext)) == "_rf")
    }
}
