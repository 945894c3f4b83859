import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Answers a recognizer's questions with closures.
private final class ClosureDelegate: GestureRecognizerDelegate {
    var shouldReceive: () -> Bool = { true }
    var shouldBegin: (GestureRecognizer) -> Bool = { _ in true }
    var simultaneously: (GestureRecognizer) -> Bool = { _ in false }

    func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { shouldBegin(recognizer) }

    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool { shouldReceive() }

    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { simultaneously(other) }
}

@Suite("B20 no recognizer and no control stays unusable")
struct UsableAgainTests {
    private let stage = Stage(size: CGSize(width: 400, height: 400))
    private let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    private let answers = ClosureDelegate()

    init() { stage.window.addSubview(view) }

    private func addTap(_ recognizer: TapGestureRecognizer, _ log: CallLog) -> TapGestureRecognizer {
        recognizer.addHandler { log.add("tap at \(Int($0.location(in: nil).x))") }
        view.addGestureRecognizer(recognizer)
        return recognizer
    }

    private func addPan(_ log: CallLog) -> PanGestureRecognizer {
        let pan = PanGestureRecognizer { log.add("pan \($0.state)") }
        pan.delegate = answers
        view.addGestureRecognizer(pan)
        return pan
    }

    @Test("a state that is set while no touch is down is followed by a reset", arguments: [true, false])
    func stateWhileIdle(_ isUsedBefore: Bool) {
        let log = CallLog()
        let tap = addTap(TapGestureRecognizer(), log)
        if isUsedBefore { stage.taps(at: 50, 50) }
        for state in [GestureRecognizer.State.failed, .cancelled, .failed] { tap.state = state }
        stage.advanceTime(by: 1)
        stage.taps(at: 60, 60)
        #expect(log.lines.last == "tap at 60")
    }

    @Test("a tap that another recognizer's delegate disables for a moment still taps", arguments: [true, false])
    func disabledByADelegate(_ inShouldBegin: Bool) {
        let log = CallLog()
        let (pan, tap) = (addPan(log), addTap(TapGestureRecognizer(), log))
        func toggle() -> Bool {
            tap.isEnabled = false
            tap.isEnabled = true
            return true
        }
        if inShouldBegin {
            answers.shouldBegin = { _ in toggle() }
        } else {
            answers.simultaneously = { _ in !toggle() }
        }
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 90, 90)
        finger.lifts()
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
        let log = CallLog()
        let pan = addPan(log)
        answers.shouldBegin = { recognizer in
            recognizer.isEnabled = false
            recognizer.isEnabled = answer
            return answer
        }
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 90, 90)
        finger.lifts()
        #expect(log.lines.isEmpty && pan.state == .possible)
        answers.shouldBegin = { _ in true }
        pan.isEnabled = true
        let next = stage.finger(at: 50, 50)
        next.moves(to: 90, 90)
        next.lifts()
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
        let log = CallLog()
        let restless = Restless()
        _ = addTap(restless, log)
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
        let log = CallLog()
        _ = addPan(log)
        answers.shouldBegin = { [view, stage] _ in
            if removes { view.removeFromSuperview() } else { stage.application.beginIgnoringInteractionEvents() }
            return true
        }
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 90, 90)
        finger.lifts()
        #expect(!log.lines.contains("pan failed"))
        #expect(log.lines.contains("pan began") == log.lines.contains("pan cancelled"))
    }

    @Test(
        "a recognizer that another's shouldReceive disables or removes does not receive the touch",
        arguments: [true, false])
    func disabledInShouldReceive(_ removes: Bool) {
        let log = CallLog()
        let tap = addTap(TapGestureRecognizer(), log)
        _ = addPan(log)
        answers.shouldReceive = { [view] in
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
        let log = CallLog()
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
        let log = CallLog()
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
        let log = CallLog()
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
        let log = CallLog()
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

    @Test("sendActions runs a button's handler once, also for all events")
    func allEvents() {
        let (button, log) = (Button(frame: view.bounds), CallLog())
        button.addHandler(for: .primaryActionTriggered) { _, _ in log.add("action") }
        button.sendActions(for: .allEvents)
        #expect(log.lines == ["action"])
        button.sendActions(for: .touchUpInside)
        #expect(log.lines == ["action", "action"])
    }

    @Test("a control that is disabled in endTracking sends touchCancel alone")
    func disabledInEndTracking() {
        final class Key: Control {
            override func endTracking(_ touch: Touch?, with event: Event?) { isEnabled = false }
        }
        let key = Key(frame: view.bounds)
        let log = CallLog()
        key.addHandler(for: .touchCancel) { _, _ in log.add("cancel") }
        key.addHandler(for: [.touchUpInside, .touchUpOutside]) { _, _ in log.add("up") }
        view.addSubview(key)
        stage.taps(at: 50, 50)
        #expect(log.lines == ["cancel"])
    }
}

@Suite("B24 what views see of a delayed touch")
struct DelayedTouchTests {
    /// Logs the touches of its calls, those of the event, and where they are.
    private final class Seeing: View {
        let log = CallLog()

        private func add(_ call: String, _ touches: Set<Touch>, _ event: Event?) {
            let places = touches.map { "\(Int($0.previousLocation(in: nil).x)) \(Int($0.location(in: nil).x))" }
            let isInEvent = touches.isSubset(of: event?.allTouches ?? [])
            log.add("\(call) \(places.joined(separator: ", ")) \(isInEvent) \(event?.touches(for: self)?.count ?? 0)")
        }
        override func touchesBegan(_ touches: Set<Touch>, with event: Event?) { add("began", touches, event) }
        override func touchesMoved(_ touches: Set<Touch>, with event: Event?) { add("moved", touches, event) }
        override func touchesEnded(_ touches: Set<Touch>, with event: Event?) { add("ended", touches, event) }
    }

    private let stage = Stage(size: CGSize(width: 400, height: 400))
    private let view = Seeing(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    private let tap = TapGestureRecognizer()

    init() {
        stage.window.addSubview(view)
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
    }

    @Test("a delayed touchesBegan shows the landing, and touchesMoved the current location")
    func landing() {
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 60, 50)
        finger.moves(to: 150, 50)
        finger.moves(to: 160, 50)
        finger.lifts()
        #expect(
            view.log.lines == [
                "began 50 50 true 1", "moved 50 150 true 1", "moved 150 160 true 1", "ended 160 160 true 1",
            ])
    }

    @Test("a delayed touchesBegan of a touch that has ended is in its event")
    func ended() {
        tap.numberOfTapsRequired = 2
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 60, 50)
        finger.lifts()
        #expect(view.log.lines.isEmpty)
        stage.advanceTime(by: 1)
        #expect(view.log.lines.count == 2)
        #expect(view.log.lines.first == "began 50 50 true 1")
        #expect(view.log.lines.last?.hasSuffix("60 true 1") == true)
    }

    @Test("an older touch whose end is delayed is not one of the event's touches")
    func olderTouch() {
        tap.numberOfTapsRequired = 2
        tap.delaysTouchesBegan = false
        stage.taps(at: 50, 50)
        _ = stage.finger(at: 52, 50)
        #expect(view.log.lines == ["began 50 50 true 1", "began 52 52 true 1"])
    }
}

