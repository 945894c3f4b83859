import ControlProtocol
import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// Controls and gestures of a layout under real touches.
@Suite struct SceneControls {
    private nonisolated static let repeating = "control: {repeat: {after: 0.5, every: 0.1}}, on: {pressed: log}"
    private nonisolated static let held = "control: button, on: {held: log, released: log, pressed: log}"
    private nonisolated static let states = "{began: log, changed: log, ended: log, cancelled: log}"

    @Test(
        "what fingers do on a view of 100 points runs the steps of its control or gesture",
        arguments: [
            // A button is pressed by a finger lifted inside, not far outside.
            ("control: button, on: {pressed: log}", "tap 50 50; down 50 50; to 300 300; up", ["pressed log"]),
            // A repeating button acts at once, after its delay, then at its interval, until the finger lifts.
            (repeating, "down 50 50; wait 0.49", ["pressed log"]),
            (repeating, "down 50 50; wait 0.5", Array(repeating: "pressed log", count: 2)),
            (repeating, "down 50 50; wait 0.75; up; wait 10", Array(repeating: "pressed log", count: 4)),
            // It acts equally often when its time comes with a frame, as in a recording.
            (
                repeating, "down 50 50" + String(repeating: "; to 50 50", count: 75),
                Array(repeating: "pressed log", count: 4)
            ),
            // It stops when the finger leaves, the touch is cancelled, or its own handler hides it.
            (
                repeating, "down 50 50; wait 0.55; to 300 300; to 50 50; wait 5; to 51 51; wait 5",
                ["pressed log", "pressed log"]
            ),
            (repeating, "down 50 50; wait 0.55; palm; wait 5", ["pressed log", "pressed log"]),
            (repeating.replacing("log", with: "{hide: a}"), "down 50 50; wait 5", ["pressed hide"]),
            // A held button is released when the finger is more than 70 points outside, and held when it comes back.
            (held, "down 50 50; to 160 50; up", ["held log", "released log", "pressed log"]),
            (
                held, "down 50 50; to 180 50; to 160 50; to 180 50; up",
                ["held log", "released log", "held log", "released log"]
            ),
            (held, "down 50 50; palm", ["held log", "released log"]),
            // A gesture runs the steps of its states, and 'run' when it is recognized.
            (
                "gestures: [{pan: , run: log, on: \(states)}]", "down 50 50; to 60 50; to 80 50; to 95 50; up",
                ["began log", "recognized log", "changed log", "changed log", "ended log"]
            ),
        ])
    func played(keys: String, script: String, steps: [String]) throws {
        let kiosk = try LayoutKiosk(view: keys)
        kiosk.play(script)
        #expect(kiosk.steps == steps)
    }

