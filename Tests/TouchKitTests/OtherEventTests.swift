import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B presses, motion, remote control, hover and scroll")
struct OtherEventTests {
    let stage = Stage()
    let log = CallLog()
    let field: Field

    /// A first responder.
    init() {
        field = Field("field", log: log)
        stage.window.addSubview(field)
        field.becomeFirstResponder()
    }

    private func types(_ code: UInt16) {
        stage.keyboard.presses(code)
        stage.keyboard.releases(code)
    }

    private func swings(_ acceleration: Double...) { for x in acceleration { stage.accelerates(x: x, after: 0.1) } }

    // MARK: The first responder

    @Test("A3.7 presses, motion and remote control start at the first responder")
    func firstResponder() {
        stage.application.beginReceivingRemoteControlEvents()
        #expect(field.isFirstResponder)
        types(28)
        types(163)
        swings(0, 2, -2, 2)
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
        let other = Field("other", log: log)
        stage.window.addSubview(other)
        field.mayResign = false

        #expect(!other.becomeFirstResponder())
        field.mayResign = true
        #expect(other.becomeFirstResponder())
        other.removeFromSuperview()

        #expect(stage.window.firstResponder == nil)
        #expect(!View(frame: .zero).becomeFirstResponder())
    }

    @Test("A3.7 a responder that the former first responder removes while it resigns does not become first responder")
    func removedWhileBecoming() {
        final class Resigning: View {
            var onResign: () -> Void = {}
            override var canBecomeFirstResponder: Bool { true }
            override func resignFirstResponder() -> Bool {
                onResign()
                return super.resignFirstResponder()
            }
        }
        let (former, other) = (Resigning(frame: .zero), Field("other", log: log))
        for view in [former, other] { stage.window.addSubview(view) }
        former.becomeFirstResponder()
        former.onResign = { other.removeFromSuperview() }

        #expect(!other.becomeFirstResponder())
        types(28)

        #expect(stage.window.firstResponder == nil && log.lines == [])
    }

    @Test(
        "A3.7 a first responder that leaves its window is asked to resign; one in a hidden window is not",
        arguments: [nil, false])
    func leavingFirstResponder(_ answer: Bool?) {
        let outer = View(frame: .zero)
        stage.window.addSubview(outer)
        outer.addSubview(field)
        field.becomeFirstResponder()
        field.onResign = { [log] in
            log.add("resigns")
            return answer
        }

        stage.window.isHidden = true
        stage.window.makeKeyAndVisible()
        #expect(field.isFirstResponder && log.lines.isEmpty)
        outer.removeFromSuperview()

        #expect(!field.isFirstResponder && stage.window.firstResponder == nil)
        #expect(log.lines == ["resigns"])
    }

    // MARK: Presses

