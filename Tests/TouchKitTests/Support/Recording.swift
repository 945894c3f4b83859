import Foundation
import TouchKit

/// The calls that were made, in order.
final class CallLog {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
    func clear() { lines = [] }
}

/// A view that logs every touch call, `NAME.began 2` for two touches, and by default passes it on.
final class RecordingView: View {
    let log: CallLog
    var passesOn = true
    var logsHitTests = false
    /// Replaces the hit test if set.
    var hitTestOverride: ((RecordingView, CGPoint, Event?) -> View?)?
    /// Replaces the bounds check if set.
    var insideOverride: ((RecordingView, CGPoint) -> Bool)?
    /// Runs in every touch call, before the call is passed on.
    var onTouches: ((Touch.Phase, Set<Touch>, Event?) -> Void)?

    init(_ name: String, _ frame: CGRect, log: CallLog) {
        self.log = log
        super.init(frame: frame)
        accessibilityIdentifier = name
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        if logsHitTests { log.add("\(accessibilityIdentifier ?? "").hitTest") }
        if let hitTestOverride { return hitTestOverride(self, point, event) }
        return super.hitTest(point, with: event)
    }

    /// The view's result without its override.
    func plainHitTest(_ point: CGPoint, with event: Event?) -> View? { super.hitTest(point, with: event) }

    override func point(inside point: CGPoint, with event: Event?) -> Bool {
        if logsHitTests { log.add("\(accessibilityIdentifier ?? "").pointInside") }
        return insideOverride?(self, point) ?? super.point(inside: point, with: event)
    }

    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        record(.began, touches, event)
        if passesOn { super.touchesBegan(touches, with: event) }
    }

    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        record(.moved, touches, event)
        if passesOn { super.touchesMoved(touches, with: event) }
    }

    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        record(.ended, touches, event)
        if passesOn { super.touchesEnded(touches, with: event) }
    }

    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        record(.cancelled, touches, event)
        if passesOn { super.touchesCancelled(touches, with: event) }
    }

    private func record(_ phase: Touch.Phase, _ touches: Set<Touch>, _ event: Event?) {
        log.add("\(accessibilityIdentifier ?? "").\(phase) \(touches.count)")
        onTouches?(phase, touches, event)
    }
}

/// A view that may become first responder, and logs every call but touches.
final class Field: View {
    let log: CallLog
    var passesOn = false
    var mayResign = true
    /// Replaces `resignFirstResponder` if it returns an answer.
    var onResign: () -> Bool? = { nil }
    /// Runs when a press begins.
    var onPress: () -> Void = {}

    init(_ name: String, log: CallLog, frame: CGRect = CGRect(x: 0, y: 0, width: 100, height: 100)) {
        self.log = log
        super.init(frame: frame)
        accessibilityIdentifier = name
    }

    private func add(_ line: String) { log.add("\(accessibilityIdentifier ?? "").\(line)") }

    override var canBecomeFirstResponder: Bool { true }
    override var canResignFirstResponder: Bool { mayResign }
    @discardableResult
    override func resignFirstResponder() -> Bool { onResign() ?? super.resignFirstResponder() }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        for press in presses { add("began \(press.key?.code ?? 0) \(press.type.map { "\($0)" } ?? "-")") }
        onPress()
        if passesOn { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<Press>, with event: PressesEvent?) {
        for press in presses { add("changed \(press.key?.code ?? 0)") }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        for press in presses { add("ended \(press.key?.code ?? 0)") }
    }
    override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
        for press in presses { add("cancelled \(press.key?.code ?? 0)") }
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
