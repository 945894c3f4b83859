import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B controls and actions")
struct ControlTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    private static let names: [(Control.Events, String)] = [
        (.touchDown, "down"), (.touchDownRepeat, "downRepeat"), (.touchDragInside, "dragInside"),
        (.touchDragOutside, "dragOutside"), (.touchDragEnter, "dragEnter"), (.touchDragExit, "dragExit"),
        (.touchUpInside, "upInside"), (.touchUpOutside, "upOutside"), (.touchCancel, "cancel"),
        (.primaryActionTriggered, "primary"),
    ]

    /// A control with closures in its overrides.
    private final class Hooked: Control {
        var onBegin: (Hooked, Touch) -> Bool = { _, _ in true }
        var onContinue: (Hooked, Touch) -> Bool = { _, _ in true }
        var onEnd: (Hooked) -> Void = { _ in }
        var onCancel: (Event?) -> Void = { _ in }
        override func beginTracking(_ touch: Touch, with event: Event?) -> Bool { onBegin(self, touch) }
        override func continueTracking(_ touch: Touch, with event: Event?) -> Bool { onContinue(self, touch) }
        override func endTracking(_ touch: Touch?, with event: Event?) { onEnd(self) }
        override func cancelTracking(with event: Event?) {
            onCancel(event)
            super.cancelTracking(with: event)
        }
    }

    /// Adds a control at (300, 300), 100 points wide and high, and logs all its events.
    private func show<Shown: Control>(_ control: Shown) -> Shown {
        control.frame = CGRect(x: 300, y: 300, width: 100, height: 100)
        for (event, name) in Self.names { control.addHandler(for: event) { [log] _, _ in log.add(name) } }
        stage.window.addSubview(control)
        return control
    }

    @Test("B11 a touch inside sends down, dragInside, upInside and primaryAction")
    func inside() {
        _ = show(Button())
        stage.play([.lands(310, 310), .moves(320, 320), .lifts()])

        #expect(log.lines == ["down", "dragInside", "upInside", "primary"])
    }

    @Test("B11 a control does not track a touch that its handler gave to a recognizer")
    func takenWhileBeginning() {
        let control = show(Control())
        let puppet = Puppet("r")
        stage.window.addGestureRecognizer(puppet)
        control.addHandler(for: Touch.Phase.began) { _, _ in puppet.state = .ended }

        stage.taps(at: 310, 310)

        #expect(log.lines == [])
        #expect(!control.isTracking)
    }

    @Test("B11 while tracking, inside extends 70 points beyond the bounds")
    func slack() {
        let control = show(Control())
        let finger = stage.finger(at: 310, 310)
        var highlighted: [Bool] = []

        for x in [469.999, 470.0, 900, 230, 229.999] {
            finger.moves(to: x, 310)
            highlighted.append(control.isHighlighted)
        }
        finger.lifts()

        #expect(
            log.lines == [
                "down", "dragInside", "dragExit", "dragOutside", "dragOutside", "dragEnter", "dragInside", "dragExit",
                "dragOutside", "upOutside",
            ])
        #expect(highlighted == [true, false, false, true, false])
        #expect(!control.isHighlighted && !control.isTracking && !control.isTouchInside)
    }

    @Test("B11 a control's own enlarged area is inside, whatever the distance; a smaller one keeps the 70 points")
    func ownArea() {
        final class Sized: Control {
            var margin: CGFloat = 100
            override func point(inside point: CGPoint, with event: Event?) -> Bool {
                bounds.insetBy(dx: -margin, dy: -margin).contains(point)
            }
        }
        let control = show(Sized())
        stage.play([.lands(201, 310), .moves(499, 310), .moves(500, 310), .moves(201, 310), .lifts()])
        #expect(
            log.lines == [
                "down", "dragInside", "dragExit", "dragOutside", "dragEnter", "dragInside", "upInside",
            ])
        control.margin = -40
        stage.play([.lands(350, 350), .moves(230, 310), .lifts()])
        #expect(log.lines.suffix(3) == ["down", "dragInside", "upInside"])
    }

    @Test("B11 a second tap sends downRepeat after down")
    func repeated() {
        _ = show(Control())
        for _ in 1...2 { stage.taps(at: 310, 310) }

        #expect(log.lines == ["down", "upInside", "down", "downRepeat", "upInside"])
    }

    @Test("B11 beginTracking and continueTracking can refuse")
    func refusing() {
        let control = show(Hooked())
        control.onEnd = { [log] _ in log.add("endTracking") }
        control.onContinue = { $1.location(in: $0).x < 50 }
        control.onBegin = { _, _ in false }
        stage.taps(at: 310, 310)
        #expect(log.lines.isEmpty)
        control.onBegin = { _, _ in true }
        stage.play([.lands(310, 310), .moves(320, 310), .moves(360, 310), .lifts()])

        #expect(log.lines == ["down", "downRepeat", "dragInside"])
        #expect(!control.isHighlighted)
    }

    @Test("B11 a control does not pass touches on, and its phase closures run")
    func chainEnds() {
        let control = show(Control())
        control.addHandler(for: .began) { [log] _, _ in log.add("phase began") }
        stage.window.addHandler(for: .began) { [log] _, _ in log.add("window") }

        stage.finger(at: 310, 310)

        #expect(log.lines == ["phase began", "down"])
    }

    @Test("A2.5 a disabled control and its subviews are never hit")
    func disabled() {
        let control = show(Control())
        show("sub", in: control)
        control.isEnabled = false

        stage.taps(at: 310, 310)

        #expect(log.lines.isEmpty)
        #expect(stage.window.hitTest(CGPoint(x: 310, y: 310), with: nil) === stage.window)
    }

    // MARK: The end of tracking

    /// Takes its touch from a control.
    nonisolated enum Way: CaseIterable {
        case cancelsAllTouches, disables, disablesForAMoment, cancelsTracking, removes

        @MainActor func take(from control: Control, on stage: Stage) {
            switch self {
            case .cancelsAllTouches: stage.application.cancelAllTouches()
            case .disables: control.isEnabled = false
            case .disablesForAMoment:
                control.isEnabled = false
                control.isEnabled = true
            case .cancelsTracking: control.cancelTracking(with: nil)
            case .removes: control.removeFromSuperview()
            }
        }
    }

    @Test("B11 a control whose touch is taken away sends cancel once", arguments: Way.allCases)
    func cancelling(_ way: Way) {
        let control = show(Control())
        let finger = stage.finger(at: 310, 310)
        way.take(from: control, on: stage)
        finger.moves(to: 320, 310)
        finger.lifts()

        #expect(log.lines == ["down", "cancel"], "\(way)")
        #expect(!control.isTracking && !control.isHighlighted)
    }

    @Test(
        "B20 B27 a control whose touch an override takes away sends only cancel if it sent down, and works at the next touch",
        arguments: ["begin", "continue", "end"], Way.allCases)
    func takenInOverride(_ method: String, _ way: Way) {
        let control = show(Hooked())
        var isTaken = false
        func take(in current: String) -> Bool {
            if current == method, !isTaken {
                isTaken = true
                way.take(from: control, on: stage)
            }
            return true
        }
        control.onBegin = { _, _ in take(in: "begin") }
        control.onContinue = { _, _ in take(in: "continue") }
        control.onEnd = { _ in _ = take(in: "end") }

        stage.play([.lands(310, 310), .moves(900, 310), .lifts()])
        // An end cannot be cancelled any more.
        let hasEnded = method == "end" && (way == .cancelsAllTouches || way == .removes)
        let moves = method == "end" ? ["dragExit", "dragOutside"] : []
        let expected = method == "begin" ? [] : ["down"] + moves + [hasEnded ? "upOutside" : "cancel"]
        #expect(log.lines == expected, "\(method) \(way)")
        #expect(!control.isTracking && !control.isHighlighted && control.trackedTouch == nil)
        log.clear()
        control.isEnabled = true
        stage.window.addSubview(control)
        stage.advanceTime(by: 1)
        stage.taps(at: 310, 310)

        #expect(log.lines == ["down", "upInside"], "\(method) \(way)")
    }

    @Test("B27 tracking that ends because the control leaves its window has no event", arguments: [false, true])
    func leaving(touchesSubview: Bool) {
        let control = Hooked(frame: stage.screen.bounds)
        control.onCancel = { [log] in log.add("cancelTracking \($0 == nil)") }
        control.addHandler(for: .touchCancel) { [log] _, event in log.add("touchCancel \(event == nil)") }
        if touchesSubview { control.addSubview(View(frame: control.bounds)) }
        stage.window.addSubview(control)
        stage.finger(at: 50, 50)
        control.removeFromSuperview()
        #expect(log.lines == ["cancelTracking true", "touchCancel true"])

        log.clear()
        stage.window.addSubview(control)
        stage.finger(at: 50, 50)
        stage.application.cancelAllTouches()
        #expect(log.lines == ["cancelTracking false", "touchCancel false"])

        log.clear()
        stage.finger(at: 50, 50)
        control.cancelTracking(with: nil)
        #expect(log.lines == ["cancelTracking true", "touchCancel true"])
    }

    @Test("a control whose touch turns out to be a palm sends cancel")
    func palm() {
        _ = show(Control())
        stage.play([.lands(310, 310), .becomesPalm()])
        #expect(log.lines == ["down", "cancel"])
    }

    @Test("B20 a control ends tracking if its subview keeps the touch's end")
    func lostEnd() {
        final class Subview: View {
            override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {}
        }
        let control = show(Control())
        control.addSubview(Subview(frame: control.bounds))

        stage.taps(at: 310, 310)
        stage.advanceTime(by: 1)
        stage.taps(at: 310, 310)

        #expect(log.lines == ["down", "cancel", "down", "cancel"])
        #expect(!control.isTracking && !control.isHighlighted)
    }

    // MARK: Actions

    @Test("sendActions runs a button's handler once, also for all events")
    func allEvents() {
        let button = Button()
        button.addHandler(for: .primaryActionTriggered) { [log] _, _ in log.add("action") }
        button.sendActions(for: .allEvents)
        #expect(log.lines == ["action"])
        button.sendActions(for: .touchUpInside)
        #expect(log.lines == ["action", "action"])
    }

    @Test("B13 an action without a target goes up the chain to a responder that can")
    func actionUpTheChain() {
        let (outer, field) = (View(frame: stage.screen.bounds), Field("field", log: log))
        outer.addSubview(field)
        stage.window.addSubview(outer)
        let control = show(Control())
        outer.addAction("save") { [log] sender, _ in log.add("outer \(sender as? Control === control)") }
        stage.application.addAction("quit") { [log] _, _ in log.add("application") }
        control.addAction("save") { [log] _, _ in log.add("control") }
        control.addTarget(nil, action: "save", for: .touchUpInside)

        #expect(field.becomeFirstResponder())
        stage.taps(at: 310, 310)
        #expect(stage.application.sendAction("quit", to: nil, from: nil, for: nil))
        #expect(!stage.application.sendAction("unknown", to: nil, from: nil, for: nil))
        field.resignFirstResponder()
        stage.advanceTime(by: 1)
        stage.taps(at: 310, 310)

        #expect(
            log.lines == ["down", "upInside", "outer true", "application", "down", "upInside", "control"])
    }

    @Test("B13 a target receives only its events' actions and is not retained")
    func targets() {
        let control = show(Control())
        var target: Responder? = Responder()
        target?.addAction("go") { [log] _, _ in log.add("go") }
        control.addTarget(target, action: "go", for: [.touchDown, .touchUpInside])

        stage.taps(at: 310, 310)
        control.removeTarget(target, action: "go", for: .touchDown)
        #expect(control.actions(forTarget: target, forControlEvent: .touchUpInside) == ["go"])
        target = nil
        stage.advanceTime(by: 1)
        stage.taps(at: 310, 310)

        #expect(log.lines == ["down", "go", "upInside", "go", "down", "upInside"])
    }
}
