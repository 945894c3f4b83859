import Foundation

/// Which recognizers receive a touch, which may recognize, and how that affects the touches in their views.
extension Reference {
    // MARK: Receiving

    /// A5.2, A5.3: the recognizers of the view and its superviews, the view's first; class and delegate may refuse.
    func receivers(of touch: ReferenceTouch, from view: ReferenceView) -> [ReferenceGesture] {
        var receivers: [ReferenceGesture] = []
        // B5: a finished recognizer receives nothing until it is reset.
        for gesture in view.chain.flatMap(\.gestures) where gesture.isOn && !gesture.isOver {
            // The event is asked about once, before the touch.
            if gesture.askedIn != event {
                gesture.askedIn = event
                log("\(gesture.name) shouldReceiveEvent")
            }
            if gesture.has(.refusesEvents) { continue }
            log("\(gesture.name) shouldReceive", [touch])
            if !gesture.has(.refusesTouches) { receivers.append(gesture) }
        }
        return receivers
    }

    /// A5.1: recognizers receive touches before views do, in the order of the touches, and for each touch its view's
    /// recognizers first.
    func tellGestures(of window: ReferenceView, only one: ReferenceTouch? = nil) {
        let news = touches.filter { $0.isUnseen && $0.view?.window === window && (one == nil || one === $0) }
        for touch in news {
            touch.isUnseen = false
            touch.isEnding = touch.isOver
        }
        defer { for touch in news { touch.isEnding = false } }
        var told: [ReferenceGesture] = []
        for gesture in news.flatMap(\.gestures) where !told.contains(where: { $0 === gesture }) { told.append(gesture) }
        for gesture in told {
            turn += 1
            if gesture.waiting == nil { gesture.turn = turn }
            if gesture.touches.isEmpty { gesture.firstTurn = turn }
            for touch in news where touch.beganIn == event && touch.phase == .began {
                if touch.gestures.contains(where: { $0 === gesture }) && gesture.isOn { gesture.touches.append(touch) }
            }
            for phase in [ReferenceTouch.Phase.began, .moved, .ended, .cancelled] {
                let touches = news.filter { touch in
                    touch.phase == phase && gesture.touches.contains { $0 === touch }
                }
                // B5: a finished recognizer receives nothing until it is reset.
                if !touches.isEmpty && !gesture.hasEnded { gesture.receive(phase, touches, self) }
            }
        }
    }

    // MARK: Deciding

    /// B6: whether a recognizer can still recognize: it is possible, and has a finger down, expects more, or waits for
    /// others.
    func isUndecided(_ gesture: ReferenceGesture) -> Bool {
        guard gesture.state == .possible, !gesture.touches.isEmpty else { return false }
        return gesture.touches.contains { !$0.isGone } || gesture.awaitsMoreTouches || gesture.waiting != nil
    }

    /// B7, B8, B9: at the end of an event the recognizers decide, in the order in which they received touches. Then
    /// actions are called. Then the views whose touches were taken receive the cancel (A5.7). Changes by handlers are
    /// decided after that.
    func settle() {
        if isSettling { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if let gesture = inOrder().first(where: { canDecide($0) }) {
                decide(gesture, gesture.wish ?? gesture.waiting ?? .failed)
            } else if !acting.isEmpty {
                let (gesture, state) = acting.removeFirst()
                log("\(gesture.name) \(state)")
            } else if let view = taken.first?.view {
                let here = taken.filter { $0.view === view && $0.told == .began }
                taken.removeAll { $0.view === view }
                if !here.isEmpty { tell(view, .cancelled, here) }
            } else {
                return
            }
        }
    }

    private func decide(_ gesture: ReferenceGesture, _ state: ReferenceGesture.State) {
        gesture.wish = nil
        if gesture.state == .possible && state == .failed { return fail(gesture) }
        if gesture.state == .possible && !recognize(gesture, state) { return }
        gesture.state = state
        acting.append((gesture, state))
    }

    /// A5.2: in the order in which they received touches. A swipe lets others recognize first (Apple, "Coordinating
    /// multiple gesture recognizers": a pan beside it always does).
    private func inOrder() -> [ReferenceGesture] {
        let order = gestures.sorted { $0.turn < $1.turn }
        return order.filter { $0.plan.kind != .swipe } + order.filter { $0.plan.kind == .swipe }
    }

    private func canDecide(_ gesture: ReferenceGesture) -> Bool {
        if gesture.state != .possible || gesture.wish == .failed { return gesture.wish != nil }
        guard let ready = gesture.wish ?? gesture.waiting else { return false }
        // B7: it stays possible until the required recognizers have failed.
        if !gestures.contains(where: { mustWait(gesture, for: $0) && isUndecided($0) && $0.wish != .failed }) {
            return true
        }
        gesture.waiting = ready
        gesture.wish = nil
        return false
    }

    /// B7: by method, and by the delegate of either recognizer.
    private func mustWait(_ gesture: ReferenceGesture, for other: ReferenceGesture) -> Bool {
        let plan = gesture.plan
        // Only recognizers with a shared touch affect each other.
        guard gesture.touches.contains(where: { touch in other.touches.contains { $0 === touch } }) else {
            return false
        }
        return plan.requires.contains(other.index) || plan.waitsFor.contains(other.index)
            || other.plan.holdsUp.contains(gesture.index)
    }

