import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B20 no recognizer stays unusable")
final class UsableAgainTests: PuppetStage {
    private let answers = Answers()

    private func addTap() -> LoggingTap {
        let tap = LoggingTap("tap", log: log)
        view.addGestureRecognizer(tap)
        return tap
    }

    private func addPan() -> PanGestureRecognizer {
        let pan = PanGestureRecognizer { [log] in log.add("pan \($0.state)") }
        pan.delegate = answers
        view.addGestureRecognizer(pan)
        return pan
    }

    /// A finger moves far enough for a pan.
    private func drag() { stage.play([.lands(50, 50), .moves(90, 90), .lifts()]) }

    /// The actions of recognizers.
    private var actions: [String] { log.lines.filter { $0.hasPrefix("pan") || $0 == "tap.action" } }

    @Test("a state that is set while no touch is down is followed by a reset", arguments: [true, false])
    func stateWhileIdle(isUsedBefore: Bool) {
        let tap = addTap()
        if isUsedBefore { stage.taps(at: 50, 50) }
        log.clear()
        for state in [GestureRecognizer.State.failed, .cancelled, .failed] { tap.state = state }
        stage.advanceTime(by: 1)
        stage.taps(at: 60, 60)
        #expect(actions == ["tap.action"])
    }

    @Test("a tap that another recognizer's delegate disables for a moment still taps", arguments: [true, false])
    func disabledByADelegate(inShouldBegin: Bool) {
        let (pan, tap) = (addPan(), addTap())
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
        #expect(actions == ["pan began", "pan ended", "tap.action"])
        #expect(pan.state == .possible && tap.state == .possible)
    }

    @Test(
        "a recognizer that is disabled in its own shouldBegin begins nothing, and works when enabled",
        arguments: [true, false])
    func disabledInShouldBegin(answer: Bool) {
        let pan = addPan()
        answers.shouldBegin = { recognizer in
            recognizer.isEnabled = false
            recognizer.isEnabled = answer
            return answer
        }
        drag()
        #expect(actions.isEmpty && pan.state == .possible)
        answers.shouldBegin = { _ in true }
        pan.isEnabled = true
        drag()
        #expect(actions == ["pan began", "pan ended"])
    }

    @Test("a subclass that disables itself for a moment before super works at the next touch")
    func disabledBeforeSuper() {
        let tap = addTap()
        tap.beforeBegan = { [unowned tap] in
            tap.isEnabled = false
            tap.isEnabled = true
        }
        stage.taps(at: 50, 50)
        stage.advanceTime(by: 1)
        log.clear()
        tap.beforeBegan = nil
        stage.taps(at: 60, 60)
        #expect(actions == ["tap.action"])
    }

    @Test(
        "B23 after began comes ended or cancelled, if shouldBegin removes the view or ignores events",
        arguments: [true, false])
    func takenAwayInShouldBegin(removes: Bool) {
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
    func disabledInShouldReceive(removes: Bool) {
        let tap = TapGestureRecognizer { [log] _ in log.add("tap.action") }
        view.addGestureRecognizer(tap)
        _ = addPan()
        answers.shouldReceive = { [view] _, _ in
            if removes { view.removeGestureRecognizer(tap) } else { tap.isEnabled = false }
            return true
        }
        stage.taps(at: 50, 50)
        #expect(actions.isEmpty)
    }

    @Test("a gesture whose last touch is ignored is cancelled, and the next touch pans")
    func ignoredTouchOfGesture() {
        let pan = addPan()
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 80, 50)

        for touch in pan.activeTouches { pan.ignore(touch, for: stage.application.touches.event) }

        #expect(actions == ["pan began", "pan cancelled"])
        #expect(pan.state == .possible)
        finger.lifts()
        drag()
        #expect(actions.suffix(2) == ["pan began", "pan ended"])
    }

    @Test(
        "B20 a recognizer that ignores its last touch and then begins fails, also if it waits for another in between",
        arguments: [false, true])
    func beginsAfterIgnoring(waits: Bool) {
        let (puppet, other) = (Puppet("r", log: log), Puppet("other"))
        for recognizer in [puppet, other] { view.addGestureRecognizer(recognizer) }
        if waits {
            puppet.require(toFail: other)
            puppet.onBegan = { [unowned puppet] _, _ in puppet.state = .began }
        }
        puppet.onMoved = { [unowned puppet, stage] in
            for touch in puppet.activeTouches { puppet.ignore(touch, for: stage.application.touches.event) }
            if !waits { puppet.state = .began }
        }
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 80, 50)
        other.state = .failed
        #expect(puppet.state == .possible)
        finger.lifts()
        #expect(log.lines.filter { $0.hasPrefix("r ") } == ["r reset"])

