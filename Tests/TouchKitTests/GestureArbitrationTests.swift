import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B competing recognizers")
final class GestureArbitrationTests: PuppetStage {
    @Test("B6 a delegate or subclass may refuse an event, and is asked once")
    func shouldReceiveEvent() {
        final class Refusing: TapGestureRecognizer {
            override func shouldReceive(_ event: Event) -> Bool { false }
        }
        let answers = Answers()
        var isAllowed = true
        answers.shouldReceiveEvent = { [log] event in
            log.add("event \(event.allTouches?.count ?? 0)")
            return isAllowed
        }
        answers.shouldReceive = { [log] _, _ in
            log.add("touch")
            return true
        }
        attach(Gesture.tap(touches: 2).makeRecognizer()).delegate = answers
        attach(Refusing())
        func tapWithTwo() -> [String] {
            log.clear()
            let (first, second) = stage.fingers(at: (100, 100), (200, 100))
            stage.send(first.lifting(), second.lifting())
            return log.lines.filter { !$0.hasPrefix("view") }
        }

        #expect(tapWithTwo() == ["event 2", "touch", "touch", "ended"])
        isAllowed = false
        #expect(tapWithTwo() == ["event 2"])
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

    /// Refuses its own recognizers, and those of its superviews when `refusesAll`.
    private final class Refusing: View {
        var refusesAll = false
        var asked = 0
        override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
            asked += 1
            return recognizer.view !== self && !refusesAll
        }
    }

    @Test("B9 the touched view of each finger is asked once whether a pinch may begin", arguments: [true, false])
    func everyTouchedViewIsAsked(landsFirst: Bool) {
        let (sign, both) = (Refusing(frame: CGRect(x: 0, y: 0, width: 300, height: 300)), Refusing(frame: view.bounds))
        sign.refusesAll = true
        view.addSubview(both)
        both.addSubview(sign)
        add(.pinch)
        let (a, b) = (stage.finger(), stage.finger())
        let (onSign, beside) = landsFirst ? (a, b) : (b, a)

        for finger in [a, b] { finger.lands(at: finger === onSign ? 100 : 600, 100) }
        beside.moves(to: 800, 100)
        #expect(log.lines.allSatisfy { !$0.contains("changed") && $0 != "began" } && sign.asked == 1)
        sign.refusesAll = false
        for finger in [a, b] { finger.lifts() }
        both.asked = 0
        stage.send(a.landing(at: 100, 100), b.landing(at: 600, 100))
        stage.send(a.moving(to: 50, 100))

        #expect(log.lines.contains("began") && both.asked == 1)
    }

    @Test("B9 shouldBegin is asked on leaving possible, also of the view")
    func shouldBegin() {
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

    @Test(
        "B9 a button prevents single taps of its superviews, but not double taps; other controls prevent neither",
        arguments: [true, false])
    func buttonsRefuse(isButton: Bool) {
        let control = isButton ? Button(frame: view.bounds) : Control(frame: view.bounds)
        control.addHandler(for: .primaryActionTriggered) { [log] _, _ in log.add("button") }
        stage.window.addSubview(control)
        stage.window.addGestureRecognizer(TapGestureRecognizer { [log] _ in log.add("single") })
        let double = TapGestureRecognizer { [log] _ in log.add("double") }
        double.numberOfTapsRequired = 2
        double.delaysTouchesEnded = false
        stage.window.addGestureRecognizer(double)

        stage.taps(at: 1, 1)
        #expect(log.lines == [isButton ? "button" : "single"])
        stage.taps(at: 1, 1)

        #expect(log.lines == (isButton ? ["button", "double"] : ["single", "single", "double"]))
    }
}
