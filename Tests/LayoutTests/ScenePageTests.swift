import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// Pages, screens and their state after a reload.
@Suite struct ScenePages {
    private static let kiosk = """
        screen: {size: [400, 400]}
        views: [{id: bar, frame: [0, 350, 400, 50], on: {ended: {go: one}}}]
        on: {ended: {log: vain}}
        pages:
          one:
            on: {appeared: {log: a1}, disappeared: {log: d1}, began: {log: on-page}}
            views: [{id: next, frame: [0, 0, 100, 100], on: {ended: {go: two}, cancelled: {log: cancelled}}}]
          two:
            on: {appeared: {log: a2}, disappeared: {log: d2}}
            views: [{id: toggle, frame: [0, 0, 100, 100], control: toggle}, {id: box, frame: [200, 0, 50, 50]}]
          never:
            on: {appeared: {go: one}}
        """

    @Test("steps after a change of page run", arguments: ["began", "moved", "cancelled"])
    func stepsAfterGo(trigger: String) throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [100, 100]}
            pages:
              one: {views: [{frame: [0, 0, 50, 50], on: {\(trigger): [{log: before}, {go: two}, {log: after}]}}]}
              two: {views: []}
            """)
        kiosk.play("down 10 10; to 20 20; palm")
        #expect(kiosk.steps == ["log", "go", "log"].map { "\(trigger) \($0)" })
        #expect(kiosk.scene.currentPages == ["two"])
    }

    @Test("a screen shows its first page, and only its views can be touched")
    func firstPage() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        #expect(kiosk.scene.currentPages == ["one"])
        #expect(kiosk.hit(50, 50) == "next")
        #expect(kiosk.scene.view(withIdentifier: "toggle")?.window == nil)
        try kiosk.scene.go(to: "two")
        #expect(kiosk.scene.currentPages == ["two"])
        #expect(kiosk.hit(50, 50) == "toggle")
        #expect(kiosk.hit(50, 370) == "bar")
    }

    @Test("pages disappear and appear in order, then the observer is notified")
    func appearance() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        kiosk.shownPages = []
        kiosk.taps(at: 50, 50)
        #expect(kiosk.steps == ["appeared log", "began log", "ended go", "disappeared log", "appeared log"])
        #expect(kiosk.shownPages == ["two"])
        #expect(kiosk.scene.currentPages == ["two"])
    }

    @Test("unhandled touches of views go to the page, and those of the page to the layout")
    func responderChain() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        kiosk.taps(at: 300, 300)
        #expect(kiosk.steps == ["appeared log", "began log", "ended log"])
        #expect(kiosk.scene.page(of: kiosk.contexts[1].responder) == "one")
        #expect(kiosk.contexts[2].responder === kiosk.application)
    }

    @Test("a finger on a page that disappears is cancelled while its view is still usable")
    func touchesOfAPageThatGoes() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        kiosk.first.lands(at: 50, 50)
        try kiosk.scene.go(to: "two")
        kiosk.first.lifts(at: 50, 50)
        #expect(kiosk.steps == ["appeared log", "began log", "cancelled log", "disappeared log", "appeared log"])
    }

    @Test(
        "a page with 'reset-on-leave' is as at startup when it is shown again, and its 'disappeared' saw it as it was")
    func resetOnLeave() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [99, 99]}
            pages:
              one:
                reset-on-leave: true
                on: {disappeared: {log: left}}
                views: [{id: lamp, frame: [0, 0, 9, 9], control: toggle}, {id: box, frame: [20, 0, 9, 9]}]
              two:
                views: [{id: sound, frame: [0, 0, 9, 9], control: toggle}]
            """)
        var wasOn: Bool?
        kiosk.onStep = { [scene = kiosk.scene] _, _ in wasOn = try? scene.isOn("lamp") }
        try kiosk.scene.toggle("lamp")
        try kiosk.scene.setHidden(true, of: "box")
        try kiosk.scene.go(to: "two")
        try kiosk.scene.toggle("sound")
        #expect(wasOn == true)
        try kiosk.scene.go(to: "one")
        #expect(try !kiosk.scene.isOn("lamp") && kiosk.scene.isShown("box"))
        #expect(try kiosk.scene.isOn("sound"))
        #expect(kiosk.switches == ["lamp on", "lamp off", "sound on"])
    }

    @Test("an unknown page or view is answered with those that exist, the intended one first")
    func unknownNames() throws {
        let scene = try LayoutKiosk(Self.kiosk).scene
        func text(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return "\(error)" }
            return nil
        }
        #expect(text { try scene.go(to: "tow") } == "the layout has no page 'tow'; its pages are two, one, never")
        let box = text { try scene.setHidden(true, of: "bxo") } ?? ""
        #expect(box.hasPrefix("the layout has no view 'bxo'; its views are box, "), "\(box)")
        #expect(text { _ = try scene.isShown("q") }?.hasPrefix("the layout has no view 'q'; its views are ") == true)
        let names = (1...20).map { "v\($0)" }
        #expect(
            "\(UnknownName(.view, "q", known: names))"
                == "the layout has no view 'q'; its views are v1, v2, v3, v4, v5, v6, v7, v8 and 12 more")
        #expect("\(UnknownName(.screen, "q", known: []))" == "the layout has no screen 'q'; its screens have no names")
        #expect(throws: SceneError.noToggle("box")) { try scene.isOn("box") }
    }

    @Test("a page that switches to another as it appears is left at once")
    func goingOn() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        try kiosk.scene.go(to: "never")
        #expect(kiosk.scene.currentPages == ["one"])
    }

    @Test("a page that is asked for during a change is shown after it, and each page disappears as often as it appears")
    func askedForMeanwhile() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [9, 9]}
            pages:
              one: {on: {disappeared: {go: three}}}
              two: {on: {appeared: log, disappeared: log}}
              three: {on: {appeared: log, began: {go: two}}}
            """)
        try kiosk.scene.go(to: "two")
        #expect(kiosk.scene.currentPages == ["three"])
        #expect(kiosk.steps == ["disappeared go", "appeared log", "disappeared log", "appeared log"])
        #expect(kiosk.contexts.last?.responder === kiosk.scene.windows[0].rootViewController)

        try kiosk.scene.go(to: "two")
        try kiosk.scene.go(to: "one")
        #expect(kiosk.steps.suffix(2) == ["appeared log", "disappeared log"])
    }

    @Test("'go' in the 'cancelled' of the page that is left happens after the change")
    func goingBack() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [99, 99]}
            pages:
              start:
                on: {appeared: log, disappeared: log}
                views: [{frame: [0, 0, 50, 50], on: {cancelled: {go: start}}}]
              pay: {on: {appeared: {hide: none}, disappeared: {show: none}}, views: [{id: none, frame: [0, 0, 9, 9]}]}
            """)
        kiosk.first.lands(at: 10, 10)
        kiosk.shownPages = []
        try kiosk.scene.go(to: "pay")
        #expect(
            kiosk.steps == [
                "appeared log", "cancelled go", "disappeared log", "appeared hide", "disappeared show", "appeared log",
            ])
        #expect(kiosk.shownPages == ["pay", "start"])
    }

    @Test("pages that show each other without end stop after 16 more changes")
    func endlessPages() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [99, 99]}
            pages: {one: {on: {began: {go: two}}}, two: {on: {appeared: {go: three}}}, three: {on: {appeared: {go: two}}}}
            """)
        kiosk.taps(at: 5, 5)
        #expect(kiosk.steps == ["began go"] + Array(repeating: "appeared go", count: 17))
    }

    @Test("each screen has a window and page, and devices find it by its name")
    func screens() throws {
        let kiosk = try LayoutKiosk(
            """
            screens: {left: {size: [100, 100]}, right: {size: [50, 200]}}
            views: [{id: clock, frame: [0, 0, 10, 10]}, {id: logo, frame: [0, 0, 10, 10], screen: right}]
            pages:
              start: {views: [{id: a, frame: [20, 20, 10, 10]}]}
              wall: {screen: right, views: [{id: b, frame: [20, 20, 10, 10]}]}
              more: {screen: right, views: [{id: c, frame: [20, 20, 10, 10]}]}
            on: {began: {go: more}}
            """)
        let scene = kiosk.scene
        #expect(scene.windows.map(\.bounds.size) == [CGSize(width: 100, height: 100), CGSize(width: 50, height: 200)])
        #expect(scene.screen(named: nil) === Screen.main && scene.screen(named: "left") === Screen.main)
        #expect(scene.screen(named: "right")?.bounds.size == CGSize(width: 50, height: 200))
        #expect(scene.screen(named: "top") == nil)
        #expect(scene.currentPages == ["start", "wall"])
        #expect(kiosk.hit(5, 5) == "clock" && kiosk.hit(5, 5, onScreen: 1) == "logo")
        try scene.go(to: "more")
        #expect(scene.currentPages == ["start", "more"] && scene.currentPage(onScreen: "right") == "more")
        #expect(kiosk.hit(25, 25) == "a" && kiosk.hit(25, 25, onScreen: 1) == "c")
        // A page that is not shown belongs to its screen too.
        for (view, screen) in [("clock", "left"), ("logo", "right"), ("a", "left"), ("b", "right"), ("c", "right")] {
            #expect(scene.screenName(of: scene.view(withIdentifier: view)) == screen)
        }
        #expect(scene.screenName(of: kiosk.application) == nil && scene.screenName(of: nil) == nil)
    }

    @Test("a deactivated scene ignores touches and leaves no handler at the application")
    func deactivation() throws {
        let kiosk = try LayoutKiosk(Self.kiosk)
        kiosk.first.lands(at: 50, 50)
        kiosk.scene.deactivate()
        kiosk.first.lifts(at: 50, 50)
        kiosk.taps(at: 300, 300)
        #expect(kiosk.steps == ["appeared log", "began log", "cancelled log"])
        #expect(kiosk.application.windows.isEmpty)
    }

    // MARK: Reload

    @Test("a reload keeps the page and the state of views")
    func adoptedState() throws {
        let first = try LayoutKiosk(Self.kiosk)
        try first.scene.go(to: "two")
        try first.scene.setHidden(true, of: "bar")
        try first.scene.setEnabled(false, of: "box")
        try first.scene.toggle("toggle")

        let second = try LayoutKiosk(Self.kiosk, replacing: first)

        #expect(second.steps == [] && second.switches == [])
        #expect(second.scene.currentPages == ["two"])
        #expect(try second.scene.isShown("bar") == false)
        #expect(try second.scene.isEnabled("box") == false)
        #expect(try second.scene.isOn("toggle"))
        let third = try LayoutKiosk(Self.kiosk, replacing: second)
        #expect(try third.scene.isShown("bar") == false && third.scene.isOn("toggle"))
    }

    @Test("a reload keeps cooldowns and toggles, those without an id by their places")
    func adoptedControls() throws {
        func layout(_ more: String) -> String {
            """
            screen: {size: [400, 400]}
            views:
              - {frame: [200, 0, 200, 200], views: [\(more){frame: [0, 0, 50, 50], control: toggle}]}
              - {id: b, frame: [0, 0, 50, 50], control: button, cooldown: 10 s, on: {pressed: log}}
              - {frame: [0, 100, 50, 50], control: button, cooldown: 10 s, on: {pressed: {log: unnamed}}}
            """
        }
        let first = try LayoutKiosk(layout("{frame: [50, 0, 50, 50], control: toggle}, "))
        first.play("tap 210 10; tap 10 10; tap 10 110")
        #expect(first.steps.count == 2 && first.switches == ["- on"])
        let second = try LayoutKiosk(layout("{frame: [100, 0, 50, 50], control: toggle}, "), replacing: first)
        second.play("tap 10 10; tap 10 110; tap 210 10")
        #expect(second.steps == [] && second.droppedPresses == 2 && second.switches == ["- off"])
        second.play("wait 10; tap 10 10; tap 10 110; tap 310 10")
        #expect(second.steps.count == 2 && second.switches == ["- off", "- on"])
    }

    @Test("a page that a reload removes disappears; a page that it asks for comes after the new layout's")
    func removedPage() throws {
        func layout(_ more: String) -> String {
            """
            screen: {size: [99, 99]}
            pages:
              start: {on: {appeared: log, disappeared: log}}
              menu: {on: {appeared: log}}
              \(more)
            """
        }
        let first = try LayoutKiosk(layout("pay: {on: {appeared: log, disappeared: {go: menu}}}"))
        try first.scene.go(to: "pay")
        let second = try LayoutKiosk(layout(""), replacing: first)
        #expect(first.steps == ["appeared log", "disappeared log", "appeared log", "disappeared go"])
        #expect(second.steps == ["appeared log", "disappeared log", "appeared log"])
        #expect(second.shownPages == ["start", "menu"])
    }

    @Test("changes in the file override earlier changes; removed views lose theirs")
    func changedFile() throws {
        let first = try LayoutKiosk(Self.kiosk)
        try first.scene.go(to: "two")
        try first.scene.setHidden(true, of: "bar")
        try first.scene.toggle("toggle")
        let changed = """
            screen: {size: [400, 400]}
            views: [{id: bar, frame: [0, 350, 400, 50], hidden: true}]
            pages:
              one: {on: {appeared: {log: a1}}, views: [{id: toggle, frame: [0, 0, 9, 9], control: {toggle: {on: true}}}]}
            """

        let second = try LayoutKiosk(changed, replacing: first)

        #expect(second.scene.currentPages == ["one"])
        #expect(second.steps == ["appeared log"])
        #expect(try second.scene.isShown("bar") == false)
        #expect(try second.scene.isOn("toggle"))
        let third = try LayoutKiosk(Self.kiosk, replacing: second)
        #expect(try third.scene.isShown("bar"))
    }
}
