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
    public final var isTracking: Bool {
        switch tracking {
        case .idle, .asked: false
        case .tracking, .over: true
        }
    }

    /// Whether the tracked touch is inside.
    public final var isTouchInside: Bool {
        switch tracking {
        case .idle: false
        case .asked: true
        case .tracking(_, let isInside), .over(let isInside): isInside
        }
    }

    /// The control's combined state.
    open var state: State {
        var state: State = []
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    var targets: [ControlTarget] = []
    /// The touch that the control tracks, or may track.
    package final var trackedTouch: Touch? {
        switch tracking {
        case .idle, .over: nil
        case .asked(let touch), .tracking(let touch, _): touch
        }
    }

    /// A touch on its way through the control.
    private enum Tracking {
        case idle
        /// `beginTracking(_:with:)` is being called.
        case asked(Touch)
        case tracking(Touch, isInside: Bool)
        /// The touch has ended, and `endTracking(_:with:)` is being called.
        case over(isInside: Bool)
    }

    private final var tracking = Tracking.idle

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
        if change(to: .idle) { sendActions(for: .touchCancel, with: event) }
    }

    /// Runs the closures for the phase and starts tracking a touch.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .began, touches, event)
        guard case .idle = tracking, isEnabled else { return }
        // The order of a set differs from run to run; identifiers make the choice stable.
        var first: Touch?
        // A closure may have cancelled or taken a touch.
        for touch in touches where !touch.isOver && !touch.delivery.hasEnded && touch.id < first?.id ?? .max {
            first = touch
        }
        guard let touch = first else { return }
        change(to: .asked(touch))
        change(to: beginTracking(touch, with: event) ? .tracking(touch, isInside: true) : .idle)
        send(.touchDown, with: event)
        if touch.tapCount > 1 { send(.touchDownRepeat, with: event) }
    }

    /// Runs the closures for the phase and continues tracking.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .moved, touches, event)
        guard case .tracking(let touch, let wasInside) = tracking, touches.contains(touch) else { return }
        let isInside = isInside(touch)
        change(to: .tracking(touch, isInside: isInside))
        if isTracking, !continueTracking(touch, with: event) { change(to: .idle) }
        if wasInside != isInside { send(isInside ? .touchDragEnter : .touchDragExit, with: event) }
        send(isInside ? .touchDragInside : .touchDragOutside, with: event)
    }

    /// Runs the closures for the phase and sends the events of the tracked touch's end.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .ended, touches, event)
        guard case .tracking(let touch, _) = tracking, touches.contains(touch) else { return }
        let isInside = isInside(touch)
        change(to: .over(isInside: isInside))
        endTracking(touch, with: event)
        if change(to: .idle) { sendActions(for: isInside ? .touchUpInside : .touchUpOutside, with: event) }
    }

    /// Runs the closures for the phase and sends `touchCancel`.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .cancelled, touches, event)
        guard let touch = trackedTouch, touches.contains(touch) else { return }
        stopTracking(with: event?.tracker?.isLeavingWindow == true ? nil : event)
    }

    /// Ends tracking of a touch that is over and whose end a responder before the control kept.
    final func lose(_ touch: Touch) { if touch === trackedTouch { stopTracking() } }

    private func stopTracking(with event: Event? = nil) {
        guard change(to: .idle) else { return }
        cancelTracking(with: event)
        sendActions(for: .touchCancel, with: event)
    }

    /// Changes the tracking; nothing else does. The highlight follows it.
    /// - Returns: whether a touch was tracked, so that its end is sent once.
    @discardableResult
    private func change(to new: Tracking) -> Bool {
        // In `beginTracking(_:with:)` the touch was cancelled, or the control disabled.
        if case (.idle, .tracking) = (tracking, new) { return false }
        let wasTracking = isTracking
        tracking = new
        if case .asked(let touch) = new { touch.control = self }
        if wasTracking || isTracking { isHighlighted = if case .tracking(_, true) = new { true } else { false } }
        return wasTracking
    }

    /// Sends control events, unless an earlier handler or an override has ended tracking.
    private func send(_ events: Events, with event: Event?) {
        if isTracking { sendActions(for: events, with: event) }
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
