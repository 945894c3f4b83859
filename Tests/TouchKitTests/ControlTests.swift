import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B controls and actions")
struct ControlTests {
    let stage = Stage()
    let log = CallLog()

    private static let names: [(Control.Events, String)] = [
        (.touchDown, "down"), (.touchDownRepeat, "downRepeat"), (.touchDragInside, "dragInside"),
        (.touchDragOutside, "dragOutside"), (.touchDragEnter, "dragEnter"), (.touchDragExit, "dragExit"),
        (.touchUpInside, "upInside"), (.touchUpOutside, "upOutside"), (.touchCancel, "cancel"),
        (.primaryActionTriggered, "primary"),
    ]

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
        let finger = stage.finger(at: 310, 310)
        finger.moves(to: 320, 320)
        finger.lifts(at: 320, 320)

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
        let finger = stage.finger()
        var highlighted: [Bool] = []

        finger.lands(at: 310, 310)
        for x in [469.999, 470.0, 900, 230, 229.999] {
            finger.moves(to: x, 310)
            highlighted.append(control.isHighlighted)
        }
        finger.lifts(at: 229.999, 310)

        #expect(
            log.lines == [
                "down", "dragInside", "dragExit", "dragOutside", "dragOutside", "dragEnter", "dragInside", "dragExit",
                "dragOutside", "upOutside",
            ])
        #expect(highlighted == [true, false, false, true, false])
        #expect(!control.isHighlighted && !control.isTracking && !control.isTouchInside)
    }

    @Test("B11 a second tap sends downRepeat after down")
    func repeated() {
        _ = show(Control())

        stage.taps(at: 310, 310)
        stage.taps(at: 310, 310)

        #expect(log.lines == ["down", "upInside", "down", "downRepeat", "upInside"])
    }

    @Test("B11 a cancelled touch, or a removed or disabled control, sends cancel once")
    func cancelling() {
        let control = show(Control())
        let fingers = (stage.finger(), stage.finger(), stage.finger())

        fingers.0.lands(at: 310, 310)
        fingers.0.becomesPalm()
        fingers.1.lands(at: 310, 310)
        control.isEnabled = false
        fingers.1.lifts(at: 310, 310)
        control.isEnabled = true
        // Long after the lift: this is not a second tap.
        stage.time.microseconds += 1_000_000
        fingers.2.lands(at: 310, 310)
        control.removeFromSuperview()
        fingers.2.lifts(at: 310, 310)

        #expect(log.lines == ["down", "cancel", "down", "cancel", "down", "cancel"])
        #expect(!control.isHighlighted)
    }

    @Test("B11 beginTracking and continueTracking can refuse")
    func refusing() {
        final class Picky: Control {
            var begins = false
            var ended = 0
            override func beginTracking(_ touch: Touch, with event: TouchKit.Event?) -> Bool { begins }
            override func continueTracking(_ touch: Touch, with event: Event?) -> Bool {
                touch.location(in: self).x < 50
            }
            override func endTracking(_ touch: Touch?, with event: Event?) { ended += 1 }
        }
        let control = show(Picky())
        stage.taps(at: 310, 310)
        #expect(log.lines.isEmpty)
        control.begins = true
        let finger = stage.finger(at: 310, 310)
        finger.moves(to: 320, 310)
        finger.moves(to: 360, 310)
        finger.lifts(at: 310, 310)

        #expect(log.lines == ["down", "downRepeat", "dragInside"])
        #expect(control.ended == 0 && !control.isHighlighted)
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
        control.addSubview(RecordingView("sub", CGRect(x: 0, y: 0, width: 100, height: 100), log: log))
        control.isEnabled = false

        stage.taps(at: 310, 310)

        #expect(log.lines.isEmpty)
        #expect(stage.window.hitTest(CGPoint(x: 310, y: 310), with: nil) === stage.window)
    }

    @Test("B13 an action without a target goes up the chain to a responder that can")
    func actionUpTheChain() {
        final class Field: View {
            override var canBecomeFirstResponder: Bool { true }
        }
        let (outer, field) = (View(frame: stage.screen.bounds), Field(frame: .zero))
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
        stage.time.microseconds += 1_000_000
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
        stage.taps(at: 900, 310)
        stage.time.microseconds += 1_000_000
        stage.taps(at: 310, 310)

        #expect(log.lines == ["down", "go", "upInside", "go", "down", "upInside"])
    }

    @Test("sendActions runs a button's handler once, also for all events")
    func allEvents() {
        let button = Button()
        button.addHandler(for: .primaryActionTriggered) { _, _ in log.add("action") }
        button.sendActions(for: .allEvents)
        #expect(log.lines == ["action"])
        button.sendActions(for: .touchUpInside)
        #expect(log.lines == ["action", "action"])
    }
}
