import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B presses, motion, remote control, hover and scroll")
struct OtherEventTests {
    /// A view that may become first responder and logs its calls.
    final class Field: View {
        let log: CallLog
        var passesOn = false

        init(_ name: String, log: CallLog) {
            self.log = log
            super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            identifier = name
        }

        private func add(_ line: String) { log.add("\(identifier ?? "").\(line)") }

        override var canBecomeFirstResponder: Bool { true }
        override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
            for press in presses { add("began \(press.key.code) \(press.type.map { "\($0)" } ?? "-")") }
            if passesOn { super.pressesBegan(presses, with: event) }
        }
        override func pressesChanged(_ presses: Set<Press>, with event: PressesEvent?) {
            for press in presses { add("changed \(press.key.code)") }
        }
        override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
            for press in presses { add("ended \(press.key.code)") }
        }
        override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
            for press in presses { add("cancelled \(press.key.code)") }
        }
        override func motionBegan(_ motion: Event.EventSubtype, with event: Event?) { add("\(motion) began") }
        override func motionEnded(_ motion: Event.EventSubtype, with event: Event?) { add("\(motion) ended") }
        override func motionCancelled(_ motion: Event.EventSubtype, with event: Event?) { add("\(motion) cancelled") }
        override func remoteControlReceived(with event: Event?) { if let event { add("\(event.subtype)") } }
        override func hoverBegan(_ pointer: Pointer, with event: Event?) { add("hoverBegan") }
        override func hoverMoved(_ pointer: Pointer, with event: Event?) {
            add("hoverMoved \(pointer.location(in: self).x)")
        }
        override func hoverEnded(_ pointer: Pointer, with event: Event?) { add("hoverEnded") }
        override func scrolled(by scroll: Scroll, at pointer: Pointer, with event: Event?) {
            add("scrolled \(scroll.x) \(scroll.y)")
        }
    }

    let stage = Stage()
    let log = CallLog()
    let keyboard = DeviceID(rawValue: 5)

    private func key(_ code: UInt16, _ action: KeyChange.Action) {
        stage.application.enqueue(
            InputFrame(
                device: keyboard, timestamp: stage.tick(), keys: [KeyChange(code: code, action: action)]))
        stage.application.drainEvents()
    }

    private func accelerate(_ g: Double, afterMilliseconds milliseconds: Int64) {
        stage.time.microseconds += milliseconds * 1000 - 10_000
        stage.application.enqueue(
            InputFrame(
                device: keyboard, timestamp: stage.tick(), acceleration: Acceleration(x: g, y: 0, z: 1)))
        stage.application.drainEvents()
    }

    private func shake() {
        for g in [0, 2, -2, 2.0] { accelerate(g, afterMilliseconds: 100) }
    }

    @Test("A3.7 presses, motion and remote control start at the first responder")
    func firstResponder() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        stage.application.beginReceivingRemoteControlEvents()

        #expect(field.becomeFirstResponder() && field.isFirstResponder)
        key(28, .pressed)
        key(28, .released)
        key(163, .pressed)
        shake()
        #expect(field.resignFirstResponder() && !field.isFirstResponder)
        var reports: [Diagnostic] = []
        stage.application.didReport = { reports.append($0) }
        key(103, .pressed)

        #expect(
            log.lines == [
                "field.began 28 select", "field.ended 28", "field.remoteControlNextTrack", "field.motionShake began",
            ])
        #expect(reports == [.eventDiscarded(type: .presses)])
    }

    @Test("A3.7 a first responder may refuse to resign, unless it leaves its window")
    func resigning() {
        final class Stubborn: View {
            var resigns = false
            override var canBecomeFirstResponder: Bool { true }
            override var canResignFirstResponder: Bool { resigns }
        }
        let (stubborn, field) = (Stubborn(frame: .zero), Field("field", log: log))
        stage.window.addSubview(stubborn)
        stage.window.addSubview(field)

        #expect(stubborn.becomeFirstResponder())
        #expect(!field.becomeFirstResponder())
        stubborn.resigns = true
        #expect(field.becomeFirstResponder())
        field.removeFromSuperview()

        #expect(stage.window.firstResponder == nil)
        #expect(!View(frame: .zero).becomeFirstResponder())
    }

    @Test("B18 a press has phases, a type and a key, and goes up the chain")
    func presses() {
        let (outer, inner) = (Field("outer", log: log), Field("inner", log: log))
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        inner.passesOn = true
        inner.becomeFirstResponder()

        key(103, .pressed)
        outer.becomeFirstResponder()
        key(103, .repeated)
        key(30, .pressed)
        key(103, .released)
        outer.removeFromSuperview()
        key(30, .released)

        #expect(
            log.lines == [
                "inner.began 103 upArrow", "outer.began 103 upArrow", "inner.changed 103", "outer.began 30 -",
                "inner.ended 103", "outer.cancelled 30",
            ])
    }

    @Test("B18 presses are cancelled once when events are ignored or their device is gone")
    func pressesCancelled() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()

        key(30, .pressed)
        stage.application.beginIgnoringInteractionEvents()
        key(30, .released)
        key(31, .pressed)
        stage.application.endIgnoringInteractionEvents()
        key(31, .released)
        key(32, .pressed)
        stage.unplug(keyboard)

        #expect(
            log.lines == ["field.began 30 -", "field.cancelled 30", "field.began 32 -", "field.cancelled 32"])
    }

    @Test("B19 a shake begins after three swings and ends when the device is still")
    func shaking() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()

        shake()
        accelerate(-2, afterMilliseconds: 100)
        accelerate(0, afterMilliseconds: 340)
        #expect(log.lines == ["field.motionShake began"])
        accelerate(0, afterMilliseconds: 20)

        #expect(log.lines == ["field.motionShake began", "field.motionShake ended"])
    }

    @Test("B19 a bump or a slow turn is not a shake")
    func noShake() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()

        for g in [0, 3, 3, 0, 0.0] { accelerate(g, afterMilliseconds: 100) }
        for step in 0...100 { accelerate(Double(step) / 100, afterMilliseconds: 100) }

        #expect(log.lines.isEmpty)
    }

    @Test("B19 a shake longer than 3 s is cancelled, and so is an interrupted one")
    func cancelledShake() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()

        accelerate(0, afterMilliseconds: 100)
        for step in 0...40 { accelerate(step % 2 == 0 ? 2 : -2, afterMilliseconds: 100) }
        accelerate(0, afterMilliseconds: 1000)
        shake()
        stage.application.resignActive()

        #expect(
            log.lines == [
                "field.motionShake began", "field.motionShake cancelled", "field.motionShake began",
                "field.motionShake cancelled",
            ])
    }

    @Test(
        "B19 media keys are remote-control events once asked for, and presses until then",
        arguments: [
            (164, ["remoteControlTogglePlayPause"]), (207, ["remoteControlPlay"]), (201, ["remoteControlPause"]),
            (166, ["remoteControlStop"]), (163, ["remoteControlNextTrack"]), (165, ["remoteControlPreviousTrack"]),
            (168, ["remoteControlBeginSeekingBackward", "remoteControlEndSeekingBackward"]),
            (208, ["remoteControlBeginSeekingForward", "remoteControlEndSeekingForward"]),
        ] as [(UInt16, [String])])
    func remoteControl(code: UInt16, subtypes: [String]) {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()

        key(code, .pressed)
        key(code, .released)
        #expect(log.lines.first?.hasPrefix("field.began \(code)") == true && log.lines.last == "field.ended \(code)")
        log.clear()
        stage.application.beginReceivingRemoteControlEvents()
        key(code, .pressed)
        key(code, .released)

        #expect(log.lines == subtypes.map { "field." + $0 })
    }

    @Test("A pointer without a button hovers; each beginning has one end")
    func hover() {
        let (left, right) = (Field("left", log: log), Field("right", log: log))
        left.frame = CGRect(x: 412, y: 412, width: 100, height: 200)
        right.frame = CGRect(x: 512, y: 412, width: 100, height: 200)
        stage.window.addSubview(left)
        stage.window.addSubview(right)

        stage.mouse.moves(by: 1, 0)
        stage.mouse.moves(by: 10, 0)
        stage.mouse.moves(by: -21, 0)
        left.removeFromSuperview()
        stage.mouse.moves(by: 20, 0)
        stage.unplug(.mouse)

        #expect(
            log.lines == [
                "right.hoverBegan", "right.hoverMoved 11.0", "right.hoverEnded", "left.hoverBegan", "left.hoverEnded",
                "right.hoverBegan", "right.hoverEnded",
            ])
    }

    @Test("A wheel turns the view under the pointer")
    func scroll() {
        let field = Field("field", log: log)
        field.frame = CGRect(x: 500, y: 500, width: 100, height: 100)
        stage.window.addSubview(field)

        stage.application.enqueue(
            InputFrame(device: .mouse, timestamp: stage.tick(), scroll: ScrollDelta(x: 0, y: -1.5)))
        stage.application.drainEvents()

        #expect(log.lines == ["field.scrolled 0.0 -1.5"])
    }
}
