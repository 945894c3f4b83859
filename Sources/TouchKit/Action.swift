import Foundation

/// A closure with a title (`UIAction`).
@MainActor @preconcurrency public final class Action {
    /// The type of `identifier`.
    public typealias Identifier = String

    /// The action's name in logs, and a button's title.
    public var title: String
    /// A control has one action with an identifier at most.
    public let identifier: Identifier
    /// The control that performs the action; nil outside of the closure.
    public internal(set) var sender: Any?
    let handler: (Action) -> Void

    /// Makes an action; without an identifier it differs from every other.
    public init(title: String = "", identifier: Identifier? = nil, handler: @escaping (Action) -> Void) {
        self.title = title
        self.identifier = identifier ?? UUID().uuidString
        self.handler = handler
    }

    func perform(by sender: Any) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}

extension Control {
    /// Makes a control with an action for `primaryActionTriggered`.
    public convenience init(frame: CGRect, primaryAction: Action?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    /// Adds an action for control events, in place of one with the same identifier.
    public func addAction(_ action: Action, for events: Events) {
        removeAction(identifiedBy: action.identifier, for: .allEvents)
        let token = ControlHandlerToken(name: action.title.isEmpty ? nil : action.title) { control, _ in
            action.perform(by: control)
        }
        token.action = action.identifier
        targets.append(ControlTarget(events: events, kind: .closure(token)))
    }

    /// Stops performing an action for control events.
    public func removeAction(_ action: Action, for events: Events) {
        removeAction(identifiedBy: action.identifier, for: events)
    }

    /// Stops performing the action with an identifier for control events.
    public func removeAction(identifiedBy identifier: Action.Identifier, for events: Events) {
        for index in targets.indices where targets[index].closure?.action == identifier {
            targets[index].events.subtract(events)
        }
        targets.removeAll { $0.events.isEmpty }
    }
}

extension Button {
    /// Makes a button with an action, whose title it gets (`UIButton.init(type:primaryAction:)`).
    public convenience init(type: ButtonType = .system, primaryAction: Action?) {
        self.init(type: type)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: .primaryActionTriggered)
    }
}
