import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B recognizers and the views below them")
final class GestureViewTests: PuppetStage {
    @Test("B6 without cancelsTouchesInView the view receives its touches to the end")
    func notCancelling() {
        add(.tap()).cancelsTouchesInView = false

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "ended", "view.ended 1"])
    }

    @Test("B6 touchesEnded is delayed while a recognizer is possible")
    func heldEndFails() {
        add(.tap(taps: 2))
        var reports: [Touch.Phase] = []
        stage.application.onDelivery { reports.append($0.phase) }

        stage.taps(at: 1, 1)
        stage.advanceTime(by: 0.349999)
        #expect(log.lines == ["view.began 1"] && reports == [.began])
        stage.advanceTime(by: 0.000002)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(reports == [.began, .ended] && stage.application.touches.active.isEmpty)
    }

    @Test("B6 a delayed end becomes touchesCancelled when the recognizer recognizes")
    func heldEndRecognizes() {
        add(.tap(taps: 2))
        var reports: [String] = []
        stage.application.onDelivery { reports.append("\($0.touch.id) \($0.phase)") }

        for _ in 1...2 { stage.taps(at: 1, 1) }

        #expect(log.lines == ["view.began 1", "view.began 1", "ended", "view.cancelled 2"])
        #expect(reports == ["1 began", "2 began", "1 ended", "2 ended"])
    }

    @Test("B6 with delaysTouchesBegan a view receives the touch after the failure, and none that is recognized")
    func delayedBegan() {
        add(.tap(), delaysBegan: true)

        stage.taps(at: 1, 1)
        let dragging = stage.finger(at: 1, 1)
        #expect(log.lines == ["ended"])
        dragging.moves(to: 100, 1)
        dragging.moves(to: 110, 1)
        dragging.lifts()

        #expect(log.lines == ["ended", "view.began 1", "view.moved 1", "view.moved 1", "view.ended 1"])
    }

    @Test("B6 a delayed begin is discarded when its recognizer recognizes, also without cancelsTouchesInView")
    func discarded() {
        add(.tap(), delaysBegan: true).cancelsTouchesInView = false

        stage.taps(at: 100, 100)

        #expect(log.lines == ["ended"])
    }

    @Test("A recognizer that ignores a touch leaves it to the view")
    func ignoring() {
        let puppet = puppet("p")
        puppet.onBegan = { [unowned puppet] touches, event in
            for touch in touches { puppet.ignore(touch, for: event) }
        }

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(puppet.numberOfTouches == 0)
    }

    @Test("B6 a recognizer that stays possible releases the end that it delayed")
    func watcher() {
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("button") }
        view.addSubview(button)
        stage.window.addGestureRecognizer(Puppet("watcher"))

        for x in [10.0, 500, 10] { stage.taps(at: x, x) }

        #expect(log.lines == ["button", "view.began 1", "view.ended 1", "button"])
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("B6 delayed begins or ends of two fingers in one event are delivered in one call")
    func heldTogether() {
        let puppet = puppet("p", delaysBegan: true)
        puppet.awaits = true
        stage.play([
            .together([.lands(1, 1), .lands(2, 2, finger: 2)]), .lands(3, 3, finger: 3),
            .together([.lifts(), .lifts(finger: 2)]), .lifts(finger: 3),
        ])
        #expect(log.lines.isEmpty)

        puppet.state = .failed

        #expect(
            log.lines.filter { $0.hasPrefix("view") } == [
                "view.began 2", "view.ended 2", "view.began 1", "view.ended 1",
            ])
    }

    // MARK: Rules that TouchKit broke until it was compared with the reference

    @Test("B6 a delayed end is delivered when the other finger is cancelled")
    func endAfterCancel() {
        let child = show("child", 0, 0, 100, 100, in: view)
        child.passesOn = false
        puppet("r")
        let (first, _) = (stage.finger(at: 500, 500), stage.finger(at: 50, 50))
        first.lifts()
        log.clear()

        child.removeFromSuperview()

        #expect(log.lines.contains("view.ended 1"), "\(log.lines)")
    }

    @Test("B6 a recognizer does not delay the end of a touch of its previous gesture")
    func formerGesture() {
        add(.tap(taps: 2))
        puppet("r")
        stage.taps(at: 100, 100)
        log.clear()

        // Too far away for a double tap.
        stage.finger(at: 500, 500)

        #expect(log.lines == ["view.ended 1", "view.began 1"])
    }

    @Test("B6 a delayed begin is delivered before the rest of the event that releases it")
    func order() {
        add(.tap(), delaysBegan: true)
        var began: [UInt32?] = []
        view.onTouches = { phase, touches, _ in
            if phase == .began { began += touches.map(\.contact) }
        }
        let fingers = [stage.finger(at: 100, 100), stage.finger(at: 200, 200)]

        #expect(began == fingers.map(\.contact))
    }

    @Test("B6 a held end follows its beginning even if a handler of that releases it")
    func endAfterBeginning() {
        let tap = add(.tap(touches: 2), delaysBegan: true)
        let button = Button(frame: view.bounds)
        view.addSubview(button)
        button.addHandler(for: .touchDown) { [log] _, _ in log.add("down") }
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("up") }
        button.addHandler(for: Touch.Phase.began) { _, _ in tap.view?.removeGestureRecognizer(tap) }

        stage.taps(at: 50, 50)

        #expect(log.lines == ["down", "up"])
        #expect(!button.isTracking)
    }

    @Test("B6 an action that disables another recognizer does not release what its own recognizer takes")
    func takenBeginning() {
        let (tap, other) = (add(.tap(), delaysBegan: true), add(.tap(touches: 2)))
        tap.addHandler { _ in other.isEnabled = false }

        stage.taps(at: 100, 100)

        #expect(log.lines == ["ended"])
    }

    @Test("B12 events ignored while a view is cancelled by a gesture cancel the gesture too")
    func ignoredInCancellation() {
        add(.pan())
        view.onTouches = { [stage] phase, _, _ in
            if phase == .cancelled { stage.application.beginIgnoringInteractionEvents() }
        }

        stage.finger(at: 100, 100).moves(to: 200, 100)

        #expect(log.lines == ["view.began 1", "began", "view.cancelled 1", "cancelled"])
    }
}
