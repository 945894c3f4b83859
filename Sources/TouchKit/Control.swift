import Foundation

/// A view that turns touches into control events and sends actions for them (`UIControl`).
///
/// A control handles its touches and does not pass them up the responder chain. It tracks one touch, also outside its
/// bounds. While it tracks a touch, "inside" extends 70 points beyond the bounds, and to all points for which an override
/// of `point(inside:with:)` returns true.
///
/// ```swift
/// final class Slider: Control {
///     private(set) var value: CGFloat = 0
///
///     override func continueTracking(_ touch: Touch, with event: Event?) -> Bool {
///         value = min(max(touch.location(in: self).x / bounds.width, 0), 1)
///         sendActions(for: .valueChanged, with: event)
///         return true
///     }
/// }
/// ```
@MainActor @preconcurrency open class Control: View {
    /// How far a tracked touch may leave the bounds and still be inside, in points; the value observed in UIKit.
    static let slack: CGFloat = 70

    /// Whether the control accepts touches; hit-testing skips a disabled control, and disabling cancels tracking.
    open var isEnabled: Bool {
        get { !obstacles.contains(.disabled) }
        set {
            obstacles.set(.disabled, !newValue)
            if !newValue { stopTracking() }
        }
    }

    /// Whether the control is selected; the control itself does not use it.
    open var isSelected = false

    /// Whether the control appears pressed: while it tracks a touch that is inside.
    open var isHighlighted = false

    /// Whether the control tracks a touch.
    open var isTracking: Bool { tracks }

    /// Whether the tracked touch is inside.
    open var isTouchInside: Bool {
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

    /// The touch that causes the events that are being sent, when it is not tracked: it has ended, or a subclass tells.
    package final var actingTouch: Touch?

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

    private final var tracks: Bool {
        switch tracking {
        case .idle, .asked: false
        case .tracking, .over: true
        }
    }

    override class var classOfModule: View.Type { Control.self }

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
        guard case .idle = tracking, !obstacles.contains(.disabled) else { return }
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
        let isInside = isInside(touch, with: event)
        change(to: .tracking(touch, isInside: isInside))
        if tracks, !continueTracking(touch, with: event) { change(to: .idle) }
        if wasInside != isInside { send(isInside ? .touchDragEnter : .touchDragExit, with: event) }
        send(isInside ? .touchDragInside : .touchDragOutside, with: event)
    }

    /// Runs the closures for the phase and sends the events of the tracked touch's end.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .ended, touches, event)
        guard case .tracking(let touch, _) = tracking, touches.contains(touch) else { return }
        let isInside = isInside(touch, with: event)
        change(to: .over(isInside: isInside))
        actingTouch = touch
        defer { actingTouch = nil }
        endTracking(touch, with: event)
        if change(to: .idle) { sendActions(for: isInside ? .touchUpInside : .touchUpOutside, with: event) }
    }

    /// Runs the closures for the phase and sends `touchCancel`.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        _ = runHandlers(for: .cancelled, touches, event)
        guard let touch = trackedTouch, touches.contains(touch) else { return }
        stopTracking(with: event?.tracker?.isLeavingWindow == true ? nil : event)
    }

    override final func lose(_ touch: Touch) { if touch === trackedTouch { stopTracking() } }

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
        let wasTracking = tracks
        tracking = new
        if case .asked(let touch) = new { touch.trackingView = self }
        if wasTracking || tracks { isHighlighted = if case .tracking(_, true) = new { true } else { false } }
        return wasTracking
    }

    /// Sends control events, unless an earlier handler or an override has ended tracking.
    private func send(_ events: Events, with event: Event?) {
        if tracks { sendActions(for: events, with: event) }
    }

    // MARK: Actions

    /// Sends one action; override it to observe or replace the control's actions.
    open func sendAction(_ action: Selector, to target: Any?, for event: Event?) {
        application.sendAction(action, to: target, from: self, for: event)
    }

    /// Adds a target and action for control events; a nil target searches the responder chain.
    ///
    /// The control keeps no strong reference to the target. A second call with the same target and action adds its
    /// events to the first.
    open func addTarget(_ target: Any?, action: Selector, for events: Events) {
        if let index = targets.firstIndex(where: { $0.action?.sends(action, to: target) == true }) {
            targets[index].events.formUnion(events)
        } else {
            targets.append(ControlTarget(events: events, kind: .action(TargetAction(target, action))))
        }
    }

    /// Runs the closures and sends the actions for control events.
    open func sendActions(for events: Events) { sendActions(for: events, with: nil) }

    /// Runs the closures and sends the actions for control events, in the order in which they were added.
    ///
    /// UIKit's method has no `event` parameter; a subclass that defines control events passes the event that caused
    /// them.
    open func sendActions(for events: Events, with event: Event?) {
        for target in targets where !target.events.isDisjoint(with: events) { perform(target, event) }
    }

    /// Whether a touch is in the bounds or up to 70 points outside, or where the control's own `point(inside:with:)` has it.
    package final func isInside(_ touch: Touch, with event: Event?) -> Bool {
        let location = touch.location(in: self)
        return geometry.bounds.insetBy(dx: -Self.slack, dy: -Self.slack).contains(location)
            || point(inside: location, with: event)
    }
}

extension Control {
    /// The states a control can be in (`UIControl.State`, with its raw values).
    public nonisolated struct State: OptionSet, Hashable, Sendable {
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

    // MARK: Actions

    /// The events of a control (`UIControl.Event`, with its raw values).
    ///
    /// The name `Event` would hide `TouchKit.Event` in every subclass of `Control`.
    public nonisolated struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of events from its bits.
        public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }

