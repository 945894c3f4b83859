/// Arbitration between recognizers, the order of actions, and cancellation of touches in views.
///
/// A recognizer may set its state several times while it receives touches. Arbitration and actions start after all
/// recognizers have received the event, and use the last state. So a subclass of a pan may call super, check the state
/// and set cancelled, and the beginning has no effect.
extension GestureEnvironment {
    /// Changes a recognizer's state if the documented transitions and the other recognizers permit it.
    func request(_ new: GestureRecognizer.State, of recognizer: GestureRecognizer) {
        guard let choice = recognizer.choice(of: new) else { return }
        // Also without a touch, so that the state is followed by a reset (B20).
        if recognizer.progress.isIdle { move(recognizer, to: .undecided(next: nil)) }
        if depth > 0 {
            if recognizer.progress.next == nil { requesting.append(recognizer) }
            recognizer.choose(choice)
            return
        }
        apply(choice, to: recognizer)
        if !isSettling { application.touches.perform { self.settle() } }
    }

    private func apply(_ choice: GestureRecognizer.Choice, to recognizer: GestureRecognizer) {
        switch recognizer.progress {
        case .idle, .over: break
        case .undecided, .waiting:
            if choice.state == .failed { fail(recognizer) } else { attempt(choice, recognizer) }
        // After began comes ended or cancelled (B23).
        case .active: enter(choice.state == .failed ? .cancelled : choice.state, recognizer)
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
        guard let choice = recognizer.progress.next else { return }
        recognizer.choose(nil)
        apply(choice, to: recognizer)
    }

    /// Ends the gesture of a recognizer that is being disabled, without waiting for the end of the event.
    func cancel(_ recognizer: GestureRecognizer) {
        switch recognizer.progress {
        case .idle, .over: break
        // A beginning that was set in this event had no effect yet.
        case .undecided, .waiting: fail(recognizer)
        case .active(_, let next): enter(next?.state == .ended ? .ended : .cancelled, recognizer)
        }
    }

    private func attempt(_ choice: GestureRecognizer.Choice, _ recognizer: GestureRecognizer) {
        move(recognizer, to: .undecided(next: nil))
        let others = peers(of: recognizer)
        for other in others where other.progress.state.isRecognized && excludes(other, recognizer) {
            return fail(recognizer)
        }
        var required: [GestureRecognizer] = []
        for other in others where mustFail(other, before: recognizer) { required.append(other) }
        for other in required where other.progress.state.isRecognized { return fail(recognizer) }
        for other in required where isUndecided(other) && !ignoresCircle(of: recognizer, with: other) {
            return move(recognizer, to: .waiting(for: choice, next: nil))
        }
        let hasTouches = !recognizer.sequenceTouches.isEmpty
        guard viewsAllow(recognizer),
            recognizer.ownDelegate?.gestureRecognizerShouldBegin(recognizer) ?? true,
            // It may have ignored the touches that would end the gesture.
            recognizer.sequenceTouches.isEmpty != hasTouches,
            choice.state.isFinal || !recognizer.hasIgnoredLastTouch
        else { return fail(recognizer) }
        // A delegate's or view's method may have disabled the recognizer, also for a moment, or cancelled its touches.
        guard case .undecided(next: nil) = recognizer.progress else { return }
        // Handlers of a continuous gesture always receive began first.
        if choice.needsBegan, choice.state != .began { enter(.began, recognizer) }
        enter(choice.state, recognizer)
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
        for other in others where other.progress.state == .possible && excludes(recognizer, other) { fail(other) }
    }

    /// Whether a recognizer must not wait for another because that one waits for it, perhaps through others: the
    /// requirement that closes a circle is ignored (B22), and logged once.
    private func ignoresCircle(of recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool {
        var circle = [other]
        var number = 0
        while number < circle.count {
            let link = circle[number]
            number += 1
            guard link.progress.isWaiting else { continue }
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

    /// Asks each view from the touched view of every finger up to the recognizer's view; each once.
    private func viewsAllow(_ recognizer: GestureRecognizer) -> Bool {
        let touches = recognizer.trackedTouches, root = recognizer.attachedView
        // Without closures: each call of one would check that this is the main thread.
        for index in 0..<max(touches.count, 1) {
            var view = index < touches.count ? touches[index].view ?? root : root
            asking: while let current = view {
                // Asked for another finger, as all above it were.
                for other in touches.prefix(index) where (other.view ?? root)?.isDescendant(of: current) == true {
                    break asking
                }
                if !current.gestureRecognizerShouldBegin(recognizer) { return false }
                view = current === root ? nil : current.superview
            }
        }
        return true
    }

    private func enter(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        move(recognizer, to: .init(entering: new))
        acting.append(Action(recognizer: recognizer, state: new))
    }

    /// - Parameter recognizer: A recognizer; nothing happens if its gesture is over, for example because a delegate that
    ///   was asked about it disabled it for a moment.
    func fail(_ recognizer: GestureRecognizer) {
        if recognizer.progress.state == .possible, !recognizer.progress.isIdle { move(recognizer, to: .over(.failed)) }
    }

    /// Whether a recognizer may still recognize, with its current touches or with touches that it waits for.
    ///
    /// A recognizer whose touches have all ended cannot, even if it is still possible: it releases the ends that it
    /// delayed.
    func isUndecided(_ recognizer: GestureRecognizer) -> Bool {
        switch recognizer.progress {
        case .idle, .active, .over: false
        case .undecided(next: nil): recognizer.awaitsMoreTouches || recognizer.hasTouchToCome
        case .undecided(let next), .waiting(_, let next): next?.state != .failed
        }
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
            } else if !waiting.isEmpty, let recognizer = nextToContinue() {
                if let choice = recognizer.progress.awaited { attempt(choice, recognizer) }
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

    /// A waiting recognizer whose failure requirements are decided.
    private func nextToContinue() -> GestureRecognizer? {
        waiting.first { recognizer in
            let required = peers(of: recognizer).filter { mustFail($0, before: recognizer) }
            return !required.contains { isUndecided($0) } || required.contains { $0.progress.state.isRecognized }
        }
    }

    // MARK: Rivals

    /// The other recognizers that share a touch of the gesture and have not finished their own gesture with it.
    func peers(of recognizer: GestureRecognizer) -> [GestureRecognizer] {
        var peers: [GestureRecognizer] = []
        for touch in recognizer.sequenceTouches {
            for other in touch.recognizers
            where other !== recognizer && !peers.holds(other) && !other.progress.isIdle {
                peers.append(other)
            }
        }
        return peers
    }

    func excludes(_ winner: GestureRecognizer, _ other: GestureRecognizer) -> Bool {
        guard winner.canPrevent(other), other.canBePrevented(by: winner) else { return false }
        if winner.ownDelegate?.gestureRecognizer(winner, shouldRecognizeSimultaneouslyWith: other) == true {
            return false
        }
        return other.ownDelegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: winner) != true
    }

    private func mustFail(_ other: GestureRecognizer, before recognizer: GestureRecognizer) -> Bool {
        recognizer.requiresFailure(of: other)
            || recognizer.shouldRequireFailure(of: other)
            || other.shouldBeRequiredToFail(by: recognizer)
            || recognizer.ownDelegate?.gestureRecognizer(recognizer, shouldRequireFailureOf: other) == true
            || other.ownDelegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: recognizer) == true
    }
}

extension GestureRecognizer {
    /// Whether a touch is down, or its end was not delivered to the recognizers yet.
    fileprivate var hasTouchToCome: Bool {
        for touch in activeTouches where !touch.isOver || touch.pending.contains(.recognizers) { return true }
        return false
    }

    fileprivate func requiresFailure(of other: GestureRecognizer) -> Bool {
        for requirement in failureRequirements where requirement.object === other { return true }
        return false
    }
}

// MARK: - Progress of a gesture

extension GestureRecognizer {
    /// A state that a recognizer set and that arbitration has not handled yet.
    struct Choice {
        let state: State
        /// Whether the recognizer set began, or changed instead, before this state.
        var needsBegan = false
    }

    /// Where a recognizer is in its gesture; only idle follows over.
    enum Progress {
        /// No gesture: no touches, no timer, nothing waits for it.
        case idle
        /// Its touches may become a gesture.
        case undecided(next: Choice?)
        /// It has recognized, and waits for others to fail.
        case waiting(for: Choice, next: Choice?)
        /// Began or changed.
        case active(State, next: Choice?)
        /// Ended, cancelled or failed, until its touches are gone.
        case over(State)

        init(entering state: State) {
            self = state == .possible ? .undecided(next: nil) : state.isFinal ? .over(state) : .active(state, next: nil)
        }

        /// The state that had its effects.
        var state: State {
            switch self {
            case .idle, .undecided, .waiting: .possible
            case .active(let state, _), .over(let state): state
            }
        }

        /// The state that was set last.
        var newest: State { next?.state ?? state }

        /// The state that was set during the current event; one that is idle or over sets none.
        var next: Choice? {
            get {
                switch self {
                case .idle, .over: nil
                case .undecided(let next), .waiting(_, let next), .active(_, let next): next
                }
            }
            set {
                switch self {
                case .idle, .over: break
                case .undecided: self = .undecided(next: newValue)
                case .waiting(let awaited, _): self = .waiting(for: awaited, next: newValue)
                case .active(let state, _): self = .active(state, next: newValue)
                }
            }
        }

        /// The state that the recognizer enters after others have failed.
        var awaited: Choice? { if case .waiting(let choice, _) = self { choice } else { nil } }
        var isWaiting: Bool { if case .waiting = self { true } else { false } }
        var isIdle: Bool { if case .idle = self { true } else { false } }
        var isUndecided: Bool { if case .undecided = self { true } else { false } }
    }

    // MARK: Closures and actions

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
    public func addTarget(_ target: Any?, action: Selector) {
        if handlers.contains(where: { $0.target?.sends(action, to: target) == true }) { return }
        let own = TargetAction(target, action)
        handlers.append(
            GestureHandlerToken(name: nil, target: own) { recognizer in
                if own.isReleased { return }
                let application = recognizer.attachedView?.window?.application
                application?.sendAction(action, to: own.receiver, from: recognizer, for: nil)
            })
    }

    /// Removes an action of a target; nil matches any target, or any action.
    public func removeTarget(_ target: Any?, action: Selector?) {
        for token in handlers where token.target?.matches(target, action) == true { removeHandler(token) }
    }
}

extension GestureRecognizer.State {
    /// Whether the gesture is over until the recognizer is reset.
    var isFinal: Bool { self == .ended || self == .cancelled || self == .failed }
    /// Whether the gesture was recognized: it is in progress or has ended.
    var isRecognized: Bool { self == .began || self == .changed || self == .ended }
}
