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

    @Test("a gesture is reported with its place again after the gesture with a private finger is over")
    func nextGesture() throws {
        let lines = try events(
            Self.wall.replacing("GESTURE", with: "{tap: {}, run: told}"),
            [("down", 1, 250, 50), ("up", 1, 250, 50), ("down", 1, 400, 50), ("up", 1, 400, 50)])
        let gestures = lines.filter { $0.contains(#""event": "gesture""#) }
        #expect(gestures.map { $0.contains(#""x": 400"#) } == [false, true])
        #expect(lines.filter { $0.contains(#""message": "400.0,50.0"#) }.count == 1)
    }

    /// The lines of touches, each as `PHASE VIEW` with the place if it has one.
    private func touches(in lines: [String]) -> [String] {
        lines.map(ProtocolLine.init).filter { $0["event"] == "touch" }.map { line in
            (line["phase"] ?? "") + " " + (line["view"] ?? "-") + (line["x"].map { " \($0)" } ?? "")
        }
    }

    /// A wall with a pad or slot in front of it, and a window in front of that.
    private static func behind(_ view: String) -> String {
        """
        handlers: {told: {publish: {topic: t, message: "{view} {x}"}}}
        views:
          - {id: wall, frame: [0, 0, 1000, 1000], on: {began: told, moved: told}}
          - \(view)
          - {id: front, frame: [200, 200, 100, 100]}

        """
    }

    @Test(
        "a touch that begins at a private place is one of the private view without a place, whatever view gets it",
        arguments: [
            ("{id: pad, frame: [0, 0, 300, 300], private: true, passthrough: true, views: [KEY]}", nil),
            ("{id: pad, frame: [0, 0, 300, 300], private: true, enabled: false, views: [KEY]}", nil),
            ("{id: pad, frame: [0, 0, 300, 300], private: true, slot: {name: keys}}", nil),
            ("{id: pad, frame: [0, 0, 300, 300], private: true, slot: {name: keys}}", "[KEY]"),
        ])
    func places(view: String, views: String?) throws {
        let key = #"{"id": "key", "frame": [0, 0, 100, 100], "enabled": false}"#
        let lines = try events(
            Self.behind(view.replacing("KEY", with: key)),
            [
                ("down", 1, 50, 50), ("up", 1, 50, 50), ("down", 1, 150, 50), ("move", 1, 400, 50), ("up", 1, 400, 50),
                ("down", 1, 401, 50), ("up", 1, 401, 50),
            ], publish: views?.replacing("KEY", with: key))
        #expect(
            touches(in: lines) == [
                "began pad", "ended pad", "began pad", "moved pad", "ended pad", "began wall 401", "ended wall 401",
            ])
        let messages = lines.filter { $0.contains(#""event": "published""#) }.map { ProtocolLine($0)["message"] }
        #expect(messages == ["pad ", "pad ", "pad ", "wall 401.0"])
        let inspected = lines.filter { $0.contains(#""event": "inspection""#) }
        #expect(inspected.filter { $0.contains(#""x": "#) }.allSatisfy { $0.contains(#""x": 401"#) })
    }

    @Test("a view in front of a private one is named, but not the place")
    func inFront() throws {
        let lines = try events(
            Self.behind("{id: pad, frame: [0, 0, 300, 300], private: true}"),
            [("down", 1, 250, 250), ("up", 1, 250, 250), ("down", 1, 250, 150), ("up", 1, 250, 150)])
        #expect(touches(in: lines) == ["began front", "ended front", "began pad", "ended pad"])
    }

    @Test("a touch that moves over a private view has no place from then on, and keeps its view")
    func entering() throws {
        let lines = try events(
            Self.behind("{id: pad, frame: [0, 0, 300, 300], private: true}"),
            [
                ("down", 1, 500, 50), ("move", 1, 301, 50), ("move", 1, 299, 50), ("move", 1, 500, 50),
                ("up", 1, 500, 50),
            ])
        #expect(touches(in: lines) == ["began wall 500", "moved wall 301", "moved wall", "moved wall", "ended wall"])
        let messages = lines.filter { $0.contains(#""event": "published""#) }.map { ProtocolLine($0)["message"] }
        #expect(messages == ["wall 500.0", "wall 301.0", "wall ", "wall "])
    }

    @Test("a public control has no place for handlers if its touch is at a private place")
    func control() throws {
        let lines = try events(
            """
            handlers: {told: {publish: {topic: t, message: "{view} {x}"}}}
            views:
              - {id: button, frame: [0, 0, 500, 500], control: button, on: {held: told, pressed: told}}
              - {id: pad, frame: [0, 0, 300, 300], private: true, passthrough: true}

            """, [("down", 1, 50, 50), ("up", 1, 50, 50), ("down", 1, 350, 50), ("up", 1, 350, 50)])
        let messages = lines.filter { $0.contains(#""event": "published""#) }.map { ProtocolLine($0)["message"] }
        #expect(messages == ["button ", "button ", "button 350.0", "button 350.0"])
    }

    @Test("a touch at a private place has no place if an action that it sets off shows another page first")
    func pageOfAction() throws {
        let lines = try events(
            """
            pages:
              home:
                views:
                  - id: wall
                    frame: [0, 0, 1000, 1000]
                    gestures: [{tap: {taps: 2}, run: log}]
                    views:
                      - {id: pad, frame: [0, 0, 300, 300], private: true}
                      - {id: next, frame: [0, 800, 100, 100], control: button, on: {pressed: {go: other}}}
              other: {views: [{id: field, frame: [0, 0, 1000, 1000]}]}

            """, [("down", 1, 50, 850), ("up", 1, 50, 850), ("down", 1, 50, 50), ("up", 1, 50, 50)])
        #expect(touches(in: lines) == ["began next 50", "ended next 50", "began field", "ended field"])
    }
}
