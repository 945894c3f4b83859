import Foundation

/// A view that turns touches into control events and sends actions for them (`UIControl`).
///
/// A control handles its touches and does not pass them up the responder chain. It tracks one touch, also outside its
/// bounds. While it tracks a touch, "inside" extends 70 points beyond the bounds.
open class Control: View {
    /// How far a tracked touch may leave the bounds and still be inside, in points; the value observed in UIKit.
    static let slack: CGFloat = 70

    /// Whether the control accepts touches; hit-testing skips a disabled control, and disabling cancels tracking.
    open var isEnabled = true {
        didSet {
            noteHittableChange()
            if !isEnabled { stopTracking() }
        }
    }

    /// Whether the control is selected; the control itself does not use it.
    open var isSelected = false

    /// Whether the control appears pressed: while it tracks a touch that is inside.
    open var isHighlighted = false

    /// Whether the control tracks a touch.
    public private(set) var isTracking = false

    /// Whether the tracked touch is inside.
    public private(set) var isTouchInside = false

    /// The control's combined state.
    open var state: State {
        var state: State = []
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    var targets: [ControlTarget] = []
    /// The tracked touch; in a control that acts later than its touch, the touch that caused the action.
    package private(set) var trackedTouch: Touch?

    /// Whether the touch is being cancelled because the control leaves its window: no event causes that (B27).
    final var isLeavingWindow = false

    override class var classOfModule: View.Type { Control.self }

    package override var canBeHit: Bool { isEnabled && super.canBeHit }

    // MARK: Tracking

    /// Returns whether to track a touch that began in the control; true by default.
    open func beginTracking(_ touch: Touch, with event: Event?) -> Bool { true }

    /// Returns whether to continue tracking a touch that moved; true by default.
    open func continueTracking(_ touch: Touch, with event: Event?) -> Bool { true }

    /// Called when the tracked touch ends.
    open func endTracking(_ touch: Touch?, with event: Event?) {}

    /// Called when the tracked touch is cancelled. A program may call it: tracking ends, and `touchCancel` is sent.
    open func cancelTracking(with event: Event?) {
        guard isTracking else { return }
        isHighlighted = false
        forgetTouch()
        sendActions(for: .touchCancel, with: event)
    }

    /// Runs the closures for the phase and starts tracking a touch.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .began, touches, event)
        // A closure may have cancelled or taken a touch. The order of a set differs from run to run; identifiers make the choice stable.
        let touches = touches.filter { !$0.isOver && !$0.delivery.hasEnded }
        guard !isTracking, isEnabled, let touch = touches.min(by: { $0.id < $1.id }) else { return }
        trackedTouch = touch
        isTouchInside = true
        // The touch may be cancelled in the call.
        isTracking = beginTracking(touch, with: event) && !touch.isOver && !touch.delivery.hasEnded && isEnabled
        guard isTracking else { return forgetTouch() }
        isHighlighted = true
        sendActions(for: .touchDown, with: event)
        if touch.tapCount > 1, isTracking { sendActions(for: .touchDownRepeat, with: event) }
    }

    /// Runs the closures for the phase and continues tracking.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .moved, touches, event)
        guard isTracking, let touch = trackedTouch, touches.contains(touch) else { return }
        let wasInside = isTouchInside
        isTouchInside = isInside(touch)
        isHighlighted = isTouchInside
        guard continueTracking(touch, with: event) else {
            isHighlighted = false
            return forgetTouch()
        }
        guard isTracking else { return }
        let isInside = isTouchInside
        if wasInside != isInside { sendActions(for: isInside ? .touchDragEnter : .touchDragExit, with: event) }
        if isTracking { sendActions(for: isInside ? .touchDragInside : .touchDragOutside, with: event) }
    }

    /// Runs the closures for the phase and sends the events of the tracked touch's end.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .ended, touches, event)
        guard isTracking, let touch = trackedTouch, touches.contains(touch) else { return }
        let isInside = isInside(touch)
        isTouchInside = isInside
        isHighlighted = false
        endTracking(touch, with: event)
        // It may have disabled the control, which sent `touchCancel`.
        guard isTracking else { return }
        forgetTouch()
        sendActions(for: isInside ? .touchUpInside : .touchUpOutside, with: event)
    }

    /// Runs the closures for the phase and sends `touchCancel`.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .cancelled, touches, event)
        guard isTracking, let touch = trackedTouch, touches.contains(touch) else { return }
        stopTracking(with: isLeavingWindow ? nil : event)
    }

    // MARK: Actions

    /// Sends one action; override it to observe or replace the control's actions.
    open func sendAction(_ action: Selector, to target: Any?, for event: Event?) {
        application.sendAction(action, to: target, from: self, for: event)
    }

    /// Runs the closures and sends the actions for control events, in the order in which they were added.
    ///
    /// UIKit's method has no `event` parameter; a subclass that defines control events passes the event that caused
    /// them.
    open func sendActions(for events: Events, with event: Event?) {
        for target in targets where !target.events.isDisjoint(with: events) { perform(target, event) }
    }

    private func stopTracking(with event: Event? = nil) {
        guard isTracking else { return }
        isHighlighted = false
        forgetTouch()
        cancelTracking(with: event)
        sendActions(for: .touchCancel, with: event)
    }

    private func forgetTouch() {
        isTracking = false
        isTouchInside = false
        trackedTouch = nil
    }

    /// Whether a touch is in the bounds, or up to 70 points outside.
    package final func isInside(_ touch: Touch) -> Bool {
        bounds.insetBy(dx: -Self.slack, dy: -Self.slack).contains(touch.location(in: self))
    }
}

extension Control {
    /// The states a control can be in (`UIControl.State`, with its raw values).
    public struct State: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of states from its bits.
        public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }

        /// Enabled, and neither selected nor highlighted.
        public nonisolated static let normal: State = []
        /// The control appears pressed.
        public nonisolated static let highlighted = State(rawValue: 1 << 0)
        /// The control does not accept touches.
        public nonisolated static let disabled = State(rawValue: 1 << 1)
        /// The control is selected.
        public nonisolated static let selected = State(rawValue: 1 << 2)
    }
}

/// Identifies a closure that was added to a control, to remove it.
public final class ControlHandlerToken {
    /// The closure's name, if it has one.
    public let name: String?
    let body: (Control, Event?) -> Void
    var isRemoved = false

    init(name: String?, body: @escaping (Control, Event?) -> Void) {
        self.name = name
        self.body = body
    }
}

/// A closure or target-action pair, with its events.
struct ControlTarget {
    enum Kind {
        case closure(ControlHandlerToken)
        case responder(WeakResponder, Selector)
        case chain(Selector)
    }

    var events: Control.Events
    let kind: Kind

    var closure: ControlHandlerToken? {
        if case .closure(let token) = kind { token } else { nil }
    }

    var action: Selector? {
        switch kind {
        case .closure: nil
        case .responder(_, let action), .chain(let action): action
        }
    }

    func sends(_ action: Selector, to target: Responder?) -> Bool {
        switch kind {
        case .closure: false
        case .responder(let responder, let own): own == action && target != nil && responder.object === target
        case .chain(let own): own == action && target == nil
        }
    }

    /// Whether it has this target and this action; nil matches any.
    func matches(_ target: Responder?, _ action: Selector?) -> Bool {
        guard let own = self.action, action == nil || action == own else { return false }
        guard let target else { return true }
        return sends(own, to: target)
    }
}
