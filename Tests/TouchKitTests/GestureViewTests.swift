import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B recognizers and the views below them")
final class GestureViewTests: PuppetStage {
    @Test("B6 by default touches are cancelled, and ends but not begins are delayed")
    func defaults() {
        let recognizer = GestureRecognizer()

        #expect(recognizer.cancelsTouchesInView && !recognizer.delaysTouchesBegan && recognizer.delaysTouchesEnded)
        #expect(recognizer.isEnabled && recognizer.state == .possible)
    }

    @Test("B6 without cancelsTouchesInView the view receives its touches to the end")
    func notCancelling() {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap") }
        tap.cancelsTouchesInView = false
        view.addGestureRecognizer(tap)

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tap", "view.ended 1"])
    }

    @Test("B6 touchesEnded is delayed while a recognizer is possible")
    func heldEndFails() {
        let tap = TapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        var reports: [Touch.Phase] = []
        stage.application.didDeliver = { reports.append($0.phase) }

        stage.finger().taps(at: 1, 1)
        #expect(log.lines == ["view.began 1"])
        stage.advanceTime(by: 0.349999)
        #expect(log.lines == ["view.began 1"] && reports == [.began])
        stage.advanceTime(by: 0.000002)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(reports == [.began, .ended] && stage.application.touches.active.isEmpty)
    }

    @Test("B6 a delayed end becomes touchesCancelled when the recognizer recognizes")
    func heldEndRecognizes() {
        let tap = TapGestureRecognizer { [log] _ in log.add("double") }
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        var reports: [String] = []
        stage.application.didDeliver = { reports.append("\($0.touch.id) \($0.phase)") }

        stage.finger().taps(at: 1, 1)
        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.began 1", "double", "view.cancelled 2"])
        #expect(reports == ["1 began", "2 began", "1 ended", "2 ended"])
    }

    @Test("B6 with delaysTouchesBegan a view receives the touch after the failure")
    func delayedBegan() {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap") }
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
        let (tapping, dragging) = (stage.finger(), stage.finger())

        tapping.taps(at: 1, 1)
        #expect(log.lines == ["tap"])
        dragging.lands(at: 1, 1)
        #expect(log.lines == ["tap"])
        dragging.moves(to: 100, 1)
        dragging.moves(to: 110, 1)
        dragging.lifts(at: 110, 1)

        #expect(log.lines == ["tap", "view.began 1", "view.moved 1", "view.ended 1"])
    }

    @Test("B6 a delayed end becomes a cancel when the view is removed or all is cancelled", arguments: [true, false])
    func heldEndCancelled(byRemoval: Bool) {
        let tap = TapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        stage.finger().taps(at: 1, 1)

        if byRemoval { view.removeFromSuperview() } else { stage.application.cancelAllTouches() }
        stage.advanceTime(by: 1)

        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
        #expect(stage.application.touches.active.isEmpty)
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

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(recognizer.numberOfTouches == 0)
    }

    @Test("B6 a view that cancels everything on its cancel gets no duplicate calls")
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
        stage.send(first.landing(at: 1, 1), second.landing(at: 101, 1))
        log.clear()

        puppet.state = .began

        #expect(log.lines.filter { $0.hasSuffix("cancelled 1") } == ["left.cancelled 1", "right.cancelled 1"])
    }

    @Test("B6 two delayed touches are released in order, each with its end before the next")
    func releaseOrder() {
        let delaying = puppet("delaying")
        delaying.delaysTouchesBegan = true
        let (first, second) = (stage.finger(), stage.finger())
        delaying.awaits = true
        first.taps(at: 1, 1)
        second.lands(at: 2, 2)
        #expect(log.lines.isEmpty)

        delaying.awaits = false
        delaying.state = .failed
        second.lifts(at: 2, 2)

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1", "view.ended 1", "delaying reset"])
    }

    @Test("B6 a recognizer that stays possible releases the end that it delayed")
    func watcher() {
        final class Watcher: GestureRecognizer {}
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("button") }
        view.addSubview(button)
        stage.window.addGestureRecognizer(Watcher())

        stage.finger().taps(at: 10, 10)
        stage.finger().taps(at: 500, 500)
        stage.finger().taps(at: 10, 10)

        #expect(log.lines == ["button", "view.began 1", "view.ended 1", "button"])
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("B6 a possible recognizer delays an end while another touch is down")
    func watcherOfTwo() {
        final class Watcher: GestureRecognizer {}
        view.addGestureRecognizer(Watcher())
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 1, 1), second.landing(at: 2, 2))

        first.lifts(at: 1, 1)
        #expect(log.lines == ["view.began 2"])
        second.lifts(at: 2, 2)

        #expect(log.lines == ["view.began 2", "view.ended 1", "view.ended 1"])
    }

    @Test(
        "B6 an action that removes its recognizer still cancels the touch",
        arguments: [true, false])
    func removedInItsAction(byRemoval: Bool) {
        let tap = TapGestureRecognizer { [view] tap in
            if byRemoval { view.removeGestureRecognizer(tap) } else { tap.isEnabled = false }
        }
        view.addGestureRecognizer(tap)

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }
}
