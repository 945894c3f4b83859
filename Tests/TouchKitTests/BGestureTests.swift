import Evdev
import Foundation
import Testing

@testable import TouchKit

@Suite("B recognizers and each other")
struct BGestureTests {
    typealias State = GestureRecognizer.State

    let stage = Stage()
    let log = CallLog()
    let view: RecordingView

    init() {
        view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        stage.window.addSubview(view)
    }

    private func puppet(_ name: String) -> Puppet {
        let puppet = Puppet(name, log: log)
        view.addGestureRecognizer(puppet)
        return puppet
    }

    @Test("B5 the steps the documents have are allowed, and no others")
    func transitions() {
        let states: [State] = [.possible, .began, .changed, .ended, .cancelled, .failed]
        let allowed: [State: Set<State>] = [
            .possible: [.possible, .began, .ended, .failed], .began: [.changed, .ended, .cancelled],
            .changed: [.changed, .ended, .cancelled],
        ]

        for old in states {
            for new in states { #expect(old.allows(new) == allowed[old, default: []].contains(new), "\(old) \(new)") }
        }
    }

    @Test("B5 a recognizer is reset to possible once all its touches are gone, and not before")
    func resetting() {
        let puppet = puppet("p")
        let (first, second) = (stage.finger(), stage.finger())
        first.down(at: 1, 1)
        second.down(at: 2, 2)

        puppet.state = .ended
        first.lift(at: 1, 1)
        #expect(puppet.state == .ended && !log.lines.contains("p reset"))
        second.lift(at: 2, 2)

        #expect(puppet.state == .possible && log.lines.last == "p reset")
    }

    @Test("B5 after its end nothing counts until the reset; cancelled stands for failed where that fits, and back")
    func forgivenSteps() {
        let (failing, cancelling) = (puppet("failing"), puppet("cancelling"))
        failing.prevents = false
        stage.finger().down(at: 1, 1)

        failing.state = .cancelled
        #expect(failing.state == .failed)
        failing.state = .began
        #expect(failing.state == .failed)
        cancelling.state = .began
        cancelling.state = .failed

        #expect(cancelling.state == .cancelled)
        #expect(log.lines.filter { $0.hasPrefix("cancelling") } == ["cancelling began", "cancelling cancelled"])
    }

    @Test("B2 a recognizer added after a touch began does not see it")
    func addedLater() {
        let finger = stage.finger()
        finger.down(at: 1, 1)
        let tap = LoggingTap("tap", log: log)

        view.addGestureRecognizer(tap)
        finger.lift(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("B5 turning a recognizer off in the middle of its gesture cancels it, and it is given nothing more")
    func turnedOff() {
        let pan = PanGestureRecognizer { [log] in log.add("pan \($0.state)") }
        view.addGestureRecognizer(pan)
        let finger = stage.finger()
        finger.down(at: 1, 1)
        finger.move(to: 50, 1)

        pan.isEnabled = false
        finger.move(to: 60, 1)
        finger.lift(at: 60, 1)
        stage.finger().tap(at: 1, 1)

        #expect(
            log.lines == [
                "view.began 1", "pan began", "view.cancelled 1", "pan cancelled", "view.began 1", "view.ended 1",
            ])
    }

    @Test("B6 the defaults: touches in the view are cancelled, beginnings are not delayed, ends are")
    func defaults() {
        let recognizer = GestureRecognizer()

        #expect(recognizer.cancelsTouchesInView && !recognizer.delaysTouchesBegan && recognizer.delaysTouchesEnded)
        #expect(recognizer.isEnabled && recognizer.state == .possible)
    }

    @Test("B6 without cancelsTouchesInView the view hears its touches to the end")
    func notCancelling() {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap") }
        tap.cancelsTouchesInView = false
        view.addGestureRecognizer(tap)

        stage.finger().tap(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tap", "view.ended 1"])
    }

    @Test("B6 touchesEnded is held back while a recognizer is possible, and comes when it fails")
    func heldEndFails() {
        let tap = TapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        var reports: [Touch.Phase] = []
        stage.application.didDeliver = { reports.append($0.phase) }

        stage.finger().tap(at: 1, 1)
        #expect(log.lines == ["view.began 1"])
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock + 349_999))
        #expect(log.lines == ["view.began 1"] && reports == [.began])
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock + 350_001))

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(reports == [.began, .ended] && stage.application.touches.active.isEmpty)
    }

    @Test("B6 an end held back becomes touchesCancelled when the recognizer recognizes, for the first tap too")
    func heldEndRecognizes() {
        let tap = TapGestureRecognizer { [log] _ in log.add("double") }
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        var reports: [String] = []
        stage.application.didDeliver = { reports.append("\($0.touch.id) \($0.phase)") }

        stage.finger().tap(at: 1, 1)
        stage.finger().tap(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.began 1", "double", "view.cancelled 2"])
        #expect(reports == ["1 began", "2 began", "1 ended", "2 ended"])
    }

    @Test("B6 with delaysTouchesBegan the view hears of the touch when the recognizer has failed, or never")
    func delayedBegan() {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap") }
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
        let (tapping, dragging) = (stage.finger(), stage.finger())

        tapping.tap(at: 1, 1)
        #expect(log.lines == ["tap"])
        dragging.down(at: 1, 1)
        #expect(log.lines == ["tap"])
        dragging.move(to: 100, 1)
        dragging.move(to: 110, 1)
        dragging.lift(at: 110, 1)

        #expect(log.lines == ["tap", "view.began 1", "view.moved 1", "view.ended 1"])
    }

    @Test("B6 an end held back is a cancel when the view goes, or everything is cancelled", arguments: [true, false])
    func heldEndCancelled(byRemoval: Bool) {
        let tap = TapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        stage.finger().tap(at: 1, 1)

        if byRemoval { view.removeFromSuperview() } else { stage.application.cancelAllTouches() }
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock + 1_000_000))

        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("B7 a single tap that requires a double tap to fail comes when the pause is over")
    func requireToFail() {
        let (single, double) = (
            TapGestureRecognizer { [log] _ in log.add("single") },
            TapGestureRecognizer { [log] _ in log.add("double") }
        )
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        stage.window.addGestureRecognizer(single)
        stage.window.addGestureRecognizer(double)
        view.removeFromSuperview()

        stage.finger().tap(at: 1, 1)
        #expect(log.lines.isEmpty)
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock + 400_000))
        #expect(log.lines == ["single"])
        stage.clock += 1_000_000
        stage.finger().tap(at: 1, 1)
        stage.finger().tap(at: 1, 1)
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock + 1_000_000))

        #expect(log.lines == ["single", "double"])
    }

    @Test("B7 the requirement can be dynamic, from either side, by delegate", arguments: [true, false])
    func dynamicRequirement(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        let answers = Answers()
        if byFirst {
            answers.requireFailure = { $0 === first && $1 === second }
            first.delegate = answers
        } else {
            answers.requiredToFail = { $0 === second && $1 === first }
            second.delegate = answers
        }
        stage.finger().down(at: 1, 1)
        log.clear()

        first.state = .began
        #expect(first.state == .possible && log.lines.isEmpty)
        second.state = .failed

        #expect(first.state == .began && log.lines == ["first began", "view.cancelled 1"])
    }

    @Test("B7 if the one that must fail recognizes, the one that waits fails")
    func requirementRecognizes() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.require(toFail: second)
        first.isPreventable = false
        stage.finger().down(at: 1, 1)

        first.state = .ended
        second.state = .began

        #expect(first.state == .failed && second.state == .began)
    }

    @Test("B8 once one recognizes, the others that share its touch fail")
    func exclusion() {
        let (first, second) = (puppet("first"), puppet("second"))
        stage.finger().down(at: 1, 1)

        second.state = .began
        #expect(first.state == .failed)
        first.state = .began

        #expect(first.state == .failed && second.state == .began)
    }

    @Test("B8 both recognize if either's delegate says so", arguments: [true, false])
    func simultaneous(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        let answers = Answers()
        answers.simultaneously = { _, _ in true }
        (byFirst ? first : second).delegate = answers
        stage.finger().down(at: 1, 1)

        first.state = .began
        second.state = .began

        #expect(first.state == .began && second.state == .began)
    }

    @Test("B8 a class may say that it prevents nothing, or cannot be prevented", arguments: [true, false])
    func prevention(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        if byFirst { first.prevents = false } else { second.isPreventable = false }
        stage.finger().down(at: 1, 1)

        first.state = .began

        #expect(second.state == .possible)
    }

    @Test("B8 recognizers that share no touch do not disturb each other")
    func noSharedTouch() {
        let left = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let right = View(frame: CGRect(x: 100, y: 0, width: 100, height: 100))
        let (first, second) = (Puppet("first", log: log), Puppet("second", log: log))
        left.addGestureRecognizer(first)
        right.addGestureRecognizer(second)
        stage.window.addSubview(left)
        stage.window.addSubview(right)
        stage.finger().down(at: 1, 1)
        stage.finger().down(at: 101, 1)

        first.state = .began
        second.state = .began

        #expect(first.state == .began && second.state == .began)
    }

    @Test("B9 shouldBegin is asked on leaving possible, not on failing; a no is a failure, the view's too")
    func shouldBegin() {
        final class Refusing: View {
            override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
                recognizer.view !== self
            }
        }
        let (refused, failing) = (puppet("refused"), puppet("failing"))
        let answers = Answers()
        var asked: [String] = []
        answers.shouldBegin = { recognizer in
            asked.append(recognizer.name ?? "")
            return false
        }
        refused.delegate = answers
        failing.delegate = answers
        let refusing = Refusing(frame: view.bounds)
        let inner = Puppet("inner", log: log)
        refusing.addGestureRecognizer(inner)
        view.addSubview(refusing)
        stage.finger().down(at: 1, 1)

        failing.state = .failed
        refused.state = .began
        inner.state = .began

        #expect(asked == ["refused"])
        #expect(refused.state == .failed && inner.state == .failed)
    }

    @Test("B9 a control refuses single taps of its superviews, and has the tap itself; double taps it does not refuse")
    func controlsRefuse() {
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        button.addHandler(for: .primaryActionTriggered) { [log] _, _ in log.add("button") }
        stage.window.addSubview(button)
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window single") })
        let double = TapGestureRecognizer { [log] _ in log.add("window double") }
        double.numberOfTapsRequired = 2
        stage.window.addGestureRecognizer(double)
        double.delaysTouchesEnded = false

        stage.finger().tap(at: 1, 1)
        #expect(log.lines == ["button"])
        stage.finger().tap(at: 1, 1)

        #expect(log.lines == ["button", "window double"])
    }

    @Test("A recognizer that ignores a touch leaves it to the view")
    func ignoring() {
        final class Ignoring: GestureRecognizer {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
                for touch in touches { ignore(touch, for: event) }
            }
        }
        let recognizer = Ignoring()
        view.addGestureRecognizer(recognizer)

        stage.finger().tap(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(recognizer.numberOfTouches == 0)
    }

    @Test("B5 a recognizer whose gesture is over is not failed by one that goes on with the same touch")
    func overIsOver() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.awaits = true
        let finger = stage.finger()
        finger.tap(at: 1, 1)

        first.state = .ended
        #expect(second.state == .possible)
        second.reset()
        log.clear()
        stage.finger().down(at: 1, 1)
        second.state = .began

        #expect(second.state == .began)
    }

    @Test("B6 a view that cancels everything when it loses its touch does not make another be told twice")
    func cancellingWhileTaken() {
        let left = RecordingView("left", CGRect(x: 0, y: 0, width: 100, height: 100), log: log)
        let right = RecordingView("right", CGRect(x: 100, y: 0, width: 100, height: 100), log: log)
        for side in [left, right] {
            side.passesOn = false
            view.addSubview(side)
        }
        left.onTouches = { [stage] phase, _, _ in if phase == .cancelled { stage.application.cancelAllTouches() } }
        let puppet = puppet("p")
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.began(at: 1, 1), second.began(at: 101, 1))
        log.clear()

        puppet.state = .began

        #expect(log.lines.filter { $0.hasSuffix("cancelled 1") } == ["left.cancelled 1", "right.cancelled 1"])
    }

    @Test("B6 two touches held back are released in order, each with its end before the next")
    func releaseOrder() {
        let delaying = puppet("delaying")
        delaying.delaysTouchesBegan = true
        let (first, second) = (stage.finger(), stage.finger())
        delaying.awaits = true
        first.tap(at: 1, 1)
        second.down(at: 2, 2)
        #expect(log.lines.isEmpty)

        delaying.awaits = false
        delaying.state = .failed
        second.lift(at: 2, 2)

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1", "view.ended 1", "delaying reset"])
    }

    @Test("B5 an action is called with the state it is for, though another action has ended the gesture")
    func actionStates() {
        let (first, second) = (puppet("first"), puppet("second"))
        let answers = Answers()
        answers.simultaneously = { _, _ in true }
        first.delegate = answers
        first.addHandler { recognizer in
            if recognizer.state == .began { second.isEnabled = false }
        }
        view.addGestureRecognizer(Both(first, second))
        let finger = stage.finger()
        finger.down(at: 1, 1)

        finger.move(to: 2, 2)

        #expect(
            log.lines.filter { $0.hasPrefix("second") } == ["second began", "second cancelled", "second reset"])
    }

    @Test("B5 an action that turns off a recognizer whose gesture has ended by then does not cancel it after its end")
    func endedIsNotCancelled() {
        let puppet = puppet("p")
        puppet.addHandler { recognizer in
            if recognizer.state == .began { recognizer.isEnabled = false }
        }
        view.addGestureRecognizer(BeginsAndEnds(puppet))
        let finger = stage.finger()
        finger.down(at: 1, 1)

        finger.move(to: 2, 2)

        #expect(log.lines.filter { $0.hasPrefix("p") } == ["p began", "p ended", "p reset"])
    }

    /// Has a recognizer begin and end in one touches call.
    final class BeginsAndEnds: GestureRecognizer {
        let recognizer: GestureRecognizer
        init(_ recognizer: GestureRecognizer) {
            self.recognizer = recognizer
            super.init()
        }
        override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
            recognizer.state = .began
            recognizer.state = .ended
        }
    }

    /// Has two recognizers begin in one touches call, so that both actions wait for its end.
    final class Both: GestureRecognizer {
        let recognizers: [GestureRecognizer]
        init(_ recognizers: GestureRecognizer...) {
            self.recognizers = recognizers
            super.init()
        }
        override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
            for recognizer in recognizers { recognizer.state = .began }
        }
    }
}
