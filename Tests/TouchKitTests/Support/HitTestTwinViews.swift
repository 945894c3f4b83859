import Foundation

@testable import TouchKit

/// A view that overrides a method of the hit test.
protocol AskedView: View {
    var twin: HitTestTwin { get }
}

extension AskedView {
    func note(_ call: String, _ point: CGPoint) {
        twin.calls.append("\(identifier ?? "") \(call) \(point.x) \(point.y)")
    }
}

/// A subclass that handles touches, and declares that it is hit-tested by its bounds.
final class HandlingView: View {
    override class var hitTestsByBounds: Bool { true }
    var began = 0
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) { began += touches.count }
    override var isMultipleTouchEnabled: Bool { didSet { began = 0 } }
}

/// A control without a declaration.
class HandlingControl: Control {
    override func beginTracking(_ touch: Touch, with event: Event?) -> Bool { false }
}

/// Is hit-tested plainly in the plain tree.
class AskingView: View, AskedView {
    unowned let twin: HitTestTwin

    init(twin: HitTestTwin) {
        self.twin = twin
        super.init(frame: .zero)
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        twin.isPlain ? twin.plainAnswer(of: self, point, event) : super.hitTest(point, with: event)
    }
}

/// Returns nil instead of itself.
final class PassingView: AskingView {
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        note("hitTest", point)
        let hit = super.hitTest(point, with: event)
        return hit === self ? nil : hit
    }
}

/// Extends 30 points beyond its bounds.
final class LargerView: AskingView {
    override func point(inside point: CGPoint, with event: Event?) -> Bool {
        note("inside", point)
        return bounds.insetBy(dx: -30, dy: -30).contains(point)
    }
}

/// Changes the tree when it is asked.
final class MovingView: AskingView {
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        note("hitTest", point)
        twin.mutateWhileAsking()
        return super.hitTest(point, with: event)
    }
}

/// Is hidden every second time it is asked.
final class BlinkingView: AskingView {
    private var count = 0

    override var isHidden: Bool {
        get {
            count += 1
            note("isHidden", .zero)
            return count.isMultiple(of: 2)
        }
        set {}
    }
}

/// A control that logs each read of `isEnabled`.
final class DisabledControl: Control, AskedView {
    unowned let twin: HitTestTwin

    init(twin: HitTestTwin) {
        self.twin = twin
        super.init(frame: .zero)
    }

    override var isEnabled: Bool {
        get {
            note("isEnabled", .zero)
            return super.isEnabled
        }
        set { super.isEnabled = newValue }
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        twin.isPlain ? twin.plainAnswer(of: self, point, event) : super.hitTest(point, with: event)
    }
}

/// Returns another view occasionally.
final class RedirectingView: AskingView {
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        note("hitTest", point)
        if let view = twin.anyView() { return view }
        return super.hitTest(point, with: event)
    }
}
