import Testing

@testable import ControlProtocol

/// What clients of the control socket learn of touches, gestures and handlers' messages at private places.
@Suite("What is private") final class PrivacyTests {
    /// A finger's step: `down`, `move` or `up`, its number and where.
    private typealias Step = (phase: String, finger: UInt32, x: Double, y: Double)

    /// Plays steps on a layout of 1000 by 1000 points, and returns the lines of the events.
    private func events(_ layout: String, _ steps: [Step], publish views: String? = nil) throws -> [String] {
        let stage = try SlotStage("screen: {size: [1000, 1000]}\n\(layout)")
        let client = stage.connect(), publisher = stage.connect()
        if let views {
            _ = stage.send(#"{"request":"views","slot":"keys","publisher":"p","views":\#(views)}"#, to: publisher)
        }
        _ = stage.send(
            #"{"request":"subscribe","to":["touches","gestures","published","inspection"],"moves":true}"#, to: client)
        return steps.flatMap { step in
            stage.finger(
                step.phase == "down" ? .began : step.phase == "move" ? .moved : .ended, step.x, step.y, id: step.finger)
            return client.lines()
        }
    }

    private static let wall = """
        handlers: {told: {publish: {topic: t, message: "{x},{y},{scale},{rotation},{translation-x},{velocity-y}"}}}
        views:
          - id: wall
            frame: [0, 0, 1000, 1000]
            multiple-touch: true
            gestures: [GESTURE]
            views:
              - id: pad
                frame: [0, 0, 300, 300]
                private: true
                views: [{id: key, frame: [200, 0, 100, 100]}]

        """

    @Test(
        "a gesture that had a finger on a private view has no places or measures, also after the finger has lifted",
        arguments: [
            (
                "{tap: {taps: 2}, run: told}",
                [("down", 1, 290.0, 50.0), ("up", 1, 290, 50), ("down", 1, 310, 50), ("up", 1, 310, 50)]
            ),
            (
                "{tap: {touches: 2}, run: told}",
                [("down", 1, 290, 50), ("down", 2, 400, 50), ("up", 1, 290, 50), ("up", 2, 400, 50)]
            ),
            (
                "{pan: {}, on: {changed: told, ended: told}}",
                [
                    ("down", 1, 250, 50), ("down", 2, 400, 50), ("move", 1, 280, 50), ("move", 2, 460, 50),
                    ("up", 1, 280, 50), ("move", 2, 500, 50), ("up", 2, 500, 50),
                ]
            ),
            (
                "{pinch: {}, on: {changed: told, ended: told}}",
                [
                    ("down", 1, 250, 50), ("down", 2, 400, 50), ("move", 1, 210, 50), ("move", 2, 500, 50),
                    ("up", 1, 210, 50), ("up", 2, 500, 50),
                ]
            ),
            (
                "{rotation: {}, on: {changed: told, ended: told}}",
                [
                    ("down", 1, 250, 50), ("down", 2, 400, 50), ("move", 1, 250, 90), ("move", 2, 400, 20),
                    ("up", 1, 250, 90), ("up", 2, 400, 20),
                ]
            ),
        ] as [(String, [(String, UInt32, Double, Double)])])
    func gestures(gesture: String, steps: [(String, UInt32, Double, Double)]) throws {
        let lines = try events(Self.wall.replacing("GESTURE", with: gesture), steps.map { $0 })
        let gestures = lines.filter { $0.contains(#""event": "gesture""#) }
        #expect(!gestures.isEmpty && gestures.allSatisfy { $0.hasSuffix(#""view": "wall"}"#) })
        let messages = lines.filter { $0.contains(#""event": "published""#) }
        #expect(!messages.isEmpty && messages.allSatisfy { $0.contains(#""message": ",,,,,""#) })
    }

    @Test("a gesture is told with its place again after the gesture with a private finger is over")
    func nextGesture() throws {
        let lines = try events(
            Self.wall.replacing("GESTURE", with: "{tap: {}, run: told}"),
            [("down", 1, 250, 50), ("up", 1, 250, 50), ("down", 1, 400, 50), ("up", 1, 400, 50)])
        let gestures = lines.filter { $0.contains(#""event": "gesture""#) }
        #expect(gestures.map { $0.contains(#""x": 400"#) } == [false, true])
        #expect(lines.filter { $0.contains(#""message": "400.0,50.0"#) }.count == 1)
    }
}
