import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A5 gesture recognizers")
struct GestureRecognizerTests {
    let stage = Stage()
    let log = CallLog()

    /// The scene of the rules: a container with a recognizer, and in it `down` and `up`, each with a tap recognizer.
    private func scene() -> (container: RecordingView, up: RecordingView, down: RecordingView, tapUp: LoggingTap) {
        let container = RecordingView("container", CGRect(x: 0, y: 0, width: 300, height: 300), log: log)
        let up = RecordingView("up", CGRect(x: 0, y: 0, width: 300, height: 100), log: log)
        let down = RecordingView("down", CGRect(x: 0, y: 150, width: 300, height: 100), log: log)
        for view in [container, up, down] { view.logsHitTests = true }
        let pinch = LoggingTap("pinch", log: log)
        pinch.numberOfTouchesRequired = 2
        container.addGestureRecognizer(pinch)
        let tapUp = LoggingTap("tapUp", log: log)
        up.addGestureRecognizer(tapUp)
        down.addGestureRecognizer(LoggingTap("tapDown", log: log))
        container.addSubview(up)
        container.addSubview(down)
        stage.window.addSubview(container)
        return (container, up, down, tapUp)
    }

    private var calls: [String] { log.lines.filter { !$0.hasSuffix("pointInside") } }

    @Test("A5.1 A5.2 A5.9 a tap calls recognizers and views of a container in order")
    func order() {
        let scene = scene()

        stage.taps(at: 10, 10)

        #expect(
            calls == [
                "container.hitTest", "down.hitTest", "up.hitTest", "tapUp.shouldReceive", "pinch.shouldReceive",
                "tapUp.began", "pinch.began", "up.began 1", "container.began 1", "tapUp.ended", "pinch.ended",
                "tapUp.action", "up.cancelled 1", "container.cancelled 1",
            ])
        #expect(scene.tapUp.state == .possible)
    }

    @Test("A5.6 A5.10 a recognizer that swallows touchesBegan does not fire, and leaves the touch to the view")
    func swallowed() {
        let scene = scene()
        scene.tapUp.swallowsBegan = true

        stage.taps(at: 10, 10)

        #expect(
            calls.dropFirst(3) == [
                "tapUp.shouldReceive", "pinch.shouldReceive", "tapUp.began", "pinch.began", "up.began 1",
                "container.began 1", "tapUp.ended", "pinch.ended", "up.ended 1", "container.ended 1",
            ])
    }

    @Test("A5.3 all recognizers are asked shouldReceive first, and can refuse")
    func shouldReceive() {
        let view = RecordingView("view", stage.screen.bounds, log: log)
        let answers = Answers()
        let (wanting, refusing) = (Puppet("wanting", log: log), LoggingTap("refusing", log: log))
        answers.shouldReceive = { [log] recognizer, _ in
            log.add("asked \(recognizer.name ?? "")")
            return recognizer === wanting
        }
        wanting.delegate = answers
        refusing.delegate = answers
        view.addGestureRecognizer(refusing)
        view.addGestureRecognizer(wanting)
        stage.window.addSubview(view)
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
        let view = RecordingView("view", stage.screen.bounds, log: log)
        view.passesOn = false
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window tapped") })
        stage.window.addSubview(view)

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "window tapped", "view.cancelled 1"])
    }

    @Test("A5.7 once a recognizer recognizes, the view's touches are cancelled")
    func cancelsTouches() {
        let view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        let pan = PanGestureRecognizer { [log] in log.add("pan \($0.state)") }
        view.addGestureRecognizer(pan)
        stage.window.addSubview(view)
        let (first, second) = stage.fingers(at: (10, 10), (20, 10))
        stage.send(first.moving(to: 30, 10), second.moving(to: 40, 10))
        first.moves(to: 50, 10)
        stage.send(first.lifting(at: 50, 10), second.lifting(at: 40, 10))

        #expect(log.lines == ["view.began 2", "pan began", "view.cancelled 2", "pan changed", "pan ended"])
    }
}
