import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("Handlers that change the tree or the queue during delivery")
struct ReentrancyTests {
    let stage = Stage()
    let log = CallLog()

    private func view(_ name: String, _ x: Double) -> RecordingView {
        let view = RecordingView(name, CGRect(x: x, y: 0, width: 100, height: 100), log: log)
        view.passesOn = false
        stage.window.addSubview(view)
        return view
    }

    @Test("B17 a window that a handler hides gets the cancel")
    func hidingTheWindow() {
        let dialog = stage.newWindow()
        let button = RecordingView("button", dialog.bounds, log: log)
        button.passesOn = false
        button.onTouches = { phase, _, _ in if phase == .began { dialog.isHidden = true } }
        dialog.addSubview(button)
        dialog.makeKeyAndVisible()
        _ = view("behind", 0)

        stage.taps(at: 1, 1)
        stage.taps(at: 1, 1)

        #expect(log.lines == ["button.began 1", "button.cancelled 1", "behind.began 1", "behind.ended 1"])
        #expect(stage.application.keyWindow === stage.window)
    }

    @Test("A1.4 an event that a handler sends again is not delivered again")
    func sendingAgain() {
        let view = view("view", 0)
        view.onTouches = { [stage] _, _, event in if let event { stage.application.sendEvent(event) } }

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("A3.2 a touch whose end a subclass of Application swallows is cancelled instead")
    func swallowedEnd() {
        final class Swallowing: Application {
            override func sendEvent(_ event: Event) {
                if event.allTouches?.contains(where: { $0.phase == .ended }) != true { super.sendEvent(event) }
            }
        }
        let stage = Stage(Swallowing())
        let window = Window(frame: Screen.main.bounds, application: stage.application)
        window.addSubview(RecordingView("view", window.bounds, log: log))
        window.makeKeyAndVisible()

        stage.taps(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }

    @Test("B2 a touch cancelled by the first of two closures ends in the second")
    func closuresAfterTheEnd() {
        let view = View(frame: stage.screen.bounds)
        stage.window.addSubview(view)
        view.addHandler(for: .began) { [log, stage] _, _ in
            log.add("first")
            stage.application.cancelAllTouches()
        }
        view.addHandler(for: .began) { [log] _, _ in log.add("second") }
        view.addHandler(for: .cancelled) { [log] _, _ in log.add("cancelled") }

        stage.finger(at: 1, 1)

        #expect(log.lines == ["first", "cancelled"])
    }

    @Test("A3.2 an event queued during a cancellation is delivered after it")
    func queueingWhileCancelling() {
        let view = view("view", 0)
        let next = stage.finger()
        view.onTouches = { [stage] phase, _, _ in
            guard phase == .cancelled else { return }
            stage.enqueue([next.landing(at: 1, 1)])
            stage.application.drainEvents()
        }
        stage.finger(at: 1, 1)

        stage.application.cancelAllTouches()

        #expect(log.lines == ["view.began 1", "view.cancelled 1", "view.began 1"])
    }

    @Test("A2.3 a hit-test override that changes the tree is safe")
    func hitTestThatMutates() {
        let (rear, front) = (view("rear", 0), view("front", 0))
        front.hitTestOverride = { front, _, _ in
            rear.removeFromSuperview()
            front.removeFromSuperview()
            return nil
        }

        stage.taps(at: 1, 1)

        #expect(log.lines.isEmpty)
        #expect(stage.window.subviews.isEmpty)
    }

    @Test("B2 a touch that comes while a view is being removed does not reach it")
    func beginningDuringRemoval() {
        let view = view("view", 0)
        let next = stage.finger()
        view.onTouches = { [stage] phase, _, _ in
            guard phase == .cancelled else { return }
            stage.enqueue([next.landing(at: 1, 1)])
            stage.application.drainEvents()
        }
        stage.finger(at: 1, 1)

        view.removeFromSuperview()
        next.lifts(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
    }

    @Test("A3.2 a touch whose end is delivered during a cancellation is not cancelled")
    func endDuringCancelling() {
        let (left, right) = (view("left", 0), view("right", 100))
        let (first, second) = stage.fingers(at: (1, 1), (101, 1))
        log.clear()
        left.onTouches = { [stage] phase, _, event in
            if phase == .moved { stage.application.cancelAllTouches() }
            if phase == .cancelled, let event { stage.application.sendEvent(event) }
        }
        var ends: [Touch.Phase] = []
        stage.application.onDelivery { if $0.phase != .moved { ends.append($0.phase) } }

        stage.send(first.moving(to: 2, 2), second.lifting(at: 101, 1))

        #expect(log.lines == ["left.moved 1", "left.cancelled 1", "right.ended 1"])
        #expect(ends == [.cancelled, .ended])
        #expect(right.window === stage.window)
    }

    @Test("A3.2 a touch whose delayed end waits to be cancelled does not end when a handler makes a recognizer fail")
    func delayedEndDuringCancelling() {
        let (left, right) = (view("left", 0), view("right", 100))
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
        let (left, _) = (view("left", 0), view("right", 100))
        let (pan, doubleTap) = (PanGestureRecognizer(), TapGestureRecognizer())
        doubleTap.numberOfTapsRequired = 2
        stage.window.addGestureRecognizer(pan)
        left.addGestureRecognizer(doubleTap)
        left.onTouches = { [unowned left] phase, _, _ in
            if phase == .cancelled { left.removeGestureRecognizer(doubleTap) }
        }
        let (first, second) = stage.fingers(at: (1, 1), (101, 1))
        second.lifts()
        log.clear()

        first.moves(to: 20, 1)

        #expect(pan.state == .began)
        #expect(log.lines == ["left.cancelled 1", "right.cancelled 1"])
    }

    @Test("B6 delayed touches are released in order, also if a handler of the first disables a recognizer")
    func releaseInOrder() {
        let (left, right) = (view("left", 0), view("right", 100))
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
        let (view, waiting, required) = (view("view", 0), GestureRecognizer(), Puppet("required"))
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
        final class Hovered: View {
            var ends = 0
            override func hoverEnded(_ pointer: Pointer, with event: Event?) { ends += 1 }
        }
        let window = Dropping(frame: stage.screen.bounds, application: stage.application, screen: stage.screen)
        let view = Hovered(frame: window.bounds)
        window.addSubview(view)
        window.makeKeyAndVisible()

        stage.mouse.moves(by: 10, 0)
        window.isHidden = true

        #expect(view.ends == 0)
    }

    @Test("a view that leaves a window released meanwhile has no window")
    func windowThatGoesAway() {
        var window: Window? = stage.newWindow()
        let leaving = LeavingView(frame: stage.screen.bounds)
        let inner = View(frame: stage.screen.bounds)
        leaving.addSubview(inner)
        let parent = View(frame: stage.screen.bounds)
        parent.addSubview(leaving)
        window?.addSubview(parent)
        weak let formerWindow = window
        leaving.onLeave = { window = nil }

        parent.removeFromSuperview()

        #expect(parent.window == nil && leaving.window == nil && inner.window == nil)
        #expect(window == nil && formerWindow == nil)
    }

    @Test("B8 a recognizer that its cancelled handler moves to another view is only there")
    func recognizerThatMoves() {
        let (left, right, third) = (view("left", 0), view("right", 100), view("third", 200))
        let pan = PanGestureRecognizer()
        pan.addHandler { [unowned right] in
            if $0.state == .cancelled { right.addGestureRecognizer($0) }
        }
        for target in [nil, third] {
            left.addGestureRecognizer(pan)
            let finger = stage.finger()
            stage.send(finger.landing(at: 1, 1))
            stage.send(finger.moving(to: 60, 60))
            #expect(pan.state == .began)

            if let target { target.addGestureRecognizer(pan) } else { left.removeGestureRecognizer(pan) }

            #expect(pan.view === right || pan.view === third)
            let views = [left, right, third].filter { $0.gestureRecognizers?.contains(pan) == true }
            #expect(views.map(\.identifier) == [pan.view?.identifier])
            stage.send(finger.lifting(at: 60, 60))
            pan.view?.removeGestureRecognizer(pan)
        }
    }
}

/// Calls a closure before it leaves its window.
private final class LeavingView: View {
    var onLeave: (() -> Void)?

    override func willMove(toWindow newWindow: Window?) { if newWindow == nil { onLeave?() } }
}
