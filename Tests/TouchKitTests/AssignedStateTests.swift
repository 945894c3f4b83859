import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B states that a subclass assigns")
final class AssignedStateTests: PuppetStage {
    typealias State = GestureRecognizer.State

    /// A recognizer that assigns a list of states in `touchesMoved`, and logs the actions that follow.
    private final class Assigning: PanGestureRecognizer {
        let states: [State]
        let callsSuper: Bool

        init(_ states: [State], callsSuper: Bool = false, log: CallLog) {
            self.states = states
            self.callsSuper = callsSuper
            super.init()
            addHandler { log.add("\($0.state)") }
        }

        override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
            if callsSuper { super.touchesMoved(touches, with: event) }
            for state in states { self.state = state }
        }
    }

    private func actions(of recognizer: GestureRecognizer) -> [String] {
        stage.window.addGestureRecognizer(recognizer)
        let finger = stage.finger()
        finger.lands(at: 1, 1)
        log.clear()
        finger.moves(to: 50, 1)
        return log.lines.filter { !$0.hasPrefix("view") }
    }

    private func reports() -> Box<[Diagnostic]> {
        let reports = Box<[Diagnostic]>([])
        stage.application.didReport = { if case .stateNotAllowed = $0 { reports.value.append($0) } }
        return reports
    }

    @Test("B5 assigning changed to a possible recognizer counts as began and changed")
    func changedFromPossible() {
        let reports = reports()

        #expect(actions(of: Assigning([.changed], log: log)) == ["began", "changed"])
        #expect(
            reports.value == [.stateNotAllowed(recognizer: "Assigning", from: .possible, to: .changed)])
    }

    @Test("B5 assigning began a second time is ignored and reported", arguments: [[State.began], [.began, .began]])
    func beganTwice(states: [State]) {
        let reports = reports()

        #expect(actions(of: Assigning(states, callsSuper: true, log: log)) == ["began"])
        #expect(reports.value == [.stateNotAllowed(recognizer: "Assigning", from: .began, to: .began)])
    }

    @Test("B5 assigning possible during a gesture is ignored and reported")
    func possibleInMidGesture() {
        let reports = reports()

        #expect(actions(of: Assigning([.possible], callsSuper: true, log: log)) == ["began"])
        #expect(reports.value == [.stateNotAllowed(recognizer: "Assigning", from: .began, to: .possible)])
    }

    @Test("B5 invalid states assigned between events are corrected and reported once")
    func betweenEvents() {
        let reports = reports()
        let puppet = puppet("p")
        stage.finger().lands(at: 1, 1)

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
        "B5 a recognizer that begins and fails in one event sends no action",
        arguments: [State.cancelled, .failed])
    func takenBack(end: State) {
        #expect(actions(of: Assigning([end], callsSuper: true, log: log)) == [])
        #expect(log.lines == ["view.moved 1"])
    }

    @Test("B8 a recognizer that begins and fails in one event does not defeat its rivals")
    func takenBackLeavesRivals() {
        let rival = PanGestureRecognizer { [log] in log.add("rival \($0.state)") }
        view.addGestureRecognizer(Assigning([.cancelled], callsSuper: true, log: log))
        stage.window.addGestureRecognizer(rival)
        let finger = stage.finger()
        finger.lands(at: 1, 1)
        log.clear()

        finger.moves(to: 50, 1)
        finger.moves(to: 60, 1)

        #expect(log.lines == ["rival began", "view.cancelled 1", "rival changed"])
    }

    @Test("B5 a subclass reads the state that it has just set")
    func readBack() {
        final class Locked: PanGestureRecognizer {
            var seen: [State] = []
            override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
                super.touchesMoved(touches, with: event)
                seen.append(state)
                if state == .began, abs(velocity(in: view).x) > abs(velocity(in: view).y) { state = .cancelled }
                seen.append(state)
            }
        }
        let locked = Locked()

        #expect(actions(of: locked) == [])
        #expect(locked.seen == [.began, .failed])
    }

    @Test("B5 assigning changed several times in one event sends one action")
    func changedOnce() {
        let recognizer = Assigning([.changed, .changed], callsSuper: true, log: log)
        stage.window.addGestureRecognizer(recognizer)
        let finger = stage.finger()
        finger.lands(at: 1, 1)
        finger.moves(to: 50, 1)
        log.clear()

        finger.moves(to: 60, 1)

        #expect(log.lines == ["changed"])
    }
}
