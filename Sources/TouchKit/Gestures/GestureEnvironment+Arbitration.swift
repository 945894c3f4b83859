/// Who may recognize, in what order actions are called, and when touches are taken from views.
extension GestureEnvironment {
    /// Takes a recognizer to a state as far as the documents and the other recognizers allow.
    func request(_ new: GestureRecognizer.State, of recognizer: GestureRecognizer) {
        let old = recognizer.actualState
        switch (old, new) {
        case (.ended, _), (.cancelled, _), (.failed, _), (.possible, .possible): return
        case (.possible, .failed), (.possible, .cancelled): fail(recognizer)
        case (.began, .failed), (.changed, .failed): enter(.cancelled, recognizer)
        default:
            precondition(old.allows(new), "\(type(of: recognizer)) cannot go from \(old) to \(new)")
            if old != .possible {
                enter(new, recognizer)
            } else if depth > 0, recognizer.recognizesLast {
                hold(new, recognizer)
            } else {
                attempt(new, recognizer)
            }
        }
        if depth == 0 && !isSettling { application.touches.perform { self.settle() } }
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
        for other in required where other.actualState == .possible && isUndecided(other) {
            return hold(new, recognizer)
        }
        guard viewsAllow(recognizer),
            recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) ?? true
        else { return fail(recognizer) }
        // What was asked may have turned the recognizer off.
        guard recognizer.actualState == .possible else { return }
        enter(new, recognizer)
        if recognizer.cancelsTouchesInView { taking.append(recognizer) }
        for other in others where other.actualState == .possible && excludes(recognizer, other) { fail(other) }
    }

    /// Has a recognizer wait for what others decide, at least until all have been told of the event.
    private func hold(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.pendingState = new
        if !waiting.contains(recognizer) { waiting.append(recognizer) }
    }

    /// Asks the views from the touched one up to the recognizer's own.
    private func viewsAllow(_ recognizer: GestureRecognizer) -> Bool {
        var view = recognizer.sequenceTouches.last?.view ?? recognizer.view
        while let current = view {
            if !current.gestureRecognizerShouldBegin(recognizer) { return false }
            view = current === recognizer.view ? nil : current.superview
        }
        return true
    }

    /// Tells those who look on.
    func changed(_ recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        application.didChangeState?(recognizer, former)
    }

    private func enter(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.setState(new)
        acting.append(Action(recognizer: recognizer, state: new))
    }

    private func fail(_ recognizer: GestureRecognizer) {
        recognizer.pendingState = nil
        recognizer.setState(.failed)
    }

    /// Whether a recognizer may still recognize with the touches it has, or those it waits for.
    func isUndecided(_ recognizer: GestureRecognizer) -> Bool {
        guard recognizer.actualState == .possible else { return false }
        return recognizer.pendingState != nil || recognizer.awaitsMoreTouches
            || recognizer.hasTouchThatGoesOn
    }

    /// Lets the recognizers that wait go on as far as they can, calls actions, and takes touches from views.
    func settle() {
        guard !isSettling, depth == 0 else { return }
        if waiting.isEmpty, acting.isEmpty, taking.isEmpty { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if let recognizer = nextToGoOn() {
                if let state = recognizer.pendingState { attempt(state, recognizer) }
            } else if let action = acting.popFirst() {
                act(action)
            } else if !taking.isEmpty {
                application.touches.take(from: taking.removeFirst())
            } else {
                return
            }
        }
    }

    func act(_ action: Action) {
        action.recognizer.act(in: action.state, event)
    }

    /// Takes a recognizer off the waiting list for which something has been decided.
    private func nextToGoOn() -> GestureRecognizer? {
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
    fileprivate var hasTouchThatGoesOn: Bool {
        for touch in activeTouches where !touch.isDone { return true }
        return false
    }
}
