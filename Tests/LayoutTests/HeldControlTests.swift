import Layout
import Testing
import TouchKitTesting

@Suite("Controls that are held") struct HeldControlTests {
    private func kiosk(_ more: String = "") throws -> Kiosk {
        try Kiosk(
            """
            screen: {size: [1000, 1000]}
            views:
              - id: door
                frame: [0, 0, 100, 100]
                control: button
                multiple-touch: true
                on: {held: open, released: close, pressed: ring}
                \(more)
            handlers: {open: log, close: log, ring: log}
            """)
    }

    @Test("held at the first finger, released at the last, pressed after it")
    func fingers() throws {
        let kiosk = try kiosk()
        kiosk.first.lands(at: 50, 50)
        kiosk.second.lands(at: 60, 60)
        #expect(kiosk.steps == ["held open"])
        kiosk.second.lifts(at: 60, 60)
        #expect(kiosk.steps == ["held open"])
        kiosk.first.lifts(at: 50, 50)
        #expect(kiosk.steps == ["held open", "released close", "pressed ring"])
    }

    @Test("released when the finger is more than 70 points outside, held when it comes back")
    func outside() throws {
        let kiosk = try kiosk()
        kiosk.first.lands(at: 50, 50)
        kiosk.first.moves(to: 160, 50)
        #expect(kiosk.steps == ["held open"])
        kiosk.first.moves(to: 180, 50)
        kiosk.first.moves(to: 160, 50)
        kiosk.first.moves(to: 180, 50)
        kiosk.first.lifts(at: 180, 50)
        #expect(kiosk.steps == ["held open", "released close", "held open", "released close"])
    }

    @Test("released once when the touch is cancelled, or the control disabled")
    func cancelled() throws {
        let kiosk = try kiosk()
        kiosk.first.lands(at: 50, 50)
        kiosk.first.becomesPalm()
        #expect(kiosk.steps == ["held open", "released close"])
        kiosk.first.lands(at: 50, 50)
        try kiosk.scene.setEnabled(false, of: "door")
        #expect(kiosk.steps.suffix(2) == ["held open", "released close"])
        kiosk.first.moves(to: 60, 50)
        kiosk.first.lifts(at: 50, 50)
        #expect(kiosk.steps.count == 4)
    }

    @Test("switch-on and switch-off set a toggle, and reset restores a page")
    func resetPage() throws {
        let kiosk = try Kiosk(
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
        try LayoutCommand.switchOn(view: "light").apply(to: scene)
        try LayoutCommand.switchOn(view: "light").apply(to: scene)
        #expect(try scene.isOn("light"))
        try scene.setHidden(false, of: "hint")
        try scene.setHidden(true, of: "far")
        try scene.setEnabled(false, of: "hint")
        kiosk.taps(at: 55, 5)
        #expect(try !scene.isOn("light") && !scene.isShown("hint") && scene.isEnabled("hint") && !scene.isShown("far"))
        #expect(scene.changedViews.map(\.id) == ["far"])
        #expect(throws: SceneError.noToggle("hint")) { try LayoutCommand.switchOff(view: "hint").apply(to: scene) }
    }
}