    @Test("B18 a press has phases, a type and a key, and goes up the chain")
    func presses() {
        let inner = Field("inner", log: log)
        field.addSubview(inner)
        inner.passesOn = true
        inner.becomeFirstResponder()

        stage.keyboard.presses(103)
        field.becomeFirstResponder()
        stage.keyboard.repeats(103)
        stage.keyboard.presses(30)
        stage.keyboard.releases(103)
        field.removeFromSuperview()
        stage.keyboard.releases(30)

        #expect(
            log.lines == [
                "inner.began 103 upArrow", "field.began 103 upArrow", "inner.changed 103", "field.began 30 -",
                "inner.ended 103", "field.cancelled 30",
            ])
    }

    @Test("B18 presses are cancelled once when events are ignored or their device is gone")
    func pressesCancelled() {
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

    @Test("B18 a press whose beginning asks for remote-control events ends as a press")
    func pressThatAsksForRemoteControl() {
        field.onPress = { [stage] in stage.application.beginReceivingRemoteControlEvents() }

        for _ in 1...2 { types(164) }

        #expect(log.lines == ["field.began 164 playPause", "field.ended 164", "field.remoteControlTogglePlayPause"])
    }

    // MARK: Motion

    @Test("B19 a shake begins after three swings and ends when the device is still")
    func shaking() {
        swings(0, 2, -2)
        #expect(log.lines.isEmpty)
        swings(2, -2)
        stage.accelerates(x: 0, after: 0.34)
        #expect(log.lines == ["field.motionShake began"])
        stage.accelerates(x: 0, after: 0.02)

        #expect(log.lines == ["field.motionShake began", "field.motionShake ended"])
    }

    @Test("B19 a shake longer than 3 s, or interrupted, is cancelled, and not followed by another at rest")
    func cancelledShake() {
        let cancelled = ["field.motionShake began", "field.motionShake cancelled"]
        swings(0)
        for step in 0...40 { stage.accelerates(x: step % 2 == 0 ? 2 : -2, after: 0.1) }
        for _ in 0..<8 { stage.accelerates(x: 0, after: 0.1) }
        #expect(log.lines == cancelled)
        stage.accelerates(x: 0, after: 1)
        swings(0, 2, -2, 2)
        stage.application.resignActive()

        #expect(log.lines == cancelled + cancelled)
    }

    @Test("B19 a bump or a slow turn is not a shake")
    func noShake() {
        swings(0, 3, 3, 0, 0)
        for step in 0...100 { stage.accelerates(x: Double(step) / 100, after: 0.1) }

        #expect(log.lines.isEmpty)
    }

    // MARK: Remote control

    @Test(
        "B19 media keys are remote-control events once asked for, and presses until then",
        arguments: [
            (164, ["remoteControlTogglePlayPause"]), (207, ["remoteControlPlay"]), (201, ["remoteControlPause"]),
            (166, ["remoteControlStop"]), (163, ["remoteControlNextTrack"]), (165, ["remoteControlPreviousTrack"]),
            (168, ["remoteControlBeginSeekingBackward", "remoteControlEndSeekingBackward"]),
            (208, ["remoteControlBeginSeekingForward", "remoteControlEndSeekingForward"]),
        ] as [(UInt16, [String])])
    func remoteControl(code: UInt16, subtypes: [String]) {
        types(code)
        #expect(log.lines.first?.hasPrefix("field.began \(code)") == true && log.lines.last == "field.ended \(code)")
        log.clear()
        stage.application.beginReceivingRemoteControlEvents()
        types(code)

        #expect(log.lines == subtypes.map { "field." + $0 })
    }

    @Test("B19 seeking ends once: when its key is released, events are ignored or its device is gone")
    func endOfSeeking() {
        let application = stage.application
        application.beginReceivingRemoteControlEvents()
        let seeking = ["field.remoteControlBeginSeekingForward", "field.remoteControlEndSeekingForward"]

        stage.keyboard.presses(208)
        application.beginIgnoringInteractionEvents()
        #expect(log.lines == seeking)
        stage.keyboard.releases(208)
        stage.keyboard.presses(208)
        application.endIgnoringInteractionEvents()
        stage.keyboard.releases(208)
        #expect(log.lines == seeking)
        stage.keyboard.presses(208)
        application.endReceivingRemoteControlEvents()
        stage.keyboard.releases(208)
        application.beginReceivingRemoteControlEvents()
        stage.keyboard.presses(208)
        stage.unplug(.keyboard)

        #expect(log.lines == seeking + seeking + seeking)
    }

    // MARK: Pointers

    /// Shows two views side by side; the pointer begins between them.
    private func showSideBySide() -> (left: Field, right: Field) {
        let left = Field("left", log: log, frame: CGRect(x: 412, y: 412, width: 100, height: 200))
        let right = Field("right", log: log, frame: CGRect(x: 512, y: 412, width: 100, height: 200))
        for view in [left, right] { stage.window.addSubview(view) }
        return (left, right)
    }

    @Test("A pointer without a button hovers; each beginning has one end, and a wheel turns the view below")
    func hover() {
        let (left, _) = showSideBySide()

        stage.mouse.scrolls(by: 0, 2)
        stage.mouse.moves(by: 1, 0)
        stage.mouse.moves(by: 10, 0)
        stage.mouse.scrolls(by: 0, -1.5)
        stage.mouse.moves(by: -21, 0)
        left.removeFromSuperview()
        stage.mouse.moves(by: 20, 0)
        stage.unplug(.mouse)

        #expect(
            log.lines == [
                "right.scrolled 0.0 2.0", "right.hoverBegan", "right.hoverMoved 11.0", "right.scrolled 0.0 -1.5",
                "right.hoverEnded", "left.hoverBegan", "left.hoverEnded", "right.hoverBegan", "right.hoverEnded",
            ])
    }

    @Test("A recognizer under a pointer begins before it ends, also if a tooltip that is left removes itself")
    func tooltip() {
        let (left, right) = showSideBySide()
        for view in [left, right] {
            view.addGestureRecognizer(
                HoverGestureRecognizer { [log] in
                    log.add("\($0.view?.accessibilityIdentifier ?? "") \($0.state)")
                    if $0.view === left, $0.state == .ended { left.removeFromSuperview() }
                })
        }

        stage.mouse.moves(by: -10, 0)
        stage.mouse.moves(by: 20, 0)
        right.removeFromSuperview()

        #expect(
            log.lines.filter { !$0.contains("hover") } == ["left began", "left ended", "right began", "right ended"])
    }

    @Test("A hover recognizer whose action of the cancel removes its view ends once, and begins again")
    func hoverEndsOnce() {
        let view = View(frame: stage.screen.bounds)
        stage.window.addSubview(view)
        let hover = HoverGestureRecognizer { [log] in
            log.add("\($0.state)")
            if $0.state == .cancelled { view.removeFromSuperview() }
        }
        view.addGestureRecognizer(hover)

        stage.mouse.moves(by: 10, 0)
        hover.isEnabled = false
        #expect(log.lines == ["began", "cancelled"])

        hover.isEnabled = true
        stage.window.addSubview(view)
        stage.mouse.moves(by: 10, 0)
        hover.state = .cancelled
        #expect(hover.pointer == nil)
        #expect(log.lines == ["began", "cancelled", "began", "cancelled"])
    }

    @Test("A hover recognizer whose state was set begins; one that is disabled is cancelled, and acts no more")
    func disabledHover() {
        let hover = HoverGestureRecognizer { [log] in log.add("\($0.state)") }
        stage.window.addGestureRecognizer(hover)
        hover.state = .ended

        stage.mouse.moves(by: 10, 0)
        hover.isEnabled = false
        stage.mouse.moves(by: 10, 0)
        hover.isEnabled = true
        stage.mouse.moves(by: 10, 0)

        #expect(log.lines == ["began", "cancelled", "began"])
    }
}