@Suite("B7, B21 taps that wait for a double tap")
struct WaitingTapTests {
    private let stage = Stage(size: CGSize(width: 400, height: 400))
    private let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    private let log = CallLog()

    init() {
        stage.window.addSubview(view)
        let (single, double) = (TapGestureRecognizer(), TapGestureRecognizer())
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        single.addHandler { [log] in log.add("single at \(Int($0.location(in: nil).x))") }
        double.addHandler { [log] in log.add("double at \(Int($0.location(in: nil).x))") }
        view.addGestureRecognizer(single)
        view.addGestureRecognizer(double)
    }

    @Test("taps far apart are single taps, each")
    func farApart() {
        for x in stride(from: 20, through: 380, by: 60) {
            stage.taps(at: CGFloat(x), 100)
            stage.advanceTime(by: 0.1)
        }
        stage.advanceTime(by: 1)
        #expect(log.lines == stride(from: 20, through: 380, by: 60).map { "single at \($0)" })
    }

    @Test("two taps in one place are a double tap alone")
    func double() {
        stage.taps(at: 100, 100)
        stage.taps(at: 102, 100)
        stage.advanceTime(by: 1)
        #expect(log.lines == ["double at 100"])
    }

    @Test("a tap before a drag, and before a finger that stays, is a single tap", arguments: [true, false])
    func tapThen(_ drags: Bool) {
        stage.taps(at: 100, 100)
        let finger = stage.finger(at: 100, 100)
        if drags { finger.moves(to: 300, 100, over: 0.1) } else { stage.advanceTime(by: 1) }
        #expect(log.lines == ["single at 100"])
        finger.lifts()
        stage.advanceTime(by: 1)
        #expect(log.lines == ["single at 100"])
    }

    @Test(
        "nothing acts later if the view is removed, its window hidden, events are ignored or touches cancelled",
        arguments: 0..<4)
    func takenAway(_ way: Int) {
        stage.taps(at: 100, 100)
        switch way {
        case 0: view.removeFromSuperview()
        case 1: stage.window.isHidden = true
        case 2: stage.application.beginIgnoringInteractionEvents()
        default: stage.application.cancelAllTouches()
        }
        stage.advanceTime(by: 1)
        #expect(log.lines.isEmpty)
    }

