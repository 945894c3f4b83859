import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A5 gesture recognizers")
struct GestureRecognizerTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    /// The scene of the rules: a container with a recognizer, and in it `down` and `up`, each with a tap recognizer.
    private func showScene() -> LoggingTap {
        let container = show("container", 0, 0, 300, 300)
        let up = show("up", 0, 0, 300, 100, in: container)
        let down = show("down", 0, 150, 300, 100, in: container)
        for view in [container, up, down] { view.logsHitTests = true }
        let (pinch, tapUp) = (LoggingTap("pinch", log: log), LoggingTap("tapUp", log: log))
        pinch.numberOfTouchesRequired = 2
        container.addGestureRecognizer(pinch)
        up.addGestureRecognizer(tapUp)
        down.addGestureRecognizer(LoggingTap("tapDown", log: log))
        return tapUp
    }

    private var calls: [String] { log.lines.filter { !$0.hasSuffix("pointInside") } }

    @Test("A5.1 A5.2 A5.9 a tap calls recognizers and views of a container in order")
    func order() {
        let tapUp = showScene()

        stage.taps(at: 10, 10)

        #expect(
            calls == [
                "container.hitTest", "down.hitTest", "up.hitTest", "tapUp.shouldReceive", "pinch.shouldReceive",
                "tapUp.began", "pinch.began", "up.began 1", "container.began 1", "tapUp.ended", "pinch.ended",
                "tapUp.action", "up.cancelled 1", "container.cancelled 1",
            ])
        #expect(tapUp.state == .possible)
    }

    @Test("A5.6 A5.10 a recognizer that swallows touchesBegan does not fire, and leaves the touch to the view")
    func swallowed() {
        showScene().swallowsBegan = true

        stage.taps(at: 10, 10)

        #expect(
            calls.dropFirst(3) == [
                "tapUp.shouldReceive", "pinch.shouldReceive", "tapUp.began", "pinch.began", "up.began 1",
                "container.began 1", "tapUp.ended", "pinch.ended", "up.ended 1", "container.ended 1",
            ])
    }

    @Test("A5.3 all recognizers are asked shouldReceive first, and can refuse")
    func shouldReceive() {
        let view = show("view")
        let answers = Answers()
        let (wanting, refusing) = (Puppet("wanting", log: log), LoggingTap("refusing", log: log))
        answers.shouldReceive = { [log] recognizer, _ in
            log.add("asked \(recognizer.name ?? "")")
            return recognizer === wanting
        }
        for recognizer in [refusing, wanting] {
            recognizer.delegate = answers
            view.addGestureRecognizer(recognizer)
        }
        var recognizers: [GestureRecognizer] = []
        view.onTouches = { _, touches, _ in recognizers = touches.first?.gestureRecognizers ?? [] }

        stage.finger(at: 1, 1)

        #expect(log.lines == ["asked refusing", "asked wanting", "view.began 1"])
        #expect(recognizers == [wanting])
    }

    @Test("A5.4 a recognizer sends its action by closure and by target and action")
    func actions() {
        let tap = TapGestureRecognizer { [log] _ in log.add("closure") }
        let target = Responder()
        target.addAction("tapped:") { [log] sender, _ in log.add("action \(sender as? GestureRecognizer === tap)") }
        tap.addTarget(target, action: "tapped:")
        stage.window.addGestureRecognizer(tap)

        stage.taps(at: 1, 1)
        tap.removeTarget(target, action: nil)
        stage.taps(at: 1, 1)

        #expect(log.lines == ["closure", "action true", "closure"])
    }

    @Test("A5.5 a view that does not call super does not block recognizers")
    func viewsDoNotMatter() {
        show("view").passesOn = false
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window tapped") })

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "window tapped", "view.cancelled 1"])
    }

    @Test("A5.7 once a recognizer recognizes, the view's touches are cancelled")
    func cancelsTouches() {
        let view = show("view")
        view.isMultipleTouchEnabled = true
        view.addGestureRecognizer(PanGestureRecognizer { [log] in log.add("pan \($0.state)") })
        let (first, second) = stage.fingers(at: (10, 10), (20, 10))
        stage.send(first.moving(to: 30, 10), second.moving(to: 40, 10))
        first.moves(to: 50, 10)
        stage.send(first.lifting(), second.lifting())

        #expect(log.lines == ["view.began 2", "pan began", "view.cancelled 2", "pan changed", "pan ended"])
    }
}
