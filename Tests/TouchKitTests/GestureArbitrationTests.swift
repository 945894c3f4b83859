import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B competing recognizers")
final class GestureArbitrationTests: PuppetStage {
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
        stage.finger(at: 1, 1)
        log.clear()

        first.state = .began
        #expect(first.state == .possible && log.lines.isEmpty)
        second.state = .failed

        #expect(first.state == .began && log.lines == ["first began", "view.cancelled 1"])
    }

    @Test("B8 a subclass can prevent no recognizers, or refuse to be prevented", arguments: [true, false])
    func prevention(byFirst: Bool) {
        let (first, second) = (puppet("first"), puppet("second"))
        if byFirst { first.prevents = false } else { second.isPreventable = false }
        stage.finger(at: 1, 1)

        first.state = .began

        #expect(second.state == .possible)
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
        stage.finger(at: 1, 1)

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

        stage.taps(at: 1, 1)
        #expect(log.lines == ["button"])
        stage.taps(at: 1, 1)

        #expect(log.lines == ["button", "window double"])
    }

    @Test("B9 a control without a default action does not prevent a superview's single tap")
    func controlsDoNotRefuse() {
        stage.window.addSubview(Control(frame: CGRect(x: 0, y: 0, width: 100, height: 100)))
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("window") })

        stage.taps(at: 1, 1)

        #expect(log.lines == ["window"])
    }
}
