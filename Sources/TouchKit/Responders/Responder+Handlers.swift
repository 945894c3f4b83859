extension Responder {
    /// Adds a closure that runs for every touch that enters a phase on this responder.
    ///
    /// Closures run in the order in which they were added, once for each touch, in the order in which the touches
    /// began. A responder with closures for a phase does not pass that phase up the chain, unless its subclass does.
    /// - Parameters:
    ///   - phase: any phase except `stationary`, which is never delivered.
    ///   - name: the closure's name in logs.
    ///   - body: the closure; it receives the touch and its event.
    /// - Returns: a token for `removeHandler(_:)`.
    @discardableResult
    public func addHandler(
        for phase: Touch.Phase, name: String? = nil, _ body: @escaping (Touch, Event) -> Void
    ) -> HandlerToken {
        precondition(phase != .stationary, "stationary touches are not delivered, so no handler can run for them")
        let token = HandlerToken(name: name, phase: phase, body: body)
        handlers.append(token)
        return token
    }

    /// Removes a closure; it does not run again, not even in the current delivery.
    public func removeHandler(_ token: HandlerToken) {
        token.isRemoved = true
        handlers.removeAll { $0 === token }
    }

    /// Adds a closure for an action name; replaces an existing closure of that name.
    ///
    /// The closure receives the action's sender and event.
    public func addAction(_ action: Selector, _ body: @escaping (_ sender: Any?, _ event: Event?) -> Void) {
        actions[action] = body
    }

    /// Removes the closure of an action name.
    public func removeAction(_ action: Selector) { actions[action] = nil }

    /// Runs the closures for a phase and returns the touches to pass up the chain: empty if there are such closures.
    func runHandlers(for phase: Touch.Phase, _ touches: Set<Touch>, _ event: Event?) -> Set<Touch> {
        guard !handlers.isEmpty, let event else { return touches }
        // Closures may add and remove closures, and may cancel touches: the lists at the start of the call apply.
        let closures = handlers
        var ran = false
        let isEnd = phase == .ended || phase == .cancelled
        let candidates = event.touches
        // Most calls have one touch; taking it directly avoids hashing.
        let only = touches.count == 1 ? touches.first : nil
        for place in candidates.indices {
            let touch = candidates[place]
            guard only === touch || only == nil && touches.contains(touch) else { continue }
            for number in closures.indices where closures[number].phase == phase && !closures[number].isRemoved {
                // An earlier closure may have cancelled the touch, and the cancellation was delivered already.
                if touch.isOver && !isEnd { continue }
                ran = true
                if event.handlerRuns != nil, let name = closures[number].name {
                    event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
                }
                closures[number].body(touch, event)
            }
        }
        return ran ? [] : touches
    }
}
