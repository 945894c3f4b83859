import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B competing recognizers")
final class GestureArbitrationTests: PuppetStage {
    @Test("B7 a single tap that requires a double tap to fail waits for the pause")
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

        stage.finger().taps(at: 1, 1)
        #expect(log.lines.isEmpty)
        stage.advanceTime(by: 0.4)
        #expect(log.lines == ["single"])
        stage.time.microseconds += 1_000_000
        stage.finger().taps(at: 1, 1)
        stage.finger().taps(at: 1, 1)
        stage.advanceTime(by: 1)

        #expect(log.lines == ["single", "double"])
    }

    @Test("B7 a delegate of either recognizer can require failure dynamically", arguments: [true, false])
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
        stage.finger().lands(at: 1, 1)
        log.clear()

        first.state = .began
        #expect(first.state == .possible && log.lines.isEmpty)
        second.state = .failed

        #expect(first.state == .began && log.lines == ["first began", "view.cancelled 1"])
    }

    @Test("B7 if the required recognizer recognizes, the waiting one fails")
    func requirementRecognizes() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.require(toFail: second)
        first.isPreventable = false
        stage.finger().lands(at: 1, 1)

        first.state = .ended
        second.state = .began

        #expect(first.state == .failed && second.state == .began)
    }

    @Test("B8 once one recognizes, the others that share its touch fail")
    func exclusion() {
        let (first, second) = (puppet("first"), puppet("second"))
        stage.finger().lands(at: 1, 1)

        second.state = .began
        #expect(first.state == .failed)
        first.state = .began

        #expect(first.state == .failed && second.state == .began)
    }

    @Test("B8 both recognize if either delegate allows it", arguments: [true, false])
    func simultaneous(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        let answers = Answers()
        answers.simultaneously = { _, _ in true }
        (byFirst ? first : second).delegate = answers
        stage.finger().lands(at: 1, 1)

        first.state = .began
        second.state = .began

        #expect(first.state == .began && second.state == .began)
    }

    @Test("B8 a subclass can prevent no recognizers, or refuse to be prevented", arguments: [true, false])
    func prevention(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        if byFirst { first.prevents = false } else { second.isPreventable = false }
        stage.finger().lands(at: 1, 1)

        first.state = .began

        #expect(second.state == .possible)
    }

    @Test("B8 recognizers without a shared touch do not affect each other")
    func noSharedTouch() {
        let left = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let right = View(frame: CGRect(x: 100, y: 0, width: 100, height: 100))
        let (first, second) = (Puppet("first", log: log), Puppet("second", log: log))
        left.addGestureRecognizer(first)
        right.addGestureRecognizer(second)
        stage.window.addSubview(left)
        stage.window.addSubview(right)
        stage.finger().lands(at: 1, 1)
        stage.finger().lands(at: 101, 1)

        first.state = .began
        second.state = .began

        #expect(first.state == .began && second.state == .began)
    }

    @Test("B9 shouldBegin is asked on leaving possible, also of the view")
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
        stage.finger().lands(at: 1, 1)

        failing.state = .failed
        refused.state = .began
        inner.state = .began

        #expect(asked == ["refused"])
        #expect(refused.state == .failed && inner.state == .failed)
    }

    @Test("B9 a button prevents single taps of its superviews, but not double taps")
    func buttonsRefuse() {
        let button = Button(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        button.addHandler(for: .primaryActionTriggered) { [log] _, _ in log.add("button") }
        stage.window.addSubview(button)
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window single") })
        let double = TapGestureRecognizer { [log] _ in log.add("window double") }
        double.numberOfTapsRequired = 2
        stage.window.addGestureRecognizer(double)
        double.delaysTouchesEnded = false

        stage.finger().taps(at: 1, 1)
        #expect(log.lines == ["button"])
        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["button", "window double"])
    }

    @Test("B9 a control without a default action does not prevent a superview's single tap")
    func controlsDoNotRefuse() {
        stage.window.addSubview(Control(frame: CGRect(x: 0, y: 0, width: 100, height: 100)))
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window") })

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["window"])
    }

    @Test("B7 a recognizer that stays possible does not block one that waits for it")
    func watcherMustFail() {
        final class Watcher: GestureRecognizer {}
        let (tap, watcher) = (TapGestureRecognizer { [log] _ in log.add("tap") }, Watcher())
        tap.require(toFail: watcher)
        view.addGestureRecognizer(tap)
        view.addGestureRecognizer(watcher)

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tap", "view.cancelled 1"])
    }
}
