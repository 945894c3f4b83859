import Foundation

/// A view that turns touches into control events, for which it sends actions (`UIControl`).
///
/// A control handles its touches and does not pass them on. It follows one touch, also where that leaves the control:
/// "inside" reaches 70 points beyond the bounds while the touch is followed.
open class Control: View {
    /// How far beyond the bounds a followed touch is still inside, in points; UIKit is known to use this number.
    static let slack: CGFloat = 70

    /// Whether the control can be touched; a disabled one is never hit, and disabling it cancels what it follows.
    open var isEnabled = true {
        didSet {
            noteHittableChange()
            if !isEnabled { stopTracking() }
        }
    }

    /// Whether the control is chosen; for programs, the control itself does nothing with it.
    open var isSelected = false

    /// Whether the control is to look pressed: while it follows a touch that is inside.
    open var isHighlighted = false

    /// Whether the control follows a touch.
    public private(set) var isTracking = false

    /// Whether the touch it follows is inside.
    public private(set) var isTouchInside = false

    /// The control's states together.
    open var state: State {
        var state: State = []
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    var targets: [ControlTarget] = []
    /// The touch it follows; of a control that acts later than its touch did anything, the one that made it so.
    package private(set) var trackedTouch: Touch?

    package override var canBeHit: Bool { isEnabled && super.canBeHit }

    // MARK: Tracking

    /// Decides whether to follow a touch that began in the control; true, unless overridden.
    open func beginTracking(_ touch: Touch, with event: Event?) -> Bool { true }

    /// Decides whether to go on following a touch that moved; true, unless overridden.
    open func continueTracking(_ touch: Touch, with event: Event?) -> Bool { true }

    /// Tells the control that the touch it follows was lifted.
    open func endTracking(_ touch: Touch?, with event: Event?) {}

    /// Tells the control that the touch it follows is over without having been lifted.
    open func cancelTracking(with event: Event?) {}

    /// Runs the closures for the phase and begins to follow a touch.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .began, touches, event)
        // A closure may have had a touch cancelled, or taken. A set has no order of its own that would be the same in every run.
        let touches = touches.filter { !$0.isOver && !$0.delivery.hasEnded }
        guard !isTracking, isEnabled, let touch = touches.min(by: { $0.id < $1.id }) else { return }
        trackedTouch = touch
        isTouchInside = true
        isTracking = beginTracking(touch, with: event)
        guard isTracking else { return forgetTouch() }
        isHighlighted = true
        sendActions(for: .touchDown, with: event)
        if touch.tapCount > 1, isTracking { sendActions(for: .touchDownRepeat, with: event) }
    }

    /// Runs the closures for the phase and follows the touch.
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
        let isInside = isTouchInside
        if wasInside != isInside { sendActions(for: isInside ? .touchDragEnter : .touchDragExit, with: event) }
        if isTracking { sendActions(for: isInside ? .touchDragInside : .touchDragOutside, with: event) }
    }

    /// Runs the closures for the phase and sends the events of a touch that was lifted.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .ended, touches, event)
        guard isTracking, let touch = trackedTouch, touches.contains(touch) else { return }
        let isInside = isInside(touch)
        isTouchInside = isInside
        isHighlighted = false
        endTracking(touch, with: event)
        forgetTouch()
        sendActions(for: isInside ? .touchUpInside : .touchUpOutside, with: event)
    }

    /// Runs the closures for the phase and sends `touchCancel`.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .cancelled, touches, event)
        guard isTracking, let touch = trackedTouch, touches.contains(touch) else { return }
        stopTracking(with: event)
    }

    // MARK: Actions

    /// Sends one action; override it to see or change what the control sends.
    open func sendAction(_ action: Selector, to target: Any?, for event: Event?) {
        application.sendAction(action, to: target, from: self, for: event)
    }

    /// Runs the closures and sends the actions for some control events, in the order in which they were added.
    ///
    /// UIKit has it without the event that made it so; a subclass that has events of its own passes that on.
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

    private func isInside(_ touch: Touch) -> Bool {
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
        /// It looks pressed.
        public nonisolated static let highlighted = State(rawValue: 1 << 0)
        /// It cannot be touched.
        public nonisolated static let disabled = State(rawValue: 1 << 1)
        /// It is chosen.
        public nonisolated static let selected = State(rawValue: 1 << 2)
    }
}