    private func recognize(_ gesture: ReferenceGesture, _ state: ReferenceGesture.State) -> Bool {
        // B7: if the required recognizer has recognized, this one fails.
        let lost = gestures.contains { mustWait(gesture, for: $0) && $0.hasRecognized }
        // B8: one that recognized earlier prevents it.
        let isPrevented = gestures.contains { $0.hasRecognized && prevents($0, gesture) }
        if lost || isPrevented || !shouldBegin(gesture) {
            fail(gesture)
            return false
        }
        gesture.waiting = nil
        gesture.state = state
        taken += take(from: gesture)
        for other in gestures where other.state == .possible && prevents(gesture, other) { fail(other) }
        return true
    }

    private func fail(_ gesture: ReferenceGesture) {
        gesture.wish = nil
        gesture.waiting = nil
        gesture.deadline = nil
        gesture.state = .failed
    }

    /// B9: the views from the touched one to the recognizer's own are asked, and the delegate.
    private func shouldBegin(_ gesture: ReferenceGesture) -> Bool {
        let touched = gesture.touches.last?.view ?? gesture.view
        for view in touched?.chain ?? [] {
            if view.has(.refusing) { return false }
            // A single tap on a button belongs to the button.
            if view.isControl && view.plan.kind == .button && view !== gesture.view && gesture.plan.kind == .tap {
                return false
            }
            if view === gesture.view { break }
        }
        log("\(gesture.name) shouldBegin")
        return !gesture.has(.refusesToBegin)
    }

    /// B8: recognizers that share a touch exclude each other, unless class or delegate says otherwise.
    private func prevents(_ gesture: ReferenceGesture, _ other: ReferenceGesture) -> Bool {
        if gesture === other || gesture.has(.harmless) || other.has(.unpreventable) { return false }
        if gesture.plan.alongside.contains(other.index) || other.plan.alongside.contains(gesture.index) { return false }
        // A tap does not prevent one with more taps or fingers from being recognized later.
        if gesture.fingers < other.fingers || gesture.taps < other.taps, other.taps > 0, gesture.taps > 0 {
            return false
        }
        return gesture.touches.contains { touch in other.touches.contains { $0 === touch } }
    }

    // MARK: Afterwards

    /// A5.7: a recognized gesture takes its touches from their views. B6 (Apple, `delaysTouchesBegan`): a begin that is
    /// still delayed is always discarded.
    private func take(from gesture: ReferenceGesture) -> [ReferenceTouch] {
        let taken = gesture.touches.filter { touch in
            !touch.isTaken && (!gesture.has(.leavesTouches) || gesture.delaysBegan && touch.told == .nothing)
        }
        for touch in taken { touch.isTaken = true }
        return taken
    }

    /// B5: a finished recognizer is reset once its touches are gone; finished and delivered touches are removed.
    func finish() {
        guard depth == 0 else { return }
        let over = gestures.filter {
            !$0.touches.isEmpty && $0.touches.allSatisfy(\.isGone) && $0.mayBeReset && !isUndecided($0)
        }
        for gesture in over.sorted(by: { $0.firstTurn < $1.firstTurn }) { reset(gesture) }
        touches.removeAll { touch in
            (touch.view == nil ? touch.isOver : touch.isGone)
                && !gestures.contains { $0.touches.contains { $0 === touch } }
        }
    }

    private func reset(_ gesture: ReferenceGesture) {
        gesture.forget()
        log("\(gesture.name) reset")
    }

    /// B5: a recognizer that is disabled during its gesture is cancelled, or fails.
    func giveUp(_ gesture: ReferenceGesture) {
        if gesture.touches.isEmpty { return }
        for touch in gesture.touches { touch.gestures.removeAll { $0 === gesture } }
        if gesture.state == .possible { fail(gesture) }
        if !gesture.isOver { decide(gesture, .cancelled) }
        // Its actions do not wait for others.
        for (_, state) in acting.filter({ $0.gesture === gesture }) {
            acting.removeAll { $0.gesture === gesture && $0.state == state }
            log("\(gesture.name) \(state)")
        }
        settle()
        happen()
        for window in views.reversed() where window.isWindow { tellHeld(of: window) }
        if !gesture.touches.isEmpty { reset(gesture) }
        finish()
    }

    func move(_ gesture: ReferenceGesture, to view: ReferenceView?) {
        if gesture.view === view { return }
        giveUp(gesture)
        gesture.view?.gestures.removeAll { $0 === gesture }
        gesture.view = view
        view?.gestures.append(gesture)
    }

    /// Advances the clock: the recognizers' deadlines come before the frame.
    func advance(to time: Int) {
        while let next = gestures.filter({ $0.deadline.map { $0 <= time } == true })
            .min(by: { ($0.deadline ?? 0, $0.turn) < ($1.deadline ?? 0, $1.turn) })
        {
            clock = next.deadline ?? clock
            next.deadline = nil
            next.timeIsOver()
            happen()
            settle()
            deliver()
        }
        clock = time
    }
}