    @Test("a tap whose panel is unplugged was completed")
    func unplugged() {
        stage.taps(at: 100, 100)
        stage.unplug(.touchscreen)
        stage.advanceTime(by: 1)
        #expect(log.lines == ["single at 100"])
    }

    @Test("B22 a circle of requirements is broken, and reported once")
    func circle() {
        let names = ["a", "b", "c"]
        let taps = names.map { name in TapGestureRecognizer(name: nil) { [log] _ in log.add(name) } }
        for (index, tap) in taps.enumerated() {
            tap.name = names[index]
            tap.require(toFail: taps[(index + 1) % 3])
        }
        let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        stage.window.addSubview(view)
        taps.forEach(view.addGestureRecognizer)
        var reports: [String] = []
        stage.application.didReport = { if case .failureCircle = $0 { reports.append("\($0)") } }
        for _ in 0..<2 {
            stage.taps(at: 100, 100)
            stage.advanceTime(by: 1)
        }
        #expect(log.lines.count == 2)
        #expect(reports.count == 1 && names.allSatisfy { reports[0].contains("'\($0)'") })
    }
}

@Suite("B10, B28 what a pan, a press and taps give")
struct GestureValueTests {
    private let stage = Stage(size: CGSize(width: 400, height: 400))

    @Test("a pan's translation counts from where the finger landed, also in shouldBegin")
    func translation() {
        let answers = ClosureDelegate()
        var seen: [CGPoint] = []
        let pan = PanGestureRecognizer { seen.append(($0 as? PanGestureRecognizer)?.translation(in: nil) ?? .zero) }
        answers.shouldBegin = { recognizer in
            seen.append((recognizer as? PanGestureRecognizer)?.translation(in: nil) ?? .zero)
            return true
        }
        pan.delegate = answers
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 70, 50)
        finger.moves(to: 75, 55)
        pan.setTranslation(.zero, in: nil)
        finger.moves(to: 76, 57)
        let rounded = seen.map { CGPoint(x: $0.x.rounded(), y: $0.y.rounded()) }
        #expect(rounded == [CGPoint(x: 20, y: 0), CGPoint(x: 20, y: 0), CGPoint(x: 25, y: 5), CGPoint(x: 1, y: 2)])
    }

    @Test("setTranslation holds in a rotated and scaled view's coordinates", arguments: [30.0, 90, 200])
    func rotated(_ degrees: Double) {
        let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        view.transform = CGAffineTransform(rotationAngle: degrees * .pi / 180).scaledBy(x: 2, y: 0.5)
        stage.window.addSubview(view)
        let pan = PanGestureRecognizer { _ in }
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 200, 200)
        finger.moves(to: 230, 210)
        pan.setTranslation(CGPoint(x: 3, y: -4), in: view)
        let translation = pan.translation(in: view)
        #expect(abs(translation.x - 3) < 1e-9 && abs(translation.y + 4) < 1e-9)
    }

    @Test("a long press without a duration begins with its touch; one of infinite duration never")
    func durations() {
        let log = CallLog()
        for duration in [0, .infinity, 1e10] {
            let press = LongPressGestureRecognizer { log.add("\(duration) \($0.state)") }
            press.minimumPressDuration = duration
            press.delegate = nil
            stage.window.addGestureRecognizer(press)
        }
        let finger = stage.finger(at: 50, 50)
        #expect(log.lines == ["0.0 began"])
        stage.advanceTime(by: 100)
        finger.lifts()
        #expect(log.lines == ["0.0 began", "0.0 ended"])
    }

    @Test("a tap of two fingers that lift one after the other has two touches")
    func twoFingers() {
        var count = 0
        let tap = TapGestureRecognizer { count = $0.numberOfTouches }
        tap.numberOfTouchesRequired = 2
        stage.window.isMultipleTouchEnabled = true
        stage.window.addGestureRecognizer(tap)
        let (first, second) = (stage.finger(at: 50, 50), stage.finger(at: 80, 50))
        first.lifts()
        stage.advanceTime(by: 0.04)
        second.lifts()
        #expect(count == 2)
    }

    @Test("a finger that rests does not make a recognizer keep every later touch")
    func restingFinger() {
        let pan = PanGestureRecognizer { _ in }
        pan.minimumNumberOfTouches = 3
        stage.window.addGestureRecognizer(pan)
        _ = stage.finger(at: 50, 50)
        for _ in 0..<200 { stage.taps(at: 300, 300) }
        #expect(pan.sequenceTouches.count < 40)
    }
}
