import Foundation

/// Who is told of a control's events: closures, and responders by the names of their actions.
extension Control {
    /// What can happen to a control (`UIControl.Event`, with its raw values).
    ///
    /// It is not called `Event`, as that would hide `Event` in every subclass of `Control`.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of events from its bits.
        public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }

        /// A touch began.
        public nonisolated static let touchDown = Events(rawValue: 1 << 0)
        /// A touch began whose `tapCount` is above 1; comes after `touchDown`.
        public nonisolated static let touchDownRepeat = Events(rawValue: 1 << 1)
        /// The touch moved inside.
        public nonisolated static let touchDragInside = Events(rawValue: 1 << 2)
        /// The touch moved outside.
        public nonisolated static let touchDragOutside = Events(rawValue: 1 << 3)
        /// The touch came in again; comes before `touchDragInside`.
        public nonisolated static let touchDragEnter = Events(rawValue: 1 << 4)
        /// The touch went out; comes before `touchDragOutside`.
        public nonisolated static let touchDragExit = Events(rawValue: 1 << 5)
        /// The touch was lifted inside.
        public nonisolated static let touchUpInside = Events(rawValue: 1 << 6)
        /// The touch was lifted outside.
        public nonisolated static let touchUpOutside = Events(rawValue: 1 << 7)
        /// The touch is over without having been lifted.
        public nonisolated static let touchCancel = Events(rawValue: 1 << 8)
        /// The control's value changed; for subclasses that have one.
        public nonisolated static let valueChanged = Events(rawValue: 1 << 12)
        /// What the control is there for; a `Button` sends it after `touchUpInside`.
        public nonisolated static let primaryActionTriggered = Events(rawValue: 1 << 13)
        /// A menu is about to be shown; for subclasses that have one.
        public nonisolated static let menuActionTriggered = Events(rawValue: 1 << 14)
        /// Editing began; for subclasses that edit text, as the other editing events.
        public nonisolated static let editingDidBegin = Events(rawValue: 1 << 16)
        /// The edited text changed.
        public nonisolated static let editingChanged = Events(rawValue: 1 << 17)
        /// Editing ended.
        public nonisolated static let editingDidEnd = Events(rawValue: 1 << 18)
        /// Editing ended because the return key was pressed.
        public nonisolated static let editingDidEndOnExit = Events(rawValue: 1 << 19)
        /// Every event of editing.
        public nonisolated static let allEditingEvents = Events(rawValue: 0x000F_0000)
        /// The events that a program may define.
        public nonisolated static let applicationReserved = Events(rawValue: 0x0F00_0000)
        /// The events that UIKit reserves for itself.
        public nonisolated static let systemReserved = Events(rawValue: 0xF000_0000)
        /// Every event of a touch.
        public nonisolated static let allTouchEvents = Events(rawValue: 0x0000_0FFF)
        /// Every event.
        public nonisolated static let allEvents = Events(rawValue: 0xFFFF_FFFF)
    }

    /// Adds a closure for control events; closures and actions run in the order in which they were added.
    /// - Returns: what `removeHandler(_:)` takes.
    @discardableResult
    public func addHandler(
        for events: Events, name: String? = nil, _ body: @escaping (Control, Event?) -> Void
    ) -> ControlHandlerToken {
        let token = ControlHandlerToken(name: name, body: body)
        targets.append(ControlTarget(events: events, kind: .closure(token)))
        return token
    }

    /// Removes a closure; it does not run again, not even in a sending under way.
    public func removeHandler(_ token: ControlHandlerToken) {
        token.isRemoved = true
        targets.removeAll { $0.closure === token }
    }

    /// Sends an action to a target when one of some events happens; with nil, up the responder chain.
    ///
    /// The target is not kept alive. Adding the same target and action for other events adds these.
    public func addTarget(_ target: Responder?, action: Selector, for events: Events) {
        if let index = targets.firstIndex(where: { $0.sends(action, to: target) }) {
            targets[index].events.formUnion(events)
            return
        }
        let kind = target.map { ControlTarget.Kind.responder(WeakResponder($0), action) } ?? .chain(action)
        targets.append(ControlTarget(events: events, kind: kind))
    }

    /// Stops sending an action to a target for some events; with nil, to any target, or any action.
    public func removeTarget(_ target: Responder?, action: Selector?, for events: Events) {
        for index in targets.indices where targets[index].matches(target, action) {
            targets[index].events.subtract(events)
        }
        targets.removeAll { $0.events.isEmpty }
    }

    /// The actions that a target is sent for an event; nil if there are none.
    public func actions(forTarget target: Responder?, forControlEvent events: Events) -> [Selector]? {
        let actions = targets.filter { $0.matches(target, nil) && !$0.events.isDisjoint(with: events) }
            .compactMap(\.action)
        return actions.isEmpty ? nil : actions
    }

    /// The targets that actions are sent to, as far as they are still alive; `NSNull` stands for nil
    /// (`UIControl.allTargets`).
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

    /// Every event for which something is sent.
    public var allControlEvents: Events { targets.reduce(into: []) { $0.formUnion($1.events) } }

    /// Runs the closures and sends the actions for some events.
    public func sendActions(for events: Events) { sendActions(for: events, with: nil) }

    func perform(_ target: ControlTarget, _ event: Event?) {
        switch target.kind {
        case .closure(let token):
            guard !token.isRemoved else { return }
            if let name = token.name { event?.noteRun(of: name, on: self) }
            token.body(self, event)
        case .responder(let responder, let action):
            guard let responder = responder.object else { return }
            sendAction(action, to: responder, for: event)
        case .chain(let action):
            sendAction(action, to: nil, for: event)
        }
    }

    /// The application that the control's actions go through.
    var application: Application { window?.application ?? .shared }
}

/// A closure that was added to a control, and the means to remove it.
public final class ControlHandlerToken {
    /// The name it was added with.
    public let name: String?
    let body: (Control, Event?) -> Void
    var isRemoved = false

    init(name: String?, body: @escaping (Control, Event?) -> Void) {
        self.name = name
        self.body = body
    }
}

struct WeakResponder {
    weak var object: Responder?

    init(_ object: Responder) { self.object = object }
}

/// What a control does when one of some events happens.
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

    /// Whether it sends to a target, or with nil to any, an action, or with nil any.
    func matches(_ target: Responder?, _ action: Selector?) -> Bool {
        guard let own = self.action, action == nil || action == own else { return false }
        guard let target else { return true }
        return sends(own, to: target)
    }
}
