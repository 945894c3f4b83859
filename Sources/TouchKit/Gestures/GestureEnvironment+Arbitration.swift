/// Arbitration between recognizers, the order of actions, and cancellation of touches in views.
///
/// A recognizer may set its state several times while it receives touches. Arbitration and actions start after all
/// recognizers have received the event, and use the last state. So a subclass of a pan may call super, check the state
/// and set cancelled, and the beginning has no effect.
extension GestureEnvironment {
    /// Changes a recognizer's state if the documented transitions and the other recognizers permit it.
    func request(_ new: GestureRecognizer.State, of recognizer: GestureRecognizer) {
        guard let next = recognizer.nextState(for: new) else { return }
        // Also without a touch, so that the state is followed by a reset (B20).
        if recognizer.activeTouches.isEmpty { involve(recognizer) }
        if depth > 0 {
            if recognizer.requestedState == nil { requesting.append(recognizer) }
            recognizer.requestedState = next
            return
        }
        apply(next, to: recognizer)
        if !isSettling { application.touches.perform { self.settle() } }
    }

    private func apply(_ new: GestureRecognizer.State, to recognizer: GestureRecognizer) {
        switch (recognizer.actualState, new) {
        case (.ended, _), (.cancelled, _), (.failed, _), (.possible, .possible): return
        case (.possible, .failed), (.possible, .cancelled): fail(recognizer)
        case (.possible, _): attempt(new, recognizer)
        // After began comes ended or cancelled (B23).
        case (_, .failed): enter(.cancelled, recognizer)
        default: enter(new, recognizer)
        }
    }

    /// Applies the states that recognizers requested during the event, in the order in which they received its touches.
    /// Recognizers with `recognizesLast` come after the others.
    private func applyRequests() {
        var number = 0
        while number < requesting.count {
            if !requesting[number].recognizesLast { applyRequest(of: requesting[number]) }
            number += 1
        }
        // A delegate's method may have cancelled touches, so more recognizers may have set a state.
        number = 0
        while number < requesting.count {
            applyRequest(of: requesting[number])
            number += 1
        }
        requesting.removeAll(keepingCapacity: true)
    }

    private func applyRequest(of recognizer: GestureRecognizer) {
        guard let state = recognizer.requestedState else { return }
        recognizer.requestedState = nil
        apply(state, to: recognizer)
    }

    /// Ends the gesture of a recognizer that is being disabled, without waiting for the end of the event.
    func cancel(_ recognizer: GestureRecognizer) {
        let requested = recognizer.requestedState
        recognizer.requestedState = nil
        // The beginning was requested in this event and had no effect yet.
        if recognizer.actualState == .possible { return fail(recognizer) }
        apply(requested?.isFinal == true ? requested ?? .cancelled : .cancelled, to: recognizer)
    }

