/// A closure or an action that a recognizer calls, and the means to remove it.
public final class GestureHandlerToken {
    /// The name it was added with.
    public let name: String?
    let body: (GestureRecognizer) -> Void
    /// The states in which it is called; nil for all that call actions.
    let states: [GestureRecognizer.State]?
    /// The target and action it stands for; neither keeps the target alive.
    let target: WeakResponder?
    let action: Selector?
    var isRemoved = false

    init(
        name: String?, target: WeakResponder? = nil, action: Selector? = nil,
        states: [GestureRecognizer.State]? = nil, body: @escaping (GestureRecognizer) -> Void
    ) {
        self.name = name
        self.target = target
        self.action = action
        self.states = states
        self.body = body
    }
}

extension GestureRecognizer {
    /// Adds a closure that is called each time the recognizer enters began, changed, ended or cancelled, or of these only
    /// some.
    ///
    /// Closures and actions are called in the order in which they were added.
    /// - Parameters:
    ///   - name: what logs call the closure.
    ///   - states: the states in which it is called; all of those four with nil.
    ///   - body: is given the recognizer.
    /// - Returns: what `removeHandler(_:)` takes.
    @discardableResult
    public func addHandler(
        name: String? = nil, in states: [State]? = nil, _ body: @escaping (GestureRecognizer) -> Void
    ) -> GestureHandlerToken {
        let token = GestureHandlerToken(name: name, states: states, body: body)
        handlers.append(token)
        return token
    }

    /// Removes a closure; it is not called again.
    public func removeHandler(_ token: GestureHandlerToken) {
        token.isRemoved = true
        handlers.removeAll { $0 === token }
    }

    /// Has a responder perform an action when the recognizer recognizes; with nil, the first up the chain that can.
    ///
    /// The recognizer does not keep the target alive. Adding a target and action that it has changes nothing
    /// (`UIGestureRecognizer.addTarget(_:action:)`).
    public func addTarget(_ target: Responder?, action: Selector) {
        for token in handlers where token.action == action && token.target?.object === target {
            if (token.target == nil) == (target == nil) { return }
        }
        let weakTarget = target.map { WeakResponder($0) }
        handlers.append(
            GestureHandlerToken(name: nil, target: weakTarget, action: action) { recognizer in
                // A target that is gone is not the same as none: the action is for nobody else.
                if let weakTarget, weakTarget.object == nil { return }
                let application = recognizer.view?.window?.application
                application?.sendAction(action, to: weakTarget?.object, from: recognizer, for: nil)
            })
    }

    /// Stops having a target, or with nil any target, perform an action, or with nil any.
    public func removeTarget(_ target: Responder?, action: Selector?) {
        for token in handlers where token.action != nil {
            guard action == nil || token.action == action, target == nil || token.target?.object === target else {
                continue
            }
            removeHandler(token)
        }
    }

    /// Calls what was added, and notes the names for the observer of deliveries.
    func act(_ event: Event) {
        for token in handlers where !token.isRemoved && token.states?.contains(state) != false {
            if let name = token.name, event.handlerRuns != nil, let touch = activeTouches.last ?? sequenceTouches.last {
                event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
            }
            token.body(self)
        }
    }
}
