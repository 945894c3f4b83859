import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B20 no recognizer and no control stays unusable")
struct UsableAgainTests {
    private let stage = Stage(size: CGSize(width: 400, height: 400))
    private let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    private let answers = Answers()
    private let log = CallLog()

    init() { stage.window.addSubview(view) }

    private func addTap(_ recognizer: TapGestureRecognizer) -> TapGestureRecognizer {
        recognizer.addHandler { [log] in log.add("tap at \(Int($0.location(in: nil).x))") }
        view.addGestureRecognizer(recognizer)
        return recognizer
    }

    private func addPan() -> PanGestureRecognizer {
        let pan = PanGestureRecognizer { [log] in log.add("pan \($0.state)") }
        pan.delegate = answers
        view.addGestureRecognizer(pan)
        return pan
    }

    private func drag() {
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 90, 90)
        finger.lifts()
    }

    @Test("a state that is set while no touch is down is followed by a reset", arguments: [true, false])
    func stateWhileIdle(_ isUsedBefore: Bool) {
        let tap = addTap(TapGestureRecognizer())
        if isUsedBefore { stage.taps(at: 50, 50) }
        for state in [GestureRecognizer.State.failed, .cancelled, .failed] { tap.state = state }
        stage.advanceTime(by: 1)
        stage.taps(at: 60, 60)
        #expect(log.lines.last == "tap at 60")
    }

    @Test("a tap that another recognizer's delegate disables for a moment still taps", arguments: [true, false])
    func disabledByADelegate(_ inShouldBegin: Bool) {
        let (pan, tap) = (addPan(), addTap(TapGestureRecognizer()))
        func toggle() -> Bool {
            tap.isEnabled = false
            tap.isEnabled = true
            return true
        }
        if inShouldBegin {
            answers.shouldBegin = { _ in toggle() }
        } else {
            answers.simultaneously = { _, _ in !toggle() }
        }
        drag()
        stage.advanceTime(by: 1)
        answers.shouldBegin = { _ in true }
        stage.taps(at: 60, 60)
        #expect(log.lines == ["pan began", "pan ended", "tap at 60"])
        #expect(pan.state == .possible && tap.state == .possible)
    }

    @Test(
        "a recognizer that is disabled in its own shouldBegin begins nothing, and works when enabled",
        arguments: [true, false])
    func disabledInShouldBegin(_ answer: Bool) {
        let pan = addPan()
        answers.shouldBegin = { recognizer in
            recognizer.isEnabled = false
            recognizer.isEnabled = answer
            return answer
        }
        drag()
        #expect(log.lines.isEmpty && pan.state == .possible)
        answers.shouldBegin = { _ in true }
        pan.isEnabled = true
        drag()
        #expect(log.lines == ["pan began", "pan ended"])
    }

    @Test("a subclass that disables itself for a moment before super works at the next touch")
    func disabledBeforeSuper() {
        final class Restless: TapGestureRecognizer {
            var isRestless = true
            override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
                if isRestless {
                    isEnabled = false
                    isEnabled = true
                }
                super.touchesBegan(touches, with: event)
            }
        }
        let restless = Restless()
        _ = addTap(restless)
        stage.taps(at: 50, 50)
        stage.advanceTime(by: 1)
        restless.isRestless = false
        stage.taps(at: 60, 60)
        #expect(log.lines.last == "tap at 60")
    }

    @Test(
        "B23 after began comes ended or cancelled, if shouldBegin removes the view or ignores events",
        arguments: [true, false])
    func takenAwayInShouldBegin(_ removes: Bool) {
        _ = addPan()
        answers.shouldBegin = { [view, stage] _ in
            if removes { view.removeFromSuperview() } else { stage.application.beginIgnoringInteractionEvents() }
            return true
        }
        drag()
        #expect(!log.lines.contains("pan failed"))
        #expect(log.lines.contains("pan began") == log.lines.contains("pan cancelled"))
    }

    @Test(
        "a recognizer that another's shouldReceive disables or removes does not receive the touch",
        arguments: [true, false])
    func disabledInShouldReceive(_ removes: Bool) {
        let tap = addTap(TapGestureRecognizer())
        _ = addPan()
        answers.shouldReceive = { [view] _, _ in
            if removes { view.removeGestureRecognizer(tap) } else { tap.isEnabled = false }
            return true
        }
        stage.taps(at: 50, 50)
        #expect(log.lines.isEmpty)
    }

    @Test("a view whose recognizer ignored its touch is released")
    func ignoredTouch() {
        final class Ignoring: GestureRecognizer {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
                for touch in touches { ignore(touch, for: event) }
            }
        }
        weak var released: View?
        do {
            let view = View(frame: view.bounds)
            view.addGestureRecognizer(Ignoring())
            stage.window.addSubview(view)
            stage.taps(at: 50, 50)
            view.removeFromSuperview()
            released = view
        }
        #expect(released == nil)
    }

    @Test("a gesture whose last touch is ignored is cancelled, and the next touch pans")
    func ignoredTouchOfGesture() {
        let pan = addPan()
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 80, 50)

        for touch in pan.activeTouches { pan.ignore(touch, for: stage.application.touches.event) }

        #expect(log.lines == ["pan began", "pan cancelled"])
        #expect(pan.state == .possible)
        finger.lifts()
        stage.finger(at: 50, 50).moves(to: 80, 50)
        #expect(log.lines.last == "pan began")
    }

    @Test("a view whose touch by a mouse is cancelled is released while the button is down")
    func viewUnderPressedButton() {
        stage.mouse.presses()
        weak let touch = stage.application.touches.active.first
        #expect(touch?.view === view)

        stage.application.cancelAllTouches()

        #expect(touch == nil)
    }

    @Test("a hover recognizer whose state was set begins with the next pointer")
    func hoverAfterStateWasSet() {
        let hover = HoverGestureRecognizer { log.add("\($0.state)") }
        view.addGestureRecognizer(hover)
        hover.state = .ended
        stage.mouse.moves(by: 10, 0)
        #expect(log.lines == ["began"])
    }

    @Test("a window that drops an end leaves no gesture in progress")
    func droppedEnd() {
        final class Deaf: Window {
            override func sendEvent(_ event: Event) {
                if event.allTouches?.contains(where: { $0.phase == .ended }) != true { super.sendEvent(event) }
            }
        }
        let stage = Stage(size: CGSize(width: 400, height: 400))
        let window = Deaf(frame: stage.screen.bounds, application: stage.application, screen: stage.screen)
        window.makeKeyAndVisible()
        window.addGestureRecognizer(PanGestureRecognizer { log.add("\($0.state)") })
        for _ in 0..<2 {
            let finger = stage.finger(at: 50, 50)
            finger.moves(to: 90, 90)
            finger.lifts()
        }
        #expect(log.lines == ["began", "cancelled", "began", "cancelled"])
    }

    @Test("a tap whose subclass removes itself in touchesBegan leaves no timer behind")
    func removedInTouchesBegan() {
        final class Leaving: TapGestureRecognizer {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
                view?.removeGestureRecognizer(self)
                super.touchesBegan(touches, with: event)
            }
        }
        view.addGestureRecognizer(Leaving())
        stage.taps(at: 50, 50)
        stage.advanceTime(by: 2)
        #expect(view.gestureRecognizers?.isEmpty == true)
    }

    @Test("a control whose touch is cancelled while it begins to track works at the next touch")
    func controlCancelledInBegin() {
        final class Key: Control {
            var isFirst = true
            override func beginTracking(_ touch: Touch, with event: Event?) -> Bool {
                if isFirst { application.cancelAllTouches() }
                isFirst = false
                return true
            }
        }
        let key = Key(frame: view.bounds)
        key.addHandler(for: .touchUpInside) { _, _ in log.add("up") }
        view.addSubview(key)
        stage.taps(at: 50, 50)
        #expect(!key.isTracking && !key.isHighlighted)
        stage.taps(at: 50, 50)
        #expect(log.lines == ["up"])
    }

    @Test("B27 cancelTracking ends tracking: only touchCancel follows")
    func cancelTracking() {
        let key = Control(frame: view.bounds)
        key.addHandler(for: .allTouchEvents) { _, _ in log.add("event") }
        key.addHandler(for: .touchCancel) { _, event in log.add("cancel \(event == nil)") }
        view.addSubview(key)
        let finger = stage.finger(at: 50, 50)
        key.cancelTracking(with: nil)
        finger.moves(to: 60, 60)
        finger.lifts()
        #expect(log.lines == ["event", "event", "cancel true"])
        #expect(!key.isTracking && !key.isHighlighted)
    }

    @Test("B27 tracking that ends because the control leaves its window has no event")
    func controlLeaves() {
        final class Key: Control {
            let log: CallLog
            init(log: CallLog, frame: CGRect) {
                self.log = log
                super.init(frame: frame)
            }
            override func cancelTracking(with event: Event?) {
                log.add("cancelTracking \(event == nil)")
                super.cancelTracking(with: event)
            }
        }
        let key = Key(log: log, frame: view.bounds)
        key.addHandler(for: .touchCancel) { _, event in log.add("touchCancel \(event == nil)") }
        view.addSubview(key)
        let finger = stage.finger(at: 50, 50)
        key.removeFromSuperview()
        finger.lifts()
        #expect(log.lines == ["cancelTracking true", "touchCancel true"])
        log.clear()
        view.addSubview(key)
        _ = stage.finger(at: 50, 50)
        stage.application.cancelAllTouches()
        #expect(log.lines == ["cancelTracking false", "touchCancel false"])
    }

    @Test("B27 tracking of a touch on a control's subview has no event either when the control leaves its window")
    func controlWithSubviewLeaves() {
        let key = Control(frame: view.bounds)
        key.addHandler(for: .touchCancel) { _, event in log.add("touchCancel \(event == nil)") }
        key.addSubview(View(frame: view.bounds))
        view.addSubview(key)
        stage.finger(at: 50, 50)
        key.removeFromSuperview()
        #expect(log.lines == ["touchCancel true"])
    }

    @Test("B2 a recognizer whose view leaves the window is cancelled, also if the touched view is elsewhere by now")
    func viewOfRecognizerLeaves() {
        _ = addPan()
        let touched = View(frame: view.bounds)
        view.addSubview(touched)
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 90, 90)
        stage.window.addSubview(touched)
        view.removeFromSuperview()
        finger.moves(to: 100, 100)
        finger.lifts()
        #expect(log.lines == ["pan began", "pan cancelled"])
    }

    @Test("A1.5 a delayed touchesBegan is not delivered while events are ignored")
    func delayedWhileIgnoring() {
        let first = RecordingView("first", CGRect(x: 0, y: 0, width: 100, height: 100), log: log)
        let second = RecordingView("second", CGRect(x: 100, y: 0, width: 100, height: 100), log: log)
        let puppet = Puppet("delays")
        puppet.delaysTouchesBegan = true
        second.addGestureRecognizer(puppet)
        for touched in [first, second] {
            touched.passesOn = false
            view.addSubview(touched)
        }
        first.onTouches = { phase, _, _ in if phase == .cancelled { puppet.state = .failed } }
        let fingers = [stage.finger(at: 50, 50), stage.finger(at: 150, 50)]
        #expect(log.lines == ["first.began 1"])
        stage.application.beginIgnoringInteractionEvents()
        for finger in fingers { finger.lifts() }
        #expect(log.lines == ["first.began 1", "first.cancelled 1"])
    }

    @Test("a control whose touch is cancelled in continueTracking, or that is disabled there, sends touchCancel alone")
    func cancelledInContinueTracking() {
        final class Key: Control {
            var ends: (Key) -> Void = { _ in }
            override func continueTracking(_ touch: Touch, with event: Event?) -> Bool {
                ends(self)
                return true
            }
        }
        for ends: (Key) -> Void in [
            { $0.application.cancelAllTouches() }, { $0.isEnabled = false }, { $0.cancelTracking(with: nil) },
            { $0.removeFromSuperview() },
        ] {
            let key = Key(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
            key.ends = ends
            key.addHandler(for: .touchCancel) { _, _ in log.add("cancel") }
            key.addHandler(for: [.touchDragExit, .touchDragInside, .touchDragOutside]) { _, _ in log.add("drag") }
            view.addSubview(key)
            let finger = stage.finger(at: 25, 25)
            finger.moves(to: 200, 200)
            finger.lifts()
            #expect(!key.isTracking && !key.isHighlighted)
            key.removeFromSuperview()
        }
        #expect(log.lines == ["cancel", "cancel", "cancel", "cancel"])
    }

    @Test("a control that is disabled for a moment in beginTracking does not track the touch")
    func disabledInBeginTracking() {
        final class Key: Control {
            override func beginTracking(_ touch: Touch, with event: Event?) -> Bool {
                isEnabled = false
                isEnabled = true
                return true
            }
        }
        let key = Key(frame: view.bounds)
        key.addHandler(for: .allTouchEvents) { _, _ in log.add("event") }
        view.addSubview(key)
        stage.taps(at: 50, 50)
        #expect(log.lines.isEmpty && !key.isTracking && key.trackedTouch == nil)
    }

    @Test("a control that is disabled in endTracking sends touchCancel alone")
    func disabledInEndTracking() {
        final class Key: Control {
            override func endTracking(_ touch: Touch?, with event: Event?) { isEnabled = false }
        }
        let key = Key(frame: view.bounds)
        key.addHandler(for: .touchCancel) { _, _ in log.add("cancel") }
        key.addHandler(for: [.touchUpInside, .touchUpOutside]) { _, _ in log.add("up") }
        view.addSubview(key)
        stage.taps(at: 50, 50)
        #expect(log.lines == ["cancel"])
    }

    @Test("B20 a control ends tracking if its subview keeps the touch's end")
    func controlLosesEnd() {
        final class Subview: View {
            override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {}
        }
        let button = Button(frame: stage.screen.bounds)
        let subview = Subview(frame: button.bounds)
        button.addSubview(subview)
        stage.window.addSubview(button)
        button.addHandler(for: .touchDown) { _, _ in log.add("down") }
        button.addHandler(for: .touchCancel) { _, _ in log.add("cancel") }

        stage.taps(at: 50, 50)
        stage.taps(at: 50, 50)

        #expect(log.lines == ["down", "cancel", "down", "cancel"])
        #expect(!button.isTracking && !button.isHighlighted)
    }
}
