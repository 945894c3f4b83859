import ControlProtocol
import Foundation
import Layout
import Testing
import TouchKit

/// The report of a hypothetical touch at a point of a layout.
@Suite struct HitReportTests {
    private func scene(_ text: String) throws -> Scene {
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
        let scene = Scene(document, application: Application()) { _, _ in Issue.record("a handler ran") }
        scene.activate()
        return scene
    }

    private static let kiosk = """
        screen: {size: [800, 480]}
        on: {ended: log}
        views:
          - id: bar
            frame: [0, 400, 800, 80]
            views:
              - {id: home, frame: [0, 0, 100, 80], control: button, on: {pressed: {go: start}}}
              - {frame: [100, 0, 100, 80], on: {began: log}}
        pages:
          start:
            on: {moved: log}
            views:
              - id: picture
                frame: [0, 0, 400, 400]
                gestures: [{tap: {taps: 2}, id: zoom, run: log}, {pan: , on: {changed: log}}]
                on: {ended: log}
              - {id: veil, frame: [0, 0, 800, 400], passthrough: true}
              - {id: label, frame: [500, 0, 100, 50], redirect: picture}
              - {id: more, frame: [700, 0, 100, 100], on: {ended: {go: other}}}
          other: {views: [{id: back, frame: [0, 0, 50, 50], on: {ended: {go: start}}}]}
        """

    @Test("each asked view has its position in the file and the reason why it was not hit")
    func visits() throws {
        let report = try #require(try scene(Self.kiosk).hit(CGPoint(x: 20, y: 20)))
        #expect(report.view == "picture")
        #expect(
            report.visits.map { "\($0.depth) \($0.view) \($0.reason)" } == [
                "0 window contains the view that takes the touch",
                "1 view 'bar' does not contain the point",
                "1 the page's own view contains the view that takes the touch",
                "2 view 'more' does not contain the point",
                "2 view 'label' does not contain the point",
                "2 view 'veil' passes the touch through",
                "2 view 'picture' takes the touch",
            ])
        #expect(report.visits.last?.location == "kiosk.yaml:13:9")
    }

    @Test("gestures, responder chain and handlers are listed in delivery order")
    func consequences() throws {
        let report = try #require(try scene(Self.kiosk).hit(CGPoint(x: 20, y: 20)))
        #expect(report.page == "start")
        #expect(report.recognizers.map(\.gesture) == ["zoom", "pan"])
        #expect(
            report.responders == ["view 'picture'", "the page's own view", "page 'start'", "window", "application"])
        #expect(
            report.handlers.map { "\($0.trigger) at \($0.at): \($0.handler)" } == [
                "recognized at zoom of view 'picture': log", "changed at pan of view 'picture': log",
                "moved at page 'start': log", "ended at view 'picture': log",
            ])
    }

    @Test("a control's own triggers run, and nothing further up its chain does")
    func control() throws {
        let report = try #require(try scene(Self.kiosk).hit(CGPoint(x: 20, y: 420)))
        #expect(report.handlers.map { "\($0.trigger) at \($0.at): \($0.handler)" } == ["pressed at view 'home': go"])
    }

    @Test("a view that redirects is reported, with the view that receives its touches")
    func redirect() throws {
        let report = try #require(try scene(Self.kiosk).hit(CGPoint(x: 510, y: 10)))
        #expect(report.view == "picture")
        #expect(report.visits.last { $0.outcome == .redirected }?.reason == "redirects the touch to view 'picture'")
    }

    @Test("a view without id is named by its file position")
    func nameless() throws {
        let scene = try scene(Self.kiosk)
        #expect(try #require(scene.hit(CGPoint(x: 150, y: 420))).responders.first == "view at kiosk.yaml:8:9")
        let nothing = try #require(scene.hit(CGPoint(x: 600, y: 300)))
        #expect(nothing.view == nil)
        #expect(nothing.handlers.map(\.at) == ["page 'start'", "application"])
    }

    @Test("the report uses the current scene: another page, a hidden view")
    func now() throws {
        let scene = try scene(Self.kiosk)
        try scene.setHidden(true, of: "picture")
        #expect(try #require(scene.hit(CGPoint(x: 20, y: 20))).visits.last?.reason == "is hidden")
        try scene.go(to: "other")
        #expect(try #require(scene.hit(CGPoint(x: 20, y: 20))).view == "back")
    }

    private static let pinPad = """
        screen: {size: [800, 480]}
        views:
          - {id: back, frame: [0, 0, 800, 480], on: {began: log}}
          - id: pad
            frame: [0, 0, 300, 300]
            private: true
            passthrough: PASSTHROUGH
            on: {ended: log}
            views:
              - {id: key-1, frame: [0, 0, 100, 100], control: button, on: {pressed: log}}
              - {id: keys, frame: [100, 0, 100, 100], views: [{id: key-2, frame: [0, 0, 100, 100], on: {ended: log}}]}
              - {id: key-3, frame: [200, 0, 100, 100], gestures: [{tap: , run: log}]}
          - {id: ring, frame: [400, 0, 100, 100], redirect: key-1}
          - id: frame
            frame: [500, 0, 200, 100]
            redirect: key-1
            views:
              - {id: inner, frame: [0, 0, 50, 100], redirect: key-2}
              - {id: closed, frame: [50, 0, 50, 100], enabled: false, on: {ended: log}}
        """

    @Test(
        "concealed, the report is the same for every state of private keys, also from a view that redirects to one",
        arguments: ["true", "false"],
        [(20.0, 20.0), (120, 20), (220, 20), (250, 250), (420, 20), (520, 20), (570, 20), (650, 20), (750, 400)])
    func concealed(passthrough: String, point: (x: Double, y: Double)) throws {
        let scene = try scene(Self.pinPad.replacing("PASSTHROUGH", with: passthrough))
        func reports() throws -> [HitReport] {
            try [true, false].map {
                try #require(scene.hit(CGPoint(x: point.x, y: point.y), tellsOutside: $0, concealsPrivate: true))
            }
        }
        let before = try reports()
        #expect(!"\(before)".contains("key"))
        for id in ["key-1", "keys", "key-2", "key-3"] {
            let key = try #require(scene.view(withIdentifier: id))
            key.isUserInteractionEnabled = false
            #expect(try reports() == before)
            key.isHidden = true
            #expect(try reports() == before)
        }
    }

    @Test("concealed, a key is reported as its private view, which also takes a touch redirected to the key")
    func concealedKey() throws {
        let scene = try scene(Self.pinPad.replacing("PASSTHROUGH", with: "false"))
        let report = try #require(scene.hit(CGPoint(x: 20, y: 20), concealsPrivate: true))
        #expect(report.view == "pad" && report.path == ["pad"] && report.recognizers.isEmpty)
        #expect(report.visits.map { "\($0.view) \($0.reason)" }.last == "view 'pad' takes the touch")
        #expect(report.handlers.map { "\($0.at) \($0.trigger)" } == ["view 'pad' ended"])
        #expect(try #require(scene.hit(CGPoint(x: 20, y: 20))).view == "key-1")

        let redirected = try #require(scene.hit(CGPoint(x: 570, y: 20), tellsOutside: false, concealsPrivate: true))
        #expect(redirected.view == "pad")
        #expect(
            redirected.visits.map { "\($0.view) \($0.reason)" }.suffix(2) == [
                "view 'frame' redirects the touch to view 'pad'", "view 'closed' is disabled",
            ])
        try scene.setHidden(true, of: "pad")
        #expect(try #require(scene.hit(CGPoint(x: 570, y: 20), concealsPrivate: true)).view == "back")
    }
}
