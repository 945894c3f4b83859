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
                let finger = stage.finger(at: 1, 1)
                for step in waysTo[old, default: []] { puppet.state = step }
                puppet.state = new
                #expect(puppet.state == results[old]?[new] ?? old, "\(old) \(new)")
                view.removeGestureRecognizer(puppet)
                finger.lifts()
            }
        }
    }

    @Test("B5 a recognizer is reset to possible only after all its touches are gone")
    func resetting() {
        let puppet = puppet("p")
        let (first, second) = (stage.finger(at: 1, 1), stage.finger(at: 2, 2))

        puppet.state = .ended
        first.lifts()
        #expect(puppet.state == .ended && !log.lines.contains("p reset"))
        second.lifts()

        #expect(puppet.state == .possible && log.lines.last == "p reset")
    }

    @Test("B2 a recognizer added after a touch began does not see it")
    func addedLater() {
        let finger = stage.finger(at: 1, 1)
        let tap = LoggingTap("tap", log: log)

        view.addGestureRecognizer(tap)
        finger.lifts()

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("B5 disabling a recognizer during its gesture cancels it")
    func turnedOff() {
        let pan = add(.pan())
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 50, 1)

        pan.isEnabled = false
        finger.moves(to: 60, 1)
        finger.lifts()
        stage.taps(at: 1, 1)

        #expect(
            log.lines == ["view.began 1", "began", "view.cancelled 1", "cancelled", "view.began 1", "view.ended 1"])
    }

    @Test("B5 a finished recognizer is not failed by one that continues")
    func overIsOver() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.awaits = true
        stage.taps(at: 1, 1)

        first.state = .ended
        #expect(second.state == .possible)
        second.reset()
        log.clear()
        stage.finger(at: 1, 1)
        second.state = .began

        #expect(second.state == .began)
    }

    @Test("B5 an action is called with its own state, even if the gesture has ended")
    func actionStates() {
        let (first, second) = (puppet("first"), puppet("second"))
        first.prevents = false
        first.addHandler { if $0.state == .began { second.isEnabled = false } }
        // In one touches call, so that the actions wait for its end.
        puppet("mover").onMoved = { for recognizer in [first, second] { recognizer.state = .began } }

        stage.finger(at: 1, 1).moves(to: 2, 2)

        #expect(
            log.lines.filter { $0.hasPrefix("second") } == ["second began", "second cancelled", "second reset"])
    }

    @Test("B5 an action that disables an ended recognizer does not cancel it")
    func endedIsNotCancelled() {
        let puppet = puppet("p")
        puppet.addHandler { if $0.state == .began { $0.isEnabled = false } }
        puppet.onMoved = { [unowned puppet] in for state in [State.began, .ended] { puppet.state = state } }

        stage.finger(at: 1, 1).moves(to: 2, 2)

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

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "tapped", "other", "other", "view.cancelled 1"])
    }

    // MARK: States that a subclass assigns

    /// A recognizer that assigns a list of states in `touchesMoved`, and logs the actions that follow.
    private final class Assigning: PanGestureRecognizer {
        let states: [State]
        let callsSuper: Bool
        /// The states that it read before and after its assignments.
        var seen: [State] = []

        init(_ states: [State], callsSuper: Bool = false, log: CallLog) {
            self.states = states
            self.callsSuper = callsSuper
            super.init(target: nil, action: nil)
            addHandler { log.add("\($0.state)") }
        }

        override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
            if callsSuper { super.touchesMoved(touches, with: event) }
            seen.append(state)
            for state in states { self.state = state }
            seen.append(state)
        }
    }

    private func actions(of recognizer: GestureRecognizer) -> [String] {
        stage.window.addGestureRecognizer(recognizer)
        let finger = stage.finger(at: 1, 1)
        log.clear()
        finger.moves(to: 50, 1)
        return log.lines.filter { !$0.hasPrefix("view") }
    }

    private func reports() -> Box<[Diagnostic]> {
        let reports = Box<[Diagnostic]>([])
        stage.application.didReport = { if case .stateNotAllowed = $0 { reports.value.append($0) } }
        return reports
    }

    @Test(
        "B5 a state that is not allowed is corrected or ignored, and reported",
        arguments: [
            ([.changed], false, ["began", "changed"], .possible, .changed), ([.began], true, ["began"], .began, .began),
            ([.began, .began], true, ["began"], .began, .began), ([.possible], true, ["began"], .began, .possible),
        ] as [([State], Bool, [String], State, State)])
    func notAllowed(states: [State], callsSuper: Bool, sent: [String], from: State, to: State) {
        let reports = reports()

        #expect(actions(of: Assigning(states, callsSuper: callsSuper, log: log)) == sent)
        #expect(reports.value == [.stateNotAllowed(recognizer: "Assigning", from: from, to: to)])
    }

    @Test("B5 invalid states assigned between events are corrected and reported once")
    func betweenEvents() {
        let reports = reports()
        let puppet = puppet("p")
        stage.finger(at: 1, 1)

        puppet.state = .changed
        puppet.state = .began
        puppet.state = .possible

        #expect(puppet.state == .changed)
        #expect(log.lines.filter { $0.hasPrefix("p ") } == ["p began", "p changed"])
        #expect(reports.value.count == 1)
    }

    @Test("B5 a recognizer without a view takes any state, and possible after its end")
    func detached() {
        let puppet = Puppet("p")

        puppet.state = .changed
        #expect(puppet.state == .changed)
        puppet.state = .began
        #expect(puppet.state == .changed)
        puppet.state = .ended
        puppet.state = .changed
        #expect(puppet.state == .ended)
        puppet.state = .possible

        #expect(puppet.state == .possible)
    }

    @Test(
        "B5 a recognizer that begins and fails in one event sends no action, and reads the state that it has set",
        arguments: [State.cancelled, .failed])
    func takenBack(end: State) {
        let recognizer = Assigning([end], callsSuper: true, log: log)
        #expect(actions(of: recognizer) == [])
        #expect(log.lines == ["view.moved 1"])
        #expect(recognizer.seen == [.began, .failed])
    }

    /// Counts taps itself, as shipped recognizers do, and stays possible between them.
    private final class CountingTap: GestureRecognizer {
        var count = 0
        private(set) var resets = 0
        /// The time between two taps, after which it fails; without one it does not make others wait.
        var pause: TimeInterval?
        override var awaitsMoreTouches: Bool { pause != nil && count == 1 }
        override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
            count += 1
            if count == 2 {
                state = .ended
            } else if let pause, let application = view?.window?.application {
                application.schedule(at: application.currentTime + pause) { [weak self] in
                    if self?.count == 1 { self?.state = .failed }
                }
            }
        }
        override func reset() {
            super.reset()
            count = 0
            resets += 1
        }
    }

    @Test("B5 a recognizer that stays possible is not reset, so it can count taps; one that recognized or failed is")
    func countsTaps() {
        var actions: [State] = []
        let tap = CountingTap { actions.append($0.state) }
        view.addGestureRecognizer(tap)

        stage.taps(at: 1, 1)
        #expect(tap.count == 1 && actions == [] && stage.application.gestures.involved.isEmpty)
        stage.taps(at: 1, 1)
        #expect(tap.count == 0 && actions == [.ended])
        stage.taps(at: 1, 1)
        tap.state = .failed
        #expect(tap.count == 0 && actions == [.ended])
    }

    @Test(
        "B5 a recognizer that stays possible between taps is reset once when it is disabled or removed",
        arguments: [0, 1])
    func countsAnew(_ way: Int) {
        let tap = CountingTap()
        view.addGestureRecognizer(tap)
        stage.taps(at: 1, 1)

        for _ in 0..<2 {
            if way == 0 {
                tap.isEnabled = false
                tap.isEnabled = true
            } else {
                view.removeGestureRecognizer(tap)
                view.addGestureRecognizer(tap)
            }
        }
        stage.taps(at: 1, 1)

        #expect(tap.count == 1 && tap.resets == 1)
    }

    @Test("B6 a tap waits for a custom double tap that awaits more touches and fails by a timer")
    func waitsForCountingTap() {
        let (double, single) = (CountingTap(), TapGestureRecognizer())
        double.pause = 0.3
        double.addHandler { [log] _ in log.add("double") }
        single.addHandler { [log] _ in log.add("single") }
        single.require(toFail: double)
        view.gestureRecognizers = [single, double]

        var actions: [String] { log.lines.filter { !$0.hasPrefix("view") } }
        stage.taps(at: 1, 1)
        stage.advanceTime(by: 0.2)
        #expect(actions == [])
        stage.advanceTime(by: 0.2)
        #expect(actions == ["single"])
        stage.taps(at: 1, 1)
        stage.taps(at: 1, 1)
        stage.advanceTime(by: 1)
        #expect(actions == ["single", "double"])
    }

    @Test("A touch that is over does not keep a recognizer that was removed while it ended")
    func releasedByTouch() {
        var touch: Touch?
        weak var released: Puppet?
        do {
            let recognizer = puppet("removed")
            released = recognizer
            recognizer.onBegan = { touches, _ in touch = touches.first }
            recognizer.onEnded = { [view, unowned recognizer] in view.removeGestureRecognizer(recognizer) }
        }

        stage.taps(at: 1, 1)

        #expect(touch?.phase == .ended && released == nil)
    }

    @Test("B5 assigning changed several times in one event sends one action")
    func changedOnce() {
        let recognizer = Assigning([.changed, .changed], callsSuper: true, log: log)
        stage.window.addGestureRecognizer(recognizer)
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 50, 1)
        log.clear()

        finger.moves(to: 60, 1)

        #expect(log.lines == ["changed"])
    }
}
