import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Rules that TouchKit broke until it was compared with the reference.
@Suite("B6 touches delayed by recognizers")
struct DelayedTouchTests {
    private let puppets = PuppetStage()
    private var stage: Stage { puppets.stage }
    private var log: CallLog { puppets.log }

    @Test("B6 a delayed end is delivered when the other finger is cancelled")
    func endAfterCancel() {
        let child = RecordingView("child", CGRect(x: 0, y: 0, width: 100, height: 100), log: log)
        child.passesOn = false
        puppets.view.addSubview(child)
        _ = puppets.puppet("r")
        let (first, second) = (stage.finger(), stage.finger())
        first.lands(at: 500, 500)
        second.lands(at: 50, 50)
        first.lifts(at: 500, 500)
        log.clear()

        child.removeFromSuperview()

        #expect(log.lines.contains("view.ended 1"), "\(log.lines)")
    }

    @Test("B6 a recognizer does not delay the end of a touch of its previous gesture")
    func formerGesture() {
        let double = TapGestureRecognizer()
        double.numberOfTapsRequired = 2
        puppets.view.addGestureRecognizer(double)
        _ = puppets.puppet("r")
        stage.finger().taps(at: 100, 100)
        log.clear()

        // Too far away for a double tap.
        stage.finger().lands(at: 500, 500)

        #expect(log.lines == ["view.ended 1", "view.began 1"])
    }

    @Test("B6 a delayed begin is delivered before the rest of the event that releases it")
    func order() {
        let tap = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        puppets.view.addGestureRecognizer(tap)
        let (first, second) = (stage.finger(), stage.finger())
        var began: [UInt32?] = []
        puppets.view.onTouches = { phase, touches, _ in
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
        puppets.view.addGestureRecognizer(tap)
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        puppets.view.addSubview(button)
        button.addHandler(for: .touchDown) { [log] _, _ in log.add("down") }
        button.addHandler(for: .touchUpInside) { [log] _, _ in log.add("up") }
        button.addHandler(for: Touch.Phase.began) { _, _ in tap.view?.removeGestureRecognizer(tap) }

        stage.finger().taps(at: 50, 50)

        #expect(log.lines == ["down", "up"])
        #expect(!button.isTracking)
    }

    @Test("B6 a delayed begin is discarded when its recognizer recognizes")
    func discarded() {
        let tap = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        tap.cancelsTouchesInView = false
        puppets.view.addGestureRecognizer(tap)

        stage.finger().taps(at: 100, 100)

        #expect(log.lines == [])
    }

    @Test("B10 a third finger does not reset the movement of a pinch's two fingers")
    func thirdFinger() {
        let pinch = PinchGestureRecognizer()
        puppets.view.addGestureRecognizer(pinch)
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        first.lands(at: 100, 100)
        second.lands(at: 200, 100)

        stage.send(second.moving(to: 250, 100), third.landing(at: 400, 400))

        #expect(pinch.state == .began)
    }

    @Test("B6 an action that disables another recognizer does not release what its own recognizer takes")
    func takenBeginning() {
        let tap = TapGestureRecognizer(), other = TapGestureRecognizer()
        tap.delaysTouchesBegan = true
        other.numberOfTouchesRequired = 2
        puppets.view.addGestureRecognizer(tap)
        puppets.view.addGestureRecognizer(other)
        tap.addHandler { _ in other.isEnabled = false }

        stage.finger().taps(at: 100, 100)

        #expect(log.lines == [])
    }

    @Test("B12 events ignored while a view is cancelled by a gesture cancel the gesture too")
    func ignoredInCancellation() {
        let pan = PanGestureRecognizer()
        puppets.view.addGestureRecognizer(pan)
        var states: [GestureRecognizer.State] = []
        pan.addHandler { states.append($0.state) }
        puppets.view.onTouches = { [stage] phase, _, _ in
            if phase == .cancelled { stage.application.beginIgnoringInteractionEvents() }
        }

        let finger = stage.finger()
        finger.lands(at: 100, 100)
        finger.moves(to: 200, 100)

        #expect(states == [.began, .cancelled])
        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }
}
