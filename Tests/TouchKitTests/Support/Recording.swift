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
        identifier = name
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        if logsHitTests { log.add("\(identifier ?? "").hitTest") }
        if let hitTestOverride { return hitTestOverride(self, point, event) }
        return super.hitTest(point, with: event)
    }

    /// The view's result without its override.
    func plainHitTest(_ point: CGPoint, with event: Event?) -> View? { super.hitTest(point, with: event) }

    override func point(inside point: CGPoint, with event: Event?) -> Bool {
        if logsHitTests { log.add("\(identifier ?? "").pointInside") }
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
        log.add("\(identifier ?? "").\(phase) \(touches.count)")
        onTouches?(phase, touches, event)
    }
}
