import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("Handlers that change the tree or the queue during delivery")
struct ReentrancyTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    /// Shows two views side by side, which do not pass touches on.
    private func showSideBySide() -> (left: RecordingView, right: RecordingView) {
        let views = (show("left", 0, 0, 100, 100), show("right", 100, 0, 100, 100))
        (views.0.passesOn, views.1.passesOn) = (false, false)
        return views
    }

    @Test("B17 a window that a handler hides gets the cancel")
    func hidingTheWindow() {
        show("behind")
        let dialog = stage.newWindow()
        show("button", in: dialog).onTouches = { phase, _, _ in if phase == .began { dialog.isHidden = true } }
        dialog.makeKeyAndVisible()

        for _ in 1...2 { stage.taps(at: 1, 1) }

        #expect(log.lines == ["button.began 1", "button.cancelled 1", "behind.began 1", "behind.ended 1"])
        #expect(stage.application.keyWindow === stage.window)
    }

    @Test("A1.4 an event that a handler sends again is not delivered again")
    func sendingAgain() {
        show("view").onTouches = { [stage] _, _, event in if let event { stage.application.sendEvent(event) } }

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("B2 a touch cancelled by the first of two closures ends in the second")
    func closuresAfterTheEnd() {
        stage.window.addHandler(for: .began) { [log, stage] _, _ in
            log.add("first")
            stage.application.cancelAllTouches()
        }
        stage.window.addHandler(for: .began) { [log] _, _ in log.add("second") }
        stage.window.addHandler(for: .cancelled) { [log] _, _ in log.add("cancelled") }

        stage.finger(at: 1, 1)

        #expect(log.lines == ["first", "cancelled"])
    }

    @Test(
        "A3.2 B2 an event queued during a cancellation is delivered after it, but not to a view that is being removed",
        arguments: [false, true])
    func queueingWhileCancelling(removes: Bool) {
        let (view, next) = (show("view"), stage.finger())
        view.onTouches = { [stage] phase, _, _ in
            guard phase == .cancelled else { return }
            stage.enqueue([next.landing(at: 1, 1)])
            stage.application.drainEvents()
        }
        stage.finger(at: 1, 1)

        if removes { view.removeFromSuperview() } else { stage.application.cancelAllTouches() }
        next.lifts()

        #expect(
            log.lines == ["view.began 1", "view.cancelled 1"] + (removes ? [] : ["view.began 1", "view.ended 1"]))
    }

    @Test("A2.3 a hit-test override that changes the tree is safe")
    func hitTestThatMutates() {
        let (rear, front) = (show("rear"), show("front"))
        front.hitTestOverride = { front, _, _ in
            rear.removeFromSuperview()
            front.removeFromSuperview()
            return nil
        }

        stage.taps(at: 1, 1)

        #expect(log.lines.isEmpty)
        #expect(stage.window.subviews.isEmpty)
    }

    @Test("A3.2 a touch whose end is delivered during a cancellation is not cancelled")
    func endDuringCancelling() {
        let (left, _) = showSideBySide()
        let (first, second) = stage.fingers(at: (1, 1), (101, 1))
        log.clear()
        left.onTouches = { [stage] phase, _, event in
            if phase == .moved { stage.application.cancelAllTouches() }
            if phase == .cancelled, let event { stage.application.sendEvent(event) }
        }
        var ends: [Touch.Phase] = []
        stage.application.onDelivery { if $0.phase != .moved { ends.append($0.phase) } }

        stage.send(first.moving(to: 2, 2), second.lifting())

        #expect(log.lines == ["left.moved 1", "left.cancelled 1", "right.ended 1"])
        #expect(ends == [.cancelled, .ended])
    }

    /// What a program does in a recognizer's method that takes the touches away.
    private enum Taking: CaseIterable {
        case cancelling, ignoring, removing

        @MainActor func run(on stage: Stage, _ view: View) {
            switch self {
            case .cancelling: stage.application.cancelAllTouches()
            case .ignoring: stage.application.beginIgnoringInteractionEvents()
            case .removing: view.removeFromSuperview()
            }
        }
    }

    @Test(
        "A3.2 a recognizer that received a touch's end gets no cancel of it; the next one does",
        arguments: Taking.allCases)
    private func takenInEnd(taking: Taking) {
        let view = show("view")
        let puppets = ["first", "second", "third"].map { Puppet($0, log: log) }
        for puppet in puppets {
            view.addGestureRecognizer(puppet)
            puppet.onEnded = { [log] in log.add("\(puppet.name ?? "") touchesEnded") }
        }
        puppets[1].onEnded = { [stage, log] in
            log.add("second touchesEnded")
            taking.run(on: stage, view)
        }

        stage.taps(at: 1, 1)

        #expect(
            log.lines == [
                "view.began 1", "first touchesEnded", "second touchesEnded", "third touchesCancelled",
                "view.cancelled 1", "third reset",
            ])
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("A3.2 a recognizer gets one cancel of a touch", arguments: Taking.allCases)
    private func takenInCancel(taking: Taking) {
        let (view, puppet) = (show("view"), Puppet("r", log: log))
        view.addGestureRecognizer(puppet)
        puppet.onCancelled = { [stage] in taking.run(on: stage, view) }

        stage.finger(at: 1, 1).becomesPalm()

        #expect(log.lines == ["view.began 1", "r touchesCancelled", "view.cancelled 1", "r reset"])
    }

    @Test("A3.2 a recognizer that removes its view while one finger lifts gets the cancel of the other")
    func otherFingerOfTakenView() {
        let (view, puppet) = (show("view"), Puppet("r", log: log))
        view.isMultipleTouchEnabled = true
        view.addGestureRecognizer(puppet)
        puppet.onEnded = { view.removeFromSuperview() }
        let (first, second) = stage.fingers(at: (1, 1), (2, 2))

        first.lifts()
        second.lifts()

        #expect(log.lines == ["view.began 2", "view.cancelled 1", "r touchesCancelled", "view.cancelled 1", "r reset"])
    }

    @Test("A3.2 a touch whose delayed end waits to be cancelled does not end when a handler makes a recognizer fail")
    func delayedEndDuringCancelling() {
        let (left, right) = showSideBySide()
        let tap = TapGestureRecognizer()
        right.addGestureRecognizer(tap)
        stage.window.addGestureRecognizer(Puppet("delays the end"))
        left.onTouches = { phase, _, _ in if phase == .cancelled { tap.state = .failed } }
        let (_, second) = stage.fingers(at: (1, 1), (101, 1))
        second.moves(to: 180, 1)
        second.lifts()
        log.clear()

        stage.application.cancelAllTouches()

        #expect(log.lines == ["left.cancelled 1", "right.cancelled 1"])
    }

    @Test("A5.7 a touch that a recognizer takes does not end when a handler of the cancel removes another recognizer")
    func delayedEndOfTakenTouch() {
        let (left, _) = showSideBySide()
        let pan = attach(PanGestureRecognizer())
        let doubleTap = Gesture.tap(taps: 2).makeRecognizer()
        left.addGestureRecognizer(doubleTap)
        left.onTouches = { [unowned left] phase, _, _ in
            if phase == .cancelled { left.removeGestureRecognizer(doubleTap) }
        }
        let (first, second) = stage.fingers(at: (1, 1), (101, 1))
        second.lifts()
        log.clear()

        first.moves(to: 20, 1)

        #expect(pan.state == .began)
        #expect(log.lines == ["began", "left.cancelled 1", "right.cancelled 1"])
    }

    @Test("B6 delayed touches are released in order, also if a handler of the first disables a recognizer")
    func releaseInOrder() {
        let (left, right) = showSideBySide()
        let (delaying, other) = (Puppet("delaying"), Puppet("other"))
        delaying.delaysTouchesBegan = true
        stage.window.addGestureRecognizer(delaying)
        right.addGestureRecognizer(other)
        left.onTouches = { phase, _, _ in if phase == .began { other.isEnabled = false } }
        let (first, second) = stage.fingers(at: (1, 1), (101, 1))
        first.lifts()
        #expect(log.lines.isEmpty)

        second.lifts()

        #expect(log.lines == ["left.began 1", "left.ended 1", "right.began 1", "right.ended 1"])
    }

    @Test("A3.2 a cancelled touch is reported, also if its cancellation lets a waiting recognizer begin")
    func beginningInCancellation() {
        let (view, waiting, required) = (show("view"), GestureRecognizer(), Puppet("required"))
        for recognizer in [waiting, required] { view.addGestureRecognizer(recognizer) }
        waiting.require(toFail: required)
        var reported: [Touch.Phase] = []
        stage.application.onDelivery { reported.append($0.phase) }
        stage.finger(at: 1, 1)
        waiting.state = .began

        stage.unplug(.touchscreen)

        #expect(reported == [.began, .cancelled])
        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }

    @Test("a view whose window drops hoverBegan gets no hoverEnded")
    func droppedHover() {
        final class Dropping: Window { override func sendEvent(_ event: Event) {} }
        let window = Dropping(frame: stage.screen.bounds, application: stage.application, screen: stage.screen)
        window.addSubview(Field("view", log: log, frame: window.bounds))
        window.makeKeyAndVisible()

        stage.mouse.moves(by: 10, 0)
        window.isHidden = true

        #expect(log.lines.isEmpty)
    }

    @Test("a view that leaves a window released meanwhile has no window")
    func windowThatGoesAway() {
        final class Leaving: View {
            var onLeave: () -> Void = {}
            override func willMove(toWindow newWindow: Window?) { if newWindow == nil { onLeave() } }
        }
        var window: Window? = stage.newWindow()
        let (parent, leaving, inner) = (View(), Leaving(), View())
        leaving.addSubview(inner)
        parent.addSubview(leaving)
        window?.addSubview(parent)
        weak let formerWindow = window
        leaving.onLeave = { window = nil }

        parent.removeFromSuperview()

        #expect(parent.window == nil && leaving.window == nil && inner.window == nil)
        #expect(window == nil && formerWindow == nil)
    }

    @Test("B8 a recognizer that its cancelled handler moves to another view is only there", arguments: [true, false])
    func recognizerThatMoves(isRemoved: Bool) {
        let (left, right) = showSideBySide()
        let third = show("third", 200, 0, 100, 100)
        let pan = PanGestureRecognizer { if $0.state == .cancelled { right.addGestureRecognizer($0) } }
        left.addGestureRecognizer(pan)
        stage.finger(at: 1, 1).moves(to: 60, 60)
        #expect(pan.state == .began)

        if isRemoved { left.removeGestureRecognizer(pan) } else { third.addGestureRecognizer(pan) }

        #expect(pan.view === right || pan.view === third)
        let views = [left, right, third].filter { $0.gestureRecognizers?.contains(pan) == true }
        #expect(views.map(\.accessibilityIdentifier) == [pan.view?.accessibilityIdentifier])
    }
}