        puppet.onBegan = nil
        puppet.onMoved = { [unowned puppet] in puppet.state = .began }
        puppet.onEnded = { [unowned puppet] in puppet.state = .ended }
        other.prevents = false
        other.onBegan = { [unowned other] _, _ in other.state = .failed }
        stage.play([.lands(50, 50), .moves(80, 50), .lifts()])
        #expect(log.lines.filter { $0.hasPrefix("r ") } == ["r reset", "r began", "r ended", "r reset"])
    }

    @Test("a view whose recognizer ignored its touch is released, and so is one under a mouse's cancelled touch")
    func released() {
        weak var released: View?
        do {
            let (view, ignoring) = (View(frame: view.bounds), Puppet("ignoring"))
            ignoring.onBegan = { [unowned ignoring] touches, event in
                for touch in touches { ignoring.ignore(touch, for: event) }
            }
            view.addGestureRecognizer(ignoring)
            stage.window.addSubview(view)
            stage.taps(at: 50, 50)
            view.removeFromSuperview()
            released = view
        }
        #expect(released == nil)

        stage.mouse.presses()
        weak let touch = stage.application.touches.active.first
        #expect(touch?.view === view)
        stage.application.cancelAllTouches()
        #expect(touch == nil)
    }

    @Test(
        "A3.2 a touch whose end an application or a window drops is cancelled, and so is its gesture",
        arguments: [true, false])
    func droppedEnd(byApplication: Bool) {
        func isEnd(_ event: Event) -> Bool { event.allTouches?.contains { $0.phase == .ended } == true }
        final class Deaf: Application {
            var drops: (Event) -> Bool = { _ in false }
            override func sendEvent(_ event: Event) { if !drops(event) { super.sendEvent(event) } }
        }
        let application = Deaf()
        let window = DeafWindow(frame: Screen.main.bounds, application: application)
        if byApplication { application.drops = isEnd } else { window.drops = isEnd }
        window.addSubview(RecordingView("view", window.bounds, log: log))
        window.addGestureRecognizer(PanGestureRecognizer { [log] in log.add("pan \($0.state)") })
        window.makeKeyAndVisible()
        let stage = Stage(application)

        stage.taps(at: 50, 50)
        #expect(log.lines == ["view.began 1", "view.cancelled 1"])
        for _ in 1...2 { stage.play([.lands(50, 50), .moves(90, 90), .lifts()]) }
        #expect(actions == ["pan began", "pan cancelled", "pan began", "pan cancelled"])
    }

    @Test("a chord counts the fingers that it received, not one whose beginning a window drops")
    func droppedBeginning() {
        let application = Application()
        let window = DeafWindow(frame: Screen.main.bounds, application: application)
        let chord = ChordGestureRecognizer(touches: 2, duration: 1)
        chord.addHandler { [log] in log.add("chord \($0.state)") }
        window.addGestureRecognizer(chord)
        window.makeKeyAndVisible()
        let stage = Stage(application)
        for (dropped, expected) in [(true, []), (false, ["chord ended"])] {
            window.drops = { _ in dropped }
            let first = stage.finger(at: 50, 50)
            window.drops = { _ in false }
            let second = stage.finger(at: 300, 300)
            stage.advanceTime(by: 2)
            #expect(log.lines == expected, "dropped: \(dropped)")
            for finger in [first, second] { finger.lifts() }
        }
    }

    @Test("a tap whose subclass removes itself in touchesBegan survives its timer, and works where it is added again")
    func removedInTouchesBegan() {
        let tap = addTap()
        tap.beforeBegan = { [unowned tap] in tap.view?.removeGestureRecognizer(tap) }
        stage.taps(at: 50, 50)
        stage.advanceTime(by: 2)
        #expect(view.gestureRecognizers?.isEmpty == true && stage.application.timers.next == nil)
        tap.beforeBegan = nil
        view.addGestureRecognizer(tap)
        stage.taps(at: 50, 50)
        #expect(actions == ["tap.action"])
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
        #expect(actions == ["pan began", "pan cancelled"])
    }

    @Test("A1.5 a delayed touchesBegan is not delivered while events are ignored")
    func delayedWhileIgnoring() {
        let (first, second) = (show("first", 0, 0, 100, 100), show("second", 100, 0, 100, 100))
        let puppet = Puppet("delays")
        puppet.delaysTouchesBegan = true
        second.addGestureRecognizer(puppet)
        first.onTouches = { phase, _, _ in if phase == .cancelled { puppet.state = .failed } }
        let fingers = [stage.finger(at: 50, 50), stage.finger(at: 150, 50)]
        #expect(log.lines == ["first.began 1"])
        stage.application.beginIgnoringInteractionEvents()
        for finger in fingers { finger.lifts() }
        #expect(log.lines == ["first.began 1", "first.cancelled 1"])
    }
}

/// A window that keeps events from its views and recognizers.
private final class DeafWindow: Window {
    var drops: (Event) -> Bool = { _ in false }
    override func sendEvent(_ event: Event) { if !drops(event) { super.sendEvent(event) } }
}
