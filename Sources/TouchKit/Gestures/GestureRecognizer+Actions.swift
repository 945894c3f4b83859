extension GestureRecognizer {
    /// Adds a closure that runs each time the recognizer enters one of the given states.
    ///
    /// Closures and actions run in the order in which they were added.
    /// - Parameters:
    ///   - name: the closure's name in logs.
    ///   - states: any of began, changed, ended and cancelled; nil means all four.
    ///   - body: the closure; it receives the recognizer.
    /// - Returns: a token for `removeHandler(_:)`.
    @discardableResult
    public func addHandler(
        name: String? = nil, in states: [State]? = nil, _ body: @escaping (GestureRecognizer) -> Void
    ) -> GestureHandlerToken {
        let token = GestureHandlerToken(name: name, states: states, body: body)
        handlers.append(token)
        return token
    }

    /// Removes a closure; it does not run again.
    public func removeHandler(_ token: GestureHandlerToken) {
        token.isRemoved = true
        handlers.removeAll { $0 === token }
    }

    /// Adds a target and action, called when the recognizer recognizes; a nil target searches the responder chain.
    ///
    /// The recognizer keeps no strong reference to the target. Adding the same target and action again has no effect
    /// (`UIGestureRecognizer.addTarget(_:action:)`).
    public func addTarget(_ target: Responder?, action: Selector) {
        for token in handlers where token.action == action && token.target?.object === target {
            if (token.target == nil) == (target == nil) { return }
        }
        let weakTarget = target.map { WeakResponder($0) }
        handlers.append(
            GestureHandlerToken(name: nil, target: weakTarget, action: action) { recognizer in
                // A released target differs from a nil target: its action must not search the responder chain.
                if let weakTarget, weakTarget.object == nil { return }
                let application = recognizer.view?.window?.application
                application?.sendAction(action, to: weakTarget?.object, from: recognizer, for: nil)
            })
    }

    /// Removes an action of a target; nil matches any target, or any action.
    public func removeTarget(_ target: Responder?, action: Selector?) {
        for token in handlers where token.action != nil {
            guard action == nil || token.action == action, target == nil || token.target?.object === target else {
                continue
            }
            removeHandler(token)
        }
    }

    /// Calls the closures and actions, and records their names for the delivery observer.
    func act(_ event: Event) {
        for token in handlers where !token.isRemoved && token.states?.contains(state) != false {
            if let name = token.name, event.handlerRuns != nil, let touch = activeTouches.last ?? sequenceTouches.last {
                event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
            }
            token.body(self)
        }
    }
}
