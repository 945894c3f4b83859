import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// Controls and gestures of a layout under real touches.
@Suite struct SceneControls {
    @Test("a button is pressed by a finger lifted inside, not far outside")
    func button() throws {
        let kiosk = try Kiosk(view: "control: button, on: {pressed: log}")
        kiosk.taps(at: 50, 50)
        kiosk.first.lands(at: 50, 50)
        kiosk.first.moves(to: 300, 300)
        kiosk.first.lifts(at: 300, 300)
        #expect(kiosk.steps == ["pressed log"])
    }

    @Test("a toggle changes with every press: first its state, then pressed")
    func toggle() throws {
        let kiosk = try Kiosk(
            view: "control: {toggle: {on: true}}, on: {pressed: log, switched-on: log, switched-off: log}")
        #expect(try kiosk.scene.isOn("a"))
        kiosk.taps(at: 50, 50)
        #expect(try kiosk.scene.isOn("a") == false)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps == ["switched-off log", "pressed log", "switched-on log", "pressed log"])
        try kiosk.scene.toggle("a")
        #expect(try kiosk.scene.isOn("a") == false)
        #expect(kiosk.steps.count == 4)
    }

    @Test("within its cooldown after a press a button drops presses, and counts them")
    func cooldown() throws {
        let kiosk = try Kiosk(view: "control: button, cooldown: 500 ms, on: {pressed: log}")
        var dropped = 0
        kiosk.scene.didDropPress = { dropped += 1 }
        kiosk.taps(at: 50, 50)
        kiosk.advanceTime(by: 0.4)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps.count == 1 && dropped == 1)
        kiosk.advanceTime(by: 0.5)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps.count == 2 && dropped == 1)
    }

    @Test("a toggle does not change within its cooldown")
    func toggleCooldown() throws {
        let kiosk = try Kiosk(view: "control: toggle, cooldown: 2 s")
        kiosk.taps(at: 50, 50)
        kiosk.taps(at: 50, 50)
        #expect(try kiosk.scene.isOn("a"))
    }

    private static let repeating = "control: {repeat: {after: 0.5, every: 0.1}}, on: {pressed: log}"

    @Test("a repeating button acts at once, after its delay, then at its interval")
    func repeats() throws {
        let kiosk = try Kiosk(view: Self.repeating)
        kiosk.first.lands(at: 50, 50)
        #expect(kiosk.steps.count == 1)
        kiosk.advanceTime(by: 0.49)
        #expect(kiosk.steps.count == 1)
        kiosk.advanceTime(by: 0.01)
        #expect(kiosk.steps.count == 2)
        kiosk.advanceTime(by: 0.25)
        #expect(kiosk.steps.count == 4)
        kiosk.first.lifts(at: 50, 50)
        kiosk.advanceTime(by: 10)
        #expect(kiosk.steps == Array(repeating: "pressed log", count: 4))
    }

    @Test("it acts equally often when its time comes with a frame, as in a recording")
    func repeatsByFrames() throws {
        let kiosk = try Kiosk(view: Self.repeating)
        kiosk.first.lands(at: 50, 50)
        for _ in 1...75 { kiosk.first.moves(to: 50, 50) }
        #expect(kiosk.steps.count == 4)
    }

    @Test(
        "it stops when the finger leaves, or the button is disabled or removed",
        arguments: ["leaves", "cancelled", "disabled", "hidden", "window"])
    func stops(reason: String) throws {
        let kiosk = try Kiosk(view: Self.repeating)
        kiosk.first.lands(at: 50, 50)
        kiosk.advanceTime(by: 0.55)
        switch reason {
        case "leaves":
            kiosk.first.moves(to: 300, 300)
            kiosk.first.moves(to: 50, 50)
        case "cancelled": kiosk.first.becomesPalm()
        case "disabled": try kiosk.scene.setEnabled(false, of: "a")
        case "hidden": try kiosk.scene.setHidden(true, of: "a")
        default: kiosk.scene.deactivate()
        }
        let count = kiosk.steps.count
        kiosk.advanceTime(by: 5)
        kiosk.first.moves(to: 51, 51)
        kiosk.advanceTime(by: 5)
        #expect(count == 2 && kiosk.steps.count == 2)
    }

    @Test("it stops when its own handler removes it")
    func stopsByItself() throws {
        let kiosk = try Kiosk(view: Self.repeating.replacing("pressed: log", with: "pressed: {hide: a}"))
        kiosk.first.lands(at: 50, 50)
        kiosk.advanceTime(by: 5)
        #expect(kiosk.steps == ["pressed hide"])
    }

    @Test("a gesture runs the steps of its states, and 'run' when it is recognized")
    func gestureStates() throws {
        let states = "{began: log, changed: log, ended: log, cancelled: log}"
        let kiosk = try Kiosk(view: "gestures: [{pan: , run: log, on: \(states)}]", size: 400)
        kiosk.first.lands(at: 50, 50)
        for x in [60.0, 80, 100] { kiosk.first.moves(to: x, 50) }
        kiosk.first.lifts(at: 100, 50)
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
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps == [])
        kiosk.advanceTime(by: 1)
        #expect(kiosk.steps == ["recognized go"])
        kiosk.taps(at: 50, 50)
        kiosk.taps(at: 50, 50)
        kiosk.advanceTime(by: 1)
        #expect(kiosk.steps == ["recognized go", "recognized log"])
        guard case .gesture(let recognizer) = kiosk.occasions[1].cause else {
            Issue.record("the occasion is no gesture's")
            return
        }
        #expect(recognizer.name == "double")
    }

    @Test("gestures that may recognize simultaneously do, and others do not", arguments: [true, false])
    func together(areTogether: Bool) throws {
        let together = areTogether ? ", together-with: turn" : ""
        let kiosk = try Kiosk(
            view: "gestures: [{pinch: , id: zoom, run: log\(together)}, {rotation: , id: turn, run: log}]", size: 400)
        kiosk.first.lands(at: 150, 200)
        kiosk.second.lands(at: 250, 200)
        for step in 1...20 {
            let way = Double(step) * 4
            kiosk.first.moves(to: 150 - way, 200 - way)
            kiosk.second.moves(to: 250 + way, 200 + way)
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
        kiosk.taps(at: 200, 200)
        kiosk.advanceTime(by: 3)
        kiosk.taps(at: 20, 20)
        kiosk.taps(at: 200, 200)
        #expect(kiosk.steps.filter { $0 == "recognized go" }.count == 1)
        #expect(kiosk.steps.first == "ended log")
        #expect(kiosk.scene.currentPages == ["service"])
    }

    @Test("a chord is a number of fingers for a time")
    func chord() throws {
        let kiosk = try Kiosk(view: "gestures: [{chord: {touches: 3, duration: 2}, run: log}]", size: 400)
        for x in [50, 100, 150.0] { kiosk.finger(at: x, 50) }
        kiosk.advanceTime(by: 1.9)
        #expect(kiosk.steps == [])
        kiosk.advanceTime(by: 0.2)
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
