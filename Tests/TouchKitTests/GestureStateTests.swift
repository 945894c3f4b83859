import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B states of a recognizer")
final class GestureStateTests: PuppetStage {
    typealias State = GestureRecognizer.State

    @Test("B5 only the documented transitions change the state")
    func transitions() {
        let states: [State] = [.possible, .began, .changed, .ended, .cancelled, .failed]
        let waysTo: [State: [State]] = [
            .possible: [], .began: [.began], .changed: [.began, .changed], .ended: [.ended],
            .cancelled: [.began, .cancelled], .failed: [.failed],
        ]
        // Corrected transitions: failed for cancelled and the reverse, and changed for began and changed.
        let results: [State: [State: State]] = [
            .possible: [.began: .began, .changed: .changed, .ended: .ended, .cancelled: .failed, .failed: .failed],
            .began: [.changed: .changed, .ended: .ended, .cancelled: .cancelled, .failed: .cancelled],
            .changed: [.changed: .changed, .ended: .ended, .cancelled: .cancelled, .failed: .cancelled],
        ]

        for old in states {
            for new in states {
                let puppet = puppet("p")
                let finger = stage.finger()
                finger.lands(at: 1, 1)
                for step in waysTo[old, default: []] { puppet.state = step }
                puppet.state = new
                #expect(puppet.state == results[old]?[new] ?? old, "\(old) \(new)")
                view.removeGestureRecognizer(puppet)
                finger.lifts(at: 1, 1)
            }
        }
    }

    @Test("B5 a recognizer is reset to possible only after all its touches are gone")
    func resetting() {
        let puppet = puppet("p")
        let (first, second) = (stage.finger(), stage.finger())
        first.lands(at: 1, 1)
        second.lands(at: 2, 2)

        puppet.state = .ended
        first.lifts(at: 1, 1)
        #expect(puppet.state == .ended && !log.lines.contains("p reset"))
        second.lifts(at: 2, 2)

        #expect(puppet.state == .possible && log.lines.last == "p reset")
    }

    @Test("B5 after its end no state counts until the reset")
    func forgivenSteps() {
        let (failing, cancelling) = (puppet("failing"), puppet("cancelling"))
        failing.prevents = false
        stage.finger().lands(at: 1, 1)

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
        finger.lands(at: 1, 1)
        let tap = LoggingTap("tap", log: log)

        view.addGestureRecognizer(tap)
        finger.lifts(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("B5 disabling a recognizer during its gesture cancels it")
    func turnedOff() {
        let pan = PanGestureRecognizer { [log] in log.add("pan \($0.state)") }
        view.addGestureRecognizer(pan)
        let finger = stage.finger()
        finger.lands(at: 1, 1)
        finger.moves(to: 50, 1)

        pan.isEnabled = false
        finger.moves(to: 60, 1)
        finger.lifts(at: 60, 1)
        stage.finger().taps(at: 1, 1)

        #expect(
            log.lines == [
                "view.began 1", "pan began", "view.cancelled 1", "pan cancelled", "view.began 1", "view.ended 1",
            ])
    }

    @Test("B5 a finished recognizer is not failed by one that continues")
    func overIsOver() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.awaits = true
        let finger = stage.finger()
        finger.taps(at: 1, 1)

        first.state = .ended
        #expect(second.state == .possible)
        second.reset()
        log.clear()
        stage.finger().lands(at: 1, 1)
        second.state = .began

        #expect(second.state == .began)
    }

    @Test("B5 an action is called with its own state, even if the gesture has ended")
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
        finger.lands(at: 1, 1)

        finger.moves(to: 2, 2)

        #expect(
            log.lines.filter { $0.hasPrefix("second") } == ["second began", "second cancelled", "second reset"])
    }

    @Test("B5 an action that disables an ended recognizer does not cancel it")
    func endedIsNotCancelled() {
        let puppet = puppet("p")
        puppet.addHandler { recognizer in
            if recognizer.state == .began { recognizer.isEnabled = false }
        }
        view.addGestureRecognizer(BeginsAndEnds(puppet))
        let finger = stage.finger()
        finger.lands(at: 1, 1)

        finger.moves(to: 2, 2)

        #expect(log.lines.filter { $0.hasPrefix("p") } == ["p began", "p ended", "p reset"])
    }

    @Test("B5 adding the same target and action twice calls it once")
    func sameTargetTwice() {
        let tap = TapGestureRecognizer()
        view.addAction("tapped") { [log] _, _ in log.add("tapped") }
        view.addAction("other") { [log] _, _ in log.add("other") }
        for action: Selector in ["tapped", "other", "tapped"] { tap.addTarget(view, action: action) }
        tap.addTarget(nil, action: "other")
        tap.addTarget(nil, action: "other")
        view.addGestureRecognizer(tap)

        stage.finger().taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tapped", "other", "other", "view.cancelled 1"])
    }

    /// Makes a recognizer begin and end in one touches call.
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

    /// Makes two recognizers begin in one touches call, so that both actions wait for its end.
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
