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

    private func addFirstResponder() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()
    }

    private func shake() {
        for g in [0, 2, -2, 2.0] { stage.accelerates(x: g, after: 0.1) }
    }

    @Test("A3.7 presses, motion and remote control start at the first responder")
    func firstResponder() {
        let field = Field("field", log: log)
        stage.window.addSubview(field)
        stage.application.beginReceivingRemoteControlEvents()

        #expect(field.becomeFirstResponder() && field.isFirstResponder)
        stage.keyboard.presses(28)
        stage.keyboard.releases(28)
        stage.keyboard.presses(163)
        shake()
        #expect(field.resignFirstResponder() && !field.isFirstResponder)
        var reports: [Diagnostic] = []
        stage.application.didReport = { reports.append($0) }
        stage.keyboard.presses(103)

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

    @Test("A3.7 a first responder that leaves its window is asked to resign; one in a hidden window is not")
    func leavingFirstResponder() {
        final class Telling: View {
            var resigned = 0
            var resigns = true
            override var canBecomeFirstResponder: Bool { true }
            override func resignFirstResponder() -> Bool {
                resigned += 1
                return resigns ? super.resignFirstResponder() : false
            }
        }
        let (outer, field) = (View(frame: .zero), Telling(frame: .zero))
        outer.addSubview(field)
        for resigns in [true, false] {
            field.resigns = resigns
            stage.window.addSubview(outer)
            field.becomeFirstResponder()
            stage.window.isHidden = true
            stage.window.makeKeyAndVisible()
            #expect(field.isFirstResponder)
            outer.removeFromSuperview()
            #expect(!field.isFirstResponder && stage.window.firstResponder == nil)
        }
        #expect(field.resigned == 2)
    }

    @Test("B18 a press has phases, a type and a key, and goes up the chain")
    func presses() {
        let (outer, inner) = (Field("outer", log: log), Field("inner", log: log))
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        inner.passesOn = true
        inner.becomeFirstResponder()

        stage.keyboard.presses(103)
        outer.becomeFirstResponder()
        stage.keyboard.repeats(103)
        stage.keyboard.presses(30)
        stage.keyboard.releases(103)
        outer.removeFromSuperview()
        stage.keyboard.releases(30)

        #expect(
            log.lines == [
                "inner.began 103 upArrow", "outer.began 103 upArrow", "inner.changed 103", "outer.began 30 -",
                "inner.ended 103", "outer.cancelled 30",
            ])
    }

    @Test("B18 presses are cancelled once when events are ignored or their device is gone")
    func pressesCancelled() {
        addFirstResponder()

        stage.keyboard.presses(30)
        stage.application.beginIgnoringInteractionEvents()
        stage.keyboard.releases(30)
        stage.keyboard.presses(31)
        stage.application.endIgnoringInteractionEvents()
        stage.keyboard.releases(31)
        stage.keyboard.presses(32)
        stage.unplug(.keyboard)

        #expect(
            log.lines == ["field.began 30 -", "field.cancelled 30", "field.began 32 -", "field.cancelled 32"])
    }

    @Test("B19 a shake begins after three swings and ends when the device is still")
    func shaking() {
        addFirstResponder()

        shake()
        stage.accelerates(x: -2, after: 0.1)
        stage.accelerates(x: 0, after: 0.34)
        #expect(log.lines == ["field.motionShake began"])
        stage.accelerates(x: 0, after: 0.02)

        #expect(log.lines == ["field.motionShake began", "field.motionShake ended"])
    }

    @Test("B19 a bump or a slow turn is not a shake")
    func noShake() {
        addFirstResponder()

        for g in [0, 3, 3, 0, 0.0] { stage.accelerates(x: g, after: 0.1) }
        for step in 0...100 { stage.accelerates(x: Double(step) / 100, after: 0.1) }

        #expect(log.lines.isEmpty)
    }

    @Test("B19 a shake longer than 3 s is cancelled, and so is an interrupted one")
    func cancelledShake() {
        addFirstResponder()

        stage.accelerates(x: 0, after: 0.1)
        for step in 0...40 { stage.accelerates(x: step % 2 == 0 ? 2 : -2, after: 0.1) }
        stage.accelerates(x: 0, after: 1)
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
        addFirstResponder()

        stage.keyboard.presses(code)
        stage.keyboard.releases(code)
        #expect(log.lines.first?.hasPrefix("field.began \(code)") == true && log.lines.last == "field.ended \(code)")
        log.clear()
        stage.application.beginReceivingRemoteControlEvents()
        stage.keyboard.presses(code)
        stage.keyboard.releases(code)

        #expect(log.lines == subtypes.map { "field." + $0 })
    }

    @Test("B19 seeking ends once: when its key is released, events are ignored or its device is gone")
    func endOfSeeking() {
        addFirstResponder()
        stage.application.beginReceivingRemoteControlEvents()
        let (begin, end) = ("field.remoteControlBeginSeekingForward", "field.remoteControlEndSeekingForward")

        stage.keyboard.presses(208)
        stage.application.beginIgnoringInteractionEvents()
        #expect(log.lines == [begin, end])
        stage.keyboard.releases(208)
        stage.keyboard.presses(208)
        stage.application.endIgnoringInteractionEvents()
        stage.keyboard.releases(208)
        #expect(log.lines == [begin, end])
        stage.keyboard.presses(208)
        stage.application.endReceivingRemoteControlEvents()
        stage.keyboard.releases(208)
        stage.application.beginReceivingRemoteControlEvents()
        stage.keyboard.presses(208)
        stage.unplug(.keyboard)

        #expect(log.lines == [begin, end, begin, end, begin, end])
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

        stage.mouse.scrolls(by: 0, -1.5)

        #expect(log.lines == ["field.scrolled 0.0 -1.5"])
    }

    @Test("B19 a shake that lasts too long is not followed by another at rest")
    func noShakeAtRest() {
        addFirstResponder()

        stage.accelerates(x: 0, after: 0.1)
        for step in 0...40 { stage.accelerates(x: step % 2 == 0 ? 2 : -2, after: 0.1) }
        for _ in 0..<8 { stage.accelerates(x: 0, after: 0.1) }

        #expect(log.lines == ["field.motionShake began", "field.motionShake cancelled"])
    }

    @Test("B18 a press whose beginning asks for remote-control events ends as a press")
    func pressThatAsksForRemoteControl() {
        final class Player: View {
            var lines: [String] = []
            override var canBecomeFirstResponder: Bool { true }
            override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
                lines.append("began")
                window?.application?.beginReceivingRemoteControlEvents()
            }
            override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { lines.append("ended") }
            override func remoteControlReceived(with event: Event?) { lines.append("command") }
        }
        let player = Player(frame: stage.window.bounds)
        stage.window.addSubview(player)
        player.becomeFirstResponder()

        for _ in 0..<2 {
            stage.keyboard.presses(164)
            stage.keyboard.releases(164)
        }

        #expect(player.lines == ["began", "ended", "command"])
    }

    @Test("A recognizer under a pointer begins before it ends, also if a tooltip that is left removes itself")
    func tooltip() {
        let (tooltip, next) = (View(frame: .zero), View(frame: .zero))
        tooltip.frame = CGRect(x: 412, y: 412, width: 100, height: 200)
        next.frame = CGRect(x: 512, y: 412, width: 100, height: 200)
        for (name, view) in [("tooltip", tooltip), ("next", next)] {
            stage.window.addSubview(view)
            view.addGestureRecognizer(
                HoverGestureRecognizer { [log] in
                    log.add("\(name) \($0.state)")
                    if name == "tooltip", $0.state == .ended { $0.view?.removeFromSuperview() }
                })
        }

        stage.mouse.moves(by: -10, 0)
        stage.mouse.moves(by: 20, 0)
        next.removeFromSuperview()

        #expect(log.lines == ["tooltip began", "tooltip ended", "next began", "next ended"])
    }

    @Test("A hover recognizer that is disabled is cancelled at once, and acts no more")
    func disabledHover() {
        let hover = HoverGestureRecognizer { [log] in log.add("\($0.state)") }
        stage.window.addGestureRecognizer(hover)

        stage.mouse.moves(by: 10, 0)
        hover.isEnabled = false
        stage.mouse.moves(by: 10, 0)
        hover.isEnabled = true
        stage.mouse.moves(by: 10, 0)

        #expect(log.lines == ["began", "cancelled", "began"])
    }
}
