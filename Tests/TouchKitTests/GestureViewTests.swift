import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B recognizers and the views below them")
final class GestureViewTests: PuppetStage {
    @Test("B6 without cancelsTouchesInView the view receives its touches to the end")
    func notCancelling() {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap") }
        tap.cancelsTouchesInView = false
        view.addGestureRecognizer(tap)

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tap", "view.ended 1"])
    }

    @Test("B6 touchesEnded is delayed while a recognizer is possible")
    func heldEndFails() {
        let tap = TapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        view.addGestureRecognizer(tap)
        var reports: [Touch.Phase] = []
        stage.application.onDelivery { reports.append($0.phase) }

        stage.taps(at: 1, 1)
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
        stage.application.onDelivery { reports.append("\($0.touch.id) \($0.phase)") }

        stage.taps(at: 1, 1)
        stage.taps(at: 1, 1)

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

        #expect(log.lines == ["tap", "view.began 1", "view.moved 1", "view.moved 1", "view.ended 1"])
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

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(recognizer.numberOfTouches == 0)
    }

    @Test("B6 a recognizer that stays possible releases the end that it delayed")
    func watcher() {
        final class Watcher: GestureRecognizer {}
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("button") }
        view.addSubview(button)
        stage.window.addGestureRecognizer(Watcher())

        stage.taps(at: 10, 10)
        stage.taps(at: 500, 500)
        stage.taps(at: 10, 10)

        #expect(log.lines == ["button", "view.began 1", "view.ended 1", "button"])
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("B6 delayed begins or ends of two fingers in one event are delivered in one call")
    func heldTogether() {
        let puppet = Puppet("p")
        puppet.delaysTouchesBegan = true
        puppet.awaits = true
        view.addGestureRecognizer(puppet)
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 1, 1), second.landing(at: 2, 2))
        third.lands(at: 3, 3)
        stage.send(first.lifting(at: 1, 1), second.lifting(at: 2, 2))
        third.lifts(at: 3, 3)
        #expect(log.lines.isEmpty)

        puppet.state = .failed

        #expect(log.lines == ["view.began 2", "view.ended 2", "view.began 1", "view.ended 1"])
    }

    // MARK: Rules that TouchKit broke until it was compared with the reference

    @Test("B6 a delayed end is delivered when the other finger is cancelled")
    func endAfterCancel() {
        let child = RecordingView("child", CGRect(x: 0, y: 0, width: 100, height: 100), log: log)
        child.passesOn = false
        view.addSubview(child)
        _ = puppet("r")
        let (first, _) = (stage.finger(at: 500, 500), stage.finger(at: 50, 50))
        first.lifts(at: 500, 500)
        log.clear()

        child.removeFromSuperview()

        #expect(log.lines.contains("view.ended 1"), "\(log.lines)")
    }

    @Test("B6 a recognizer does not delay the end of a touch of its previous gesture")
    func formerGesture() {
        let double = TapGestureRecognizer()
        double.numberOfTapsRequired = 2
        view.addGestureRecognizer(double)
        _ = puppet("r")
        stage.taps(at: 100, 100)
        log.clear()

        // Too far away for a double tap.
        stage.finger(at: 500, 500)

        #expect(log.lines == ["view.ended 1", "view.began 1"])
    }

    @Test("B6 a delayed begin is delivered before the rest of the event that releases it")
    func order() {
        let tap = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
        let (first, second) = (stage.finger(), stage.finger())
        var began: [UInt32?] = []
        view.onTouches = { phase, touches, _ in
            if phase == .began { began += touches.map(\.contact) }
        }
        first.lands(at: 100, 100)
        second.lands(at: 200, 200)

        #expect(began == [first.contact, second.contact])
    }

    @Test("B6 a held end follows its beginning even if a handler of that releases it")
    func endAfterBeginning() {
        let tap = TapGestureRecognizer()
        tap.numberOfTouchesRequired = 2
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        view.addSubview(button)
        button.addHandler(for: .touchDown) { [log] _, _ in log.add("down") }
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("up") }
        button.addHandler(for: Touch.Phase.began) { _, _ in tap.view?.removeGestureRecognizer(tap) }

        stage.taps(at: 50, 50)

        #expect(log.lines == ["down", "up"])
        #expect(!button.isTracking)
    }

    @Test("B6 a delayed begin is discarded when its recognizer recognizes")
    func discarded() {
        let tap = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        tap.cancelsTouchesInView = false
        view.addGestureRecognizer(tap)

        stage.taps(at: 100, 100)

        #expect(log.lines == [])
    }

    @Test("B6 an action that disables another recognizer does not release what its own recognizer takes")
    func takenBeginning() {
        let tap = TapGestureRecognizer(), other = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        other.numberOfTouchesRequired = 2
        view.addGestureRecognizer(tap)
        view.addGestureRecognizer(other)
        tap.addHandler { _ in other.isEnabled = false }

        stage.taps(at: 100, 100)

        #expect(log.lines == [])
    }

    @Test("B12 events ignored while a view is cancelled by a gesture cancel the gesture too")
    func ignoredInCancellation() {
        let pan = PanGestureRecognizer()
        view.addGestureRecognizer(pan)
        var states: [GestureRecognizer.State] = []
        pan.addHandler { states.append($0.state) }
        view.onTouches = { [stage] phase, _, _ in
            if phase == .cancelled { stage.application.beginIgnoringInteractionEvents() }
        }

        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 200, 100)

        #expect(states == [.began, .cancelled])
        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }
}