        /// A touch began.
        public nonisolated static let touchDown = Events(rawValue: 1 << 0)
        /// A touch began with a `tapCount` above 1; sent after `touchDown`.
        public nonisolated static let touchDownRepeat = Events(rawValue: 1 << 1)
        /// The touch moved inside.
        public nonisolated static let touchDragInside = Events(rawValue: 1 << 2)
        /// The touch moved outside.
        public nonisolated static let touchDragOutside = Events(rawValue: 1 << 3)
        /// The touch moved back inside; sent before `touchDragInside`.
        public nonisolated static let touchDragEnter = Events(rawValue: 1 << 4)
        /// The touch moved outside; sent before `touchDragOutside`.
        public nonisolated static let touchDragExit = Events(rawValue: 1 << 5)
        /// The touch ended inside.
        public nonisolated static let touchUpInside = Events(rawValue: 1 << 6)
        /// The touch ended outside.
        public nonisolated static let touchUpOutside = Events(rawValue: 1 << 7)
        /// The touch was cancelled.
        public nonisolated static let touchCancel = Events(rawValue: 1 << 8)
        /// The control's value changed; for subclasses with a value.
        public nonisolated static let valueChanged = Events(rawValue: 1 << 12)
        /// The control's main action; a `Button` sends it after `touchUpInside`.
        public nonisolated static let primaryActionTriggered = Events(rawValue: 1 << 13)
        /// A menu is about to be shown; for subclasses with a menu.
        public nonisolated static let menuActionTriggered = Events(rawValue: 1 << 14)
        /// Editing began; like the other editing events, for subclasses that edit text.
        public nonisolated static let editingDidBegin = Events(rawValue: 1 << 16)
        /// The edited text changed.
        public nonisolated static let editingChanged = Events(rawValue: 1 << 17)
        /// Editing ended.
        public nonisolated static let editingDidEnd = Events(rawValue: 1 << 18)
        /// Editing ended because the return key was pressed.
        public nonisolated static let editingDidEndOnExit = Events(rawValue: 1 << 19)
        /// Every editing event.
        public nonisolated static let allEditingEvents = Events(rawValue: 0x000F_0000)
        /// The events that a program may define.
        public nonisolated static let applicationReserved = Events(rawValue: 0x0F00_0000)
        /// The events that UIKit reserves for itself.
        public nonisolated static let systemReserved = Events(rawValue: 0xF000_0000)
        /// Every touch event.
        public nonisolated static let allTouchEvents = Events(rawValue: 0x0000_0FFF)
        /// Every event.
        public nonisolated static let allEvents = Events(rawValue: 0xFFFF_FFFF)
    }

    /// Adds a closure for control events; closures and actions run in the order in which they were added.
    /// - Returns: a token for `removeHandler(_:)`.
    @discardableResult
    public func addHandler(
        for events: Events, name: String? = nil, _ body: @escaping (Control, Event?) -> Void
    ) -> ControlHandlerToken {
        let token = ControlHandlerToken(name: name, body: body)
        targets.append(ControlTarget(events: events, kind: .closure(token)))
        return token
    }

    /// Removes a closure; it does not run again, even if the control is sending actions at the moment.
    public func removeHandler(_ token: ControlHandlerToken) {
        token.isRemoved = true
        targets.removeAll { $0.closure === token }
    }

    /// Stops sending an action to a target for the given events; nil matches any target, or any action.
    public func removeTarget(_ target: Any?, action: Selector?, for events: Events) {
        for index in targets.indices where targets[index].action?.matches(target, action) == true {
            targets[index].events.subtract(events)
        }
        targets.removeAll { $0.events.isEmpty }
    }

    /// The actions that a target receives for an event; nil instead of an empty list.
    public func actions(forTarget target: Any?, forControlEvent events: Events) -> [Selector]? {
        let actions = targets.filter { !$0.events.isDisjoint(with: events) }.compactMap(\.action)
            .filter { $0.matches(target, nil) }.map(\.action)
        return actions.isEmpty ? nil : actions
    }

    /// The targets that still exist; `NSNull` stands for a nil target (`UIControl.allTargets`).
    public var allTargets: Set<AnyHashable> {
        Set(
            targets.compactMap(\.action).compactMap { action in
                if action.searchesChain { return AnyHashable(NSNull()) }
                return action.receiver.map {
                    ($0 as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier($0))
                }
            })
    }

    /// Every event that has a closure or an action.
    public var allControlEvents: Events { targets.reduce(into: []) { $0.formUnion($1.events) } }

    func perform(_ target: ControlTarget, _ event: Event?) {
        switch target.kind {
        case .closure(let token):
            guard !token.isRemoved else { return }
            if let name = token.name {
                // Tracking that ends because the control leaves its window has no event, but a touch.
                let touches = application.touches
                (event ?? (touches.isBusy ? touches.event : nil))?.noteRun(of: name, on: self)
            }
            token.body(self, event)
        case .action(let own):
            if !own.isReleased { sendAction(own.action, to: own.receiver, for: event) }
        }
    }

    /// The application that sends the control's actions.
    var application: Application { window?.application ?? .shared }
}

/// A closure or target-action pair, with its events.
struct ControlTarget {
    enum Kind {
        case closure(ControlHandlerToken)
        case action(TargetAction)
    }

    var events: Control.Events
    let kind: Kind

    var closure: ControlHandlerToken? { if case .closure(let token) = kind { token } else { nil } }

    var action: TargetAction? { if case .action(let action) = kind { action } else { nil } }
}