    @Test("a toggle changes with every press: first its state, then pressed")
    func toggle() throws {
        let kiosk = try LayoutKiosk(
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

    @Test("within its cooldown after a press a control drops presses, and counts them")
    func cooldown() throws {
        let kiosk = try LayoutKiosk(view: "control: toggle, cooldown: 500 ms, on: {pressed: log}")
        kiosk.play("tap 50 50; wait 0.4; tap 50 50")
        #expect(kiosk.steps.count == 1 && kiosk.droppedPresses == 1)
        #expect(try kiosk.scene.isOn("a"))
        kiosk.play("wait 0.5; tap 50 50")
        #expect(kiosk.steps.count == 2 && kiosk.droppedPresses == 1)
    }

    @Test(
        "a repeating button stops when it is disabled, hidden or removed",
        arguments: [
            { try $0.setEnabled(false, of: "a") }, { try $0.setHidden(true, of: "a") }, { $0.deactivate() },
        ] as [@MainActor @Sendable (Scene) throws -> Void])
    func stops(change: @MainActor @Sendable (Scene) throws -> Void) throws {
        let kiosk = try LayoutKiosk(view: Self.repeating)
        kiosk.play("down 50 50; wait 0.55")
        try change(kiosk.scene)
        kiosk.play("wait 5; to 51 51; wait 5")
        #expect(kiosk.steps == ["pressed log", "pressed log"])
    }

    @Test("a held button is released once when it is disabled")
    func disabledWhileHeld() throws {
        let kiosk = try LayoutKiosk(view: Self.held)
        kiosk.play("down 50 50")
        try kiosk.scene.setEnabled(false, of: "a")
        #expect(kiosk.steps == ["held log", "released log"])
        kiosk.play("to 60 50; up")
        #expect(kiosk.steps.count == 2)
    }

    @Test("held at the first finger, released at the last, pressed after it")
    func fingers() throws {
        let kiosk = try LayoutKiosk(
            view: "control: button, multiple-touch: true, on: {held: log, released: log, pressed: log}")
        kiosk.first.lands(at: 50, 50)
        kiosk.second.lands(at: 60, 60)
        kiosk.second.lifts()
        #expect(kiosk.steps == ["held log"])
        kiosk.first.lifts()
        #expect(kiosk.steps == ["held log", "released log", "pressed log"])
    }

    @Test("switch-on and switch-off set a toggle, and reset restores a page")
    func resetPage() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [100, 100]}
            pages:
              start:
                views:
                  - {id: light, frame: [0, 0, 10, 10], control: toggle}
                  - {id: hint, frame: [0, 0, 10, 10], hidden: true}
                  - {id: off, frame: [50, 0, 10, 10], control: button, on: {pressed: {reset: start}}}
              other: {views: [{id: far, frame: [0, 0, 10, 10]}], on: {appeared: {switch-on: light}}}
            idle: {after: 60, run: {go: other}}
            """)
        let scene = kiosk.scene
        try LayoutCommand.named(.switchOn, "light").apply(to: scene)
        try LayoutCommand.named(.switchOn, "light").apply(to: scene)
        #expect(try scene.isOn("light"))
        try scene.setHidden(false, of: "hint")
        try scene.setHidden(true, of: "far")
        try scene.setEnabled(false, of: "hint")
        kiosk.taps(at: 55, 5)
        #expect(try !scene.isOn("light") && !scene.isShown("hint") && scene.isEnabled("hint") && !scene.isShown("far"))
        #expect(scene.changedViews.map(\.id) == ["far"])
        #expect(throws: SceneError.noToggle("hint")) { try LayoutCommand.named(.switchOff, "hint").apply(to: scene) }
    }

    @Test("a gesture with parameters, and one that waits for another to fail")
    func gestureRelations() throws {
        let kiosk = try LayoutKiosk(
            view: """
                gestures: [
                  {tap: {taps: 2}, id: double, run: {reload: true}},
                  {tap: {}, id: single, after-failure-of: double, run: {log: single}}]
                """)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps == [])
        kiosk.advanceTime(by: 1)
        #expect(kiosk.steps == ["recognized log"])
        kiosk.play("tap 50 50; tap 50 50; wait 1")
        #expect(kiosk.steps == ["recognized log", "recognized reload"])
        guard case .gesture(let recognizer) = kiosk.contexts[1].cause else {
            Issue.record("the event is no gesture's")
            return
        }
        #expect(recognizer.name == "double")
    }

    @Test("gestures that may recognize simultaneously do, and others do not", arguments: [true, false])
    func together(areTogether: Bool) throws {
        let together = areTogether ? ", together-with: turn" : ""
        let kiosk = try LayoutKiosk(
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
        let kiosk = try LayoutKiosk(
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
        kiosk.play("tap 200 200; wait 3; tap 20 20; tap 200 200")
        #expect(kiosk.steps == ["ended log", "recognized go", "appeared log"])
    }

    @Test("a chord is a number of fingers for a time")
    func chord() throws {
        let kiosk = try LayoutKiosk(view: "gestures: [{chord: {touches: 3, duration: 2}, run: log}]", size: 400)
        for x in [50, 100, 150.0] { kiosk.finger(at: x, 50) }
        kiosk.advanceTime(by: 1.9)
        #expect(kiosk.steps == [])
        kiosk.advanceTime(by: 0.2)
        #expect(kiosk.steps == ["recognized log"])
    }
}
