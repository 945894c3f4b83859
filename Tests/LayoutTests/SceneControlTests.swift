import Foundation
import Layout
import Testing
import TouchKit

/// Controls and gestures of a layout under real touches.
@Suite struct SceneControls {
    @Test("a button is pressed by a finger lifted inside, not far outside")
    func button() throws {
        let kiosk = try Kiosk(
            "screen: {size: [400, 400]}\nviews: [{id: a, frame: [0, 0, 100, 100], control: button, on: {pressed: log}}]\n"
        )
        kiosk.tap(50, 50)
        kiosk.down(50, 50)
        kiosk.move(300, 300)
        kiosk.lift(300, 300)
        #expect(kiosk.steps == ["pressed log"])
    }

    @Test("a toggle changes with every press: first its state, then pressed")
    func toggle() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: a
                frame: [0, 0, 100, 100]
                control: {toggle: {on: true}}
                on: {pressed: log, switched-on: log, switched-off: log}
            """)
        #expect(try kiosk.scene.isOn("a"))
        kiosk.tap(50, 50)
        #expect(try kiosk.scene.isOn("a") == false)
        kiosk.tap(50, 50)
        #expect(kiosk.steps == ["switched-off log", "pressed log", "switched-on log", "pressed log"])
        try kiosk.scene.toggle("a")
        #expect(try kiosk.scene.isOn("a") == false)
        #expect(kiosk.steps.count == 4)
    }

    private static let repeating = """
        screen: {size: [400, 400]}
        views:
          - {id: a, frame: [0, 0, 100, 100], control: {repeat: {after: 0.5, every: 0.1}}, on: {pressed: log}}
        """

    @Test("a repeating button acts at once, after its delay, then at its interval")
    func repeats() throws {
        let kiosk = try Kiosk(Self.repeating)
        kiosk.down(50, 50)
        #expect(kiosk.steps.count == 1)
        kiosk.wait(0.49)
        #expect(kiosk.steps.count == 1)
        kiosk.wait(0.01)
        #expect(kiosk.steps.count == 2)
        kiosk.wait(0.25)
        #expect(kiosk.steps.count == 4)
        kiosk.lift(50, 50)
        kiosk.wait(10)
        #expect(kiosk.steps == Array(repeating: "pressed log", count: 4))
    }

    @Test("it acts equally often when its time comes with a frame, as in a recording")
    func repeatsByFrames() throws {
        let kiosk = try Kiosk(Self.repeating)
        kiosk.down(50, 50)
        for _ in 1...75 { kiosk.move(50, 50) }
        #expect(kiosk.steps.count == 4)
    }

    @Test(
        "it stops when the finger leaves, or the button is disabled or removed",
        arguments: ["leaves", "cancelled", "disabled", "hidden", "window"])
    func stops(reason: String) throws {
        let kiosk = try Kiosk(Self.repeating)
        kiosk.down(50, 50)
        kiosk.wait(0.55)
        switch reason {
        case "leaves":
            kiosk.move(300, 300)
            kiosk.move(50, 50)
        case "cancelled": kiosk.cancel(50, 50)
        case "disabled": try kiosk.scene.setEnabled(false, of: "a")
        case "hidden": try kiosk.scene.setHidden(true, of: "a")
        default: kiosk.scene.deactivate()
        }
        let count = kiosk.steps.count
        kiosk.wait(5)
        kiosk.move(51, 51)
        kiosk.wait(5)
        #expect(count == 2 && kiosk.steps.count == 2)
    }

    @Test("it stops when its own handler removes it")
    func stopsByItself() throws {
        let kiosk = try Kiosk(Self.repeating.replacing("pressed: log", with: "pressed: {hide: a}"))
        kiosk.down(50, 50)
        kiosk.wait(5)
        #expect(kiosk.steps == ["pressed hide"])
    }

    @Test("a gesture runs the steps of its states, and 'run' when it is recognized")
    func gestureStates() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: a
                frame: [0, 0, 400, 400]
                gestures:
                  - {pan: , run: log, on: {began: log, changed: log, ended: log, cancelled: log}}
            """)
        kiosk.down(50, 50)
        for x in [60.0, 80, 100] { kiosk.move(x, 50) }
        kiosk.lift(100, 50)
        #expect(kiosk.steps == ["began log", "recognized log", "changed log", "changed log", "ended log"])
    }

    @Test("a gesture with parameters, and one that waits for another to fail")
    func gestureRelations() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: a
                frame: [0, 0, 400, 400]
                gestures:
                  - {tap: {taps: 2}, id: double, run: {log: double}}
                  - {tap: {}, id: single, after-failure-of: double, run: {go: two}}
            pages: {one: {on: {began: log}}, two: {on: {began: log}}}
            """)
        kiosk.tap(50, 50)
        #expect(kiosk.steps == [])
        kiosk.wait(1)
        #expect(kiosk.steps == ["recognized go"])
        kiosk.tap(50, 50)
        kiosk.tap(50, 50)
        kiosk.wait(1)
        #expect(kiosk.steps == ["recognized go", "recognized log"])
        guard case .gesture(let recognizer) = kiosk.occasions[1].cause else {
            Issue.record("the occasion is no gesture's")
            return
        }
        #expect(recognizer.name == "double")
    }

    @Test("gestures that may recognize simultaneously do, and others do not", arguments: [true, false])
    func together(areTogether: Bool) throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: a
                frame: [0, 0, 400, 400]
                gestures:
                  - {pinch: , id: zoom, run: log\(areTogether ? ", together-with: turn" : "")}
                  - {rotation: , id: turn, run: log}
            """)
        kiosk.down(150, 200, finger: 1)
        kiosk.down(250, 200, finger: 2)
        for step in 1...20 {
            let way = Double(step) * 4
            kiosk.move(150 - way, 200 - way, finger: 1)
            kiosk.move(250 + way, 200 + way, finger: 2)
        }
        #expect(Set(kiosk.steps) == ["recognized log"])
        #expect(kiosk.steps.count == (areTogether ? 2 : 1))
    }

    @Test("a sequence is views tapped in order, and does not affect them")
    func sequence() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            pages:
              one:
                views:
                  - id: all
                    frame: [0, 0, 400, 400]
                    gestures: [{sequence: {views: [corner, middle], within: 2}, run: {go: service}}]
                    views:
                      - {id: corner, frame: [0, 0, 50, 50], on: {ended: log}}
                      - {frame: [100, 100, 200, 200], views: [{id: middle, frame: [50, 50, 100, 100]}]}
              service: {on: {appeared: log}}
            """)
        kiosk.tap(200, 200)
        kiosk.wait(3)
        kiosk.tap(20, 20)
        kiosk.tap(200, 200)
        #expect(kiosk.steps.filter { $0 == "recognized go" }.count == 1)
        #expect(kiosk.steps.first == "ended log")
        #expect(kiosk.scene.currentPages == ["service"])
    }

    @Test("a chord is a number of fingers for a time")
    func chord() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: a, frame: [0, 0, 400, 400], gestures: [{chord: {touches: 3, duration: 2}, run: log}]}
            """)
        for finger in 1...3 { kiosk.down(Double(finger) * 50, 50, finger: UInt32(finger)) }
        kiosk.wait(1.9)
        #expect(kiosk.steps == [])
        kiosk.wait(0.2)
        #expect(kiosk.steps == ["recognized log"])
    }

    @Test("arguments and steps keep the order of the file")
    func steps() throws {
        let kiosk = try Kiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: a, frame: [0, 0, 9, 9], on: {began: [first, {log: "{view}"}, {run: second, with: {digit: "5"}}]}}
            handlers: {first: {log: First}, second: {log: "{digit}"}}
            """)
        let steps = kiosk.scene.document.views[0].on.map(\.step)
        #expect(steps.map(\.name) == ["first", "log", "second"])
        guard case .run("second", let arguments) = steps[2].kind else {
            Issue.record("the last step runs no handler")
            return
        }
        #expect(arguments["digit"]?.filled { _ in nil } == "5")
    }
}