    private func attempt(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.pendingState = nil
        let others = peers(of: recognizer)
        for other in others where other.actualState.isRecognized && excludes(other, recognizer) {
            return fail(recognizer)
        }
        var required: [GestureRecognizer] = []
        for other in others where mustFail(other, before: recognizer) { required.append(other) }
        for other in required where other.actualState.isRecognized { return fail(recognizer) }
        for other in required where isUndecided(other) && !ignoresCircle(of: recognizer, with: other) {
            return hold(new, recognizer)
        }
        guard viewsAllow(recognizer),
            recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) ?? true
        else { return fail(recognizer) }
        // A delegate's or view's method may have disabled the recognizer, also for a moment, or cancelled its touches.
        guard recognizer.actualState == .possible, involved.holds(recognizer), recognizer.requestedState == nil else {
            return
        }
        // Handlers of a continuous gesture always receive began first.
        if recognizer.passesBegan, new != .began { enter(.began, recognizer) }
        enter(new, recognizer)
        // Touches are recorded here, because an action may remove or disable the recognizer, which clears them.
        if recognizer.cancelsForwardedTouches || recognizer.delaysForwardedTouches {
            for touch in recognizer.sequenceTouches { touch.isClaimedByGesture = true }
        }
        if recognizer.cancelsTouchesInView {
            touchesToCancel.append(recognizer.sequenceTouches)
        } else if recognizer.delaysTouchesBegan {
            // UIKit discards a delayed beginning after the recognizer has recognized.
            touchesToCancel.append(recognizer.sequenceTouches.filter { !$0.delivery.hasBegun })
        }
        for other in others where other.actualState == .possible && excludes(recognizer, other) { fail(other) }
    }

    /// Whether a recognizer must not wait for another because that one waits for it, perhaps through others: the
    /// requirement that closes a circle is ignored (B22), and logged once.
    private func ignoresCircle(of recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool {
        var circle = [other]
        var number = 0
        while number < circle.count {
            let link = circle[number]
            number += 1
            guard link.pendingState != nil else { continue }
            for next in peers(of: link) where mustFail(next, before: link) && !circle.holds(next) {
                circle.append(next)
                guard next === recognizer else { continue }
                let names = ([recognizer] + circle.dropLast()).map { $0.name ?? "\(type(of: $0))" }
                if reportedCircles.insert(names).inserted { application.didReport?(.failureCircle(recognizers: names)) }
                return true
            }
        }
        return false
    }

    /// Makes a recognizer wait for the decisions of others.
    private func hold(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.pendingState = new
        if !waiting.contains(recognizer) { waiting.append(recognizer) }
    }

    /// Asks each view from the touched view up to the recognizer's view.
    private func viewsAllow(_ recognizer: GestureRecognizer) -> Bool {
        var view = recognizer.sequenceTouches.last?.view ?? recognizer.view
        while let current = view {
            if !current.gestureRecognizerShouldBegin(recognizer) { return false }
            view = current === recognizer.view ? nil : current.superview
        }
        return true
    }

    /// Reports a state change to the observer.
    func changed(_ recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        application.didChangeState?(recognizer, former)
    }

    private func enter(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.passesBegan = false
        recognizer.setState(new)
        acting.append(Action(recognizer: recognizer, state: new))
    }

    /// - Parameter recognizer: A recognizer; nothing happens if its gesture is over, for example because a delegate that
    ///   was asked about it disabled it for a moment.
    func fail(_ recognizer: GestureRecognizer) {
        guard involved.holds(recognizer) else { return }
        recognizer.pendingState = nil
        recognizer.requestedState = nil
        recognizer.passesBegan = false
        recognizer.setState(.failed)
    }

    /// Whether a recognizer may still recognize, with its current touches or with touches that it waits for.
    ///
    /// A recognizer whose touches have all ended cannot, even if it is still possible: it releases the ends that it
    /// delayed.
    func isUndecided(_ recognizer: GestureRecognizer) -> Bool {
        guard recognizer.actualState == .possible, recognizer.requestedState != .failed else { return false }
        return recognizer.pendingState != nil || recognizer.requestedState != nil || recognizer.awaitsMoreTouches
            || recognizer.hasTouchToCome
    }

    /// Whether a recognizer that has recognized is about to cancel the touch in its view.
    func takes(_ touch: Touch) -> Bool {
        for touches in touchesToCancel where touches.contains(where: { $0 === touch }) { return true }
        return false
    }

    /// Whether a recognizer may still recognize with this touch, and not only with touches that came after its gesture.
    func isUndecided(_ recognizer: GestureRecognizer, of touch: Touch) -> Bool {
        isUndecided(recognizer) && recognizer.sequenceTouches.contains { $0 === touch }
    }

    /// Applies requested states, continues waiting recognizers where possible, calls actions, and cancels touches in
    /// views.
    func settle() {
        guard !isSettling, depth == 0 else { return }
        if requesting.isEmpty, waiting.isEmpty, acting.isEmpty, touchesToCancel.isEmpty { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if !requesting.isEmpty {
                applyRequests()
            } else if let recognizer = nextToContinue() {
                if let state = recognizer.pendingState { attempt(state, recognizer) }
            } else if let action = acting.popFirst() {
                act(action)
            } else if !touchesToCancel.isEmpty {
                application.touches.cancelInViews(touchesToCancel.removeFirst())
            } else {
                return
            }
        }
    }

    func act(_ action: Action) {
        action.recognizer.act(in: action.state, event)
    }

    /// Removes and returns a waiting recognizer whose failure requirements are decided.
    private func nextToContinue() -> GestureRecognizer? {
        if waiting.isEmpty { return nil }
        waiting.removeAll { $0.pendingState == nil }
        let index = waiting.firstIndex { recognizer in
            let required = peers(of: recognizer).filter { mustFail($0, before: recognizer) }
            return !required.contains { isUndecided($0) } || required.contains { $0.actualState.isRecognized }
        }
        return index.map { waiting.remove(at: $0) }
    }
}

extension GestureRecognizer {
    /// Whether a touch is down, or its end was not delivered to the recognizers yet.
    fileprivate var hasTouchToCome: Bool {
        for touch in activeTouches where !touch.isOver || touch.pending.contains(.recognizers) { return true }
        return false
    }
}
