import Foundation

/// The receivers of a control's events: closures, and target-action pairs.
extension Control {
    /// The events of a control (`UIControl.Event`, with its raw values).
    ///
    /// The name `Event` would hide `TouchKit.Event` in every subclass of `Control`.
    public struct Events: OptionSet, Hashable, Sendable {
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

    /// Adds a target and action for control events; a nil target searches the responder chain.
    ///
    /// The control keeps no strong reference to the target. A second call with the same target and action adds its
    /// events to the first.
    public func addTarget(_ target: Responder?, action: Selector, for events: Events) {
        if let index = targets.firstIndex(where: { $0.sends(action, to: target) }) {
            targets[index].events.formUnion(events)
            return
        }
        let kind = target.map { ControlTarget.Kind.responder(WeakResponder($0), action) } ?? .chain(action)
        targets.append(ControlTarget(events: events, kind: kind))
    }

    /// Stops sending an action to a target for the given events; nil matches any target, or any action.
    public func removeTarget(_ target: Responder?, action: Selector?, for events: Events) {
        for index in targets.indices where targets[index].matches(target, action) {
            targets[index].events.subtract(events)
        }
        targets.removeAll { $0.events.isEmpty }
    }

    /// The actions that a target receives for an event; nil instead of an empty list.
    public func actions(forTarget target: Responder?, forControlEvent events: Events) -> [Selector]? {
        let actions = targets.filter { $0.matches(target, nil) && !$0.events.isDisjoint(with: events) }
            .compactMap(\.action)
        return actions.isEmpty ? nil : actions
    }

    /// The targets that still exist; `NSNull` stands for a nil target (`UIControl.allTargets`).
    public var allTargets: Set<AnyHashable> {
        Set(
            targets.compactMap { target in
                switch target.kind {
                case .closure: nil
                case .responder(let responder, _): responder.object.map { AnyHashable($0) }
                case .chain: AnyHashable(NSNull())
                }
            })
    }

    /// Every event that has a closure or an action.
    public var allControlEvents: Events { targets.reduce(into: []) { $0.formUnion($1.events) } }

    /// Runs the closures and sends the actions for control events.
    public func sendActions(for events: Events) { sendActions(for: events, with: nil) }

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
        case .responder(let responder, let action):
            guard let responder = responder.object else { return }
            sendAction(action, to: responder, for: event)
        case .chain(let action):
            sendAction(action, to: nil, for: event)
        }
    }

    /// The application that sends the control's actions.
    var application: Application { window?.application ?? .shared }
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
