/// Which recognizers are given a touch, who of them may recognize, and what becomes of the touches in their views.
extension Reference {
    // MARK: Receiving

    /// A5.2, A5.3: the recognizers of the view and its superviews, the view's first; class and delegate may refuse.
    func receivers(of touch: ReferenceTouch, from view: ReferenceView) -> [ReferenceGesture] {
        // B5: one whose gesture is over is given nothing until it is reset.
        view.chain.flatMap(\.gestures).filter { gesture in
            // B20: one that failed before its first touch is reset now.
            if gesture.isOn && gesture.isOver && !gesture.isUsed { gesture.reset(self) }
            // B21: nor one that waits for others.
            if !gesture.isOn || gesture.isOver || gesture.waiting != nil { return false }
            // The event is asked about once, before the touch is, also if a handler causes another event meanwhile.
            if gesture.askedIn != outermost {
                gesture.askedIn = outermost
                log("\(gesture.name) shouldReceiveEvent")
            }
            if gesture.has(.refusesEvents) { return false }
            log("\(gesture.name) shouldReceive", [touch])
            return !gesture.has(.refusesTouches)
        }
    }

    /// A5.1: recognizers see what touches did before views do, in the order of the touches and for each of its view first.
    func notifyGestures(of window: ReferenceView, only one: ReferenceTouch? = nil) {
        let news = touches.filter { $0.isUnseen && $0.view?.window === window && (one == nil || one === $0) }
        for touch in news {
            touch.isUnseen = false
            touch.isEnding = touch.isOver
        }
        defer { for touch in news { touch.isEnding = false } }
        var delivered: [ReferenceGesture] = []
        for gesture in news.flatMap(\.gestures) where !delivered.contains(gesture) { delivered.append(gesture) }
        for gesture in delivered {
            turn += 1
            if gesture.waiting == nil { gesture.turn = turn }
            if gesture.isOn { gesture.touches += news.filter { $0.phase == .began && $0.gestures.contains(gesture) } }
            for phase in [ReferenceTouch.Phase.began, .moved, .ended, .cancelled] {
                let touches = news.filter { $0.phase == phase && gesture.touches.contains($0) }
                // B5: after its end a recognizer receives nothing until it is reset.
                if !touches.isEmpty && !gesture.hasEnded { gesture.receive(phase, touches, self) }
            }
        }
    }

    // MARK: Deciding

    /// B6: whether a recognizer may still recognize: it is possible, and has a finger down, expects more, or waits for others.
    func isUndecided(_ gesture: ReferenceGesture) -> Bool {
        guard gesture.state == .possible, !gesture.touches.isEmpty else { return false }
        return gesture.touches.contains { !$0.isGone } || gesture.awaitsMoreTouches || gesture.waiting != nil
    }

    /// B7, B8, B9: at the end of an event the recognizers decide, in the order in which they received it; then actions are
    /// called; then the views whose touches were taken get the cancel (A5.7). Changes that handlers make are decided last.
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
            } else if let view = taken.first(where: { $0.delivered == .began })?.view {
                let here = taken.filter { $0.view === view && $0.delivered == .began }
                taken.removeAll { $0.view === view }
                deliver(view, .cancelled, here)
            } else {
                return
            }
        }
    }

    private func decide(_ gesture: ReferenceGesture, _ state: ReferenceGesture.State) {
        gesture.wish = nil
        if gesture.state == .possible {
            if state == .failed || hasLost(gesture) || !shouldBegin(gesture) { return gesture.fail() }
            gesture.waiting = nil
            cancelTouches(of: gesture)
            for other in gestures where other.state == .possible && prevents(gesture, other) { other.fail() }
        }
        gesture.state = state
        acting.append((gesture, state))
    }

    /// A5.2: in the order in which they received the event. A swipe lets others recognize first (Apple, "Coordinating multiple gesture
    /// recognizers": a pan beside it always does). Recognizers that waited come last; Apple's text gives no order.
    private func inOrder() -> [ReferenceGesture] {
        let all = gestures.sorted { $0.turn < $1.turn }
        let order = all.filter { $0.plan.kind != .swipe } + all.filter { $0.plan.kind == .swipe }
        return order.filter { $0.wish != nil } + order.filter { $0.wish == nil }
    }

    private func canDecide(_ gesture: ReferenceGesture) -> Bool {
        if gesture.state != .possible || gesture.wish == .failed { return gesture.wish != nil }
        guard let ready = gesture.wish ?? gesture.waiting else { return false }
        // B7: it stays possible until those that it waits for have failed, or it has.
        let others = gestures.filter { mustWait(gesture, for: $0) && isUndecided($0) && $0.wish != .failed }
        if others.isEmpty || hasLost(gesture) { return true }
        (gesture.waiting, gesture.wish) = (ready, nil)
        return false
    }

    /// B7: by method, and by the delegate of either.
    private func mustWait(_ gesture: ReferenceGesture, for other: ReferenceGesture) -> Bool {
        // Only recognizers of the same touches have to do with each other.
        if !gesture.shares(other) { return false }
        return (gesture.plan.requires + gesture.plan.waitsFor).contains(other.index)
            || other.plan.holdsUp.contains(gesture.index)
    }

    /// B7: if one that must fail has recognized, it fails. B8: one that recognized before keeps others from it.
    private func hasLost(_ gesture: ReferenceGesture) -> Bool {
        gestures.contains { $0.hasRecognized && (mustWait(gesture, for: $0) || prevents($0, gesture)) }
    }

    /// B9: the views from the touched one of each finger to the recognizer's own are asked, and the delegate.
    private func shouldBegin(_ gesture: ReferenceGesture) -> Bool {
        let fingers = gesture.here.isEmpty ? gesture.touches : gesture.here
        let touched = fingers.isEmpty ? [gesture.view] : fingers.map { $0.view ?? gesture.view }
        for first in touched {
            for view in first?.chain ?? [] {
                if view.has(.refusing) { return false }
                // A single tap on a button is the button's.
                if view.isControl && view !== gesture.view && gesture.plan.kind == .tap { return false }
                if view === gesture.view { break }
            }
        }
        log("\(gesture.name) shouldBegin")
        return !gesture.has(.refusesToBegin)
    }

    /// B8: recognizers that share a touch exclude each other, unless class or delegate says otherwise.
    private func prevents(_ gesture: ReferenceGesture, _ other: ReferenceGesture) -> Bool {
        if gesture === other || gesture.has(.harmless) || other.has(.unpreventable) { return false }
        if gesture.plan.alongside.contains(other.index) || other.plan.alongside.contains(gesture.index) { return false }
        // A tap does not keep one of more taps or fingers from being recognized later.
        let isLaterTap = gesture.fingers < other.fingers || gesture.taps < other.taps
        return !(isLaterTap && gesture.taps > 0 && other.taps > 0) && gesture.shares(other)
    }

    // MARK: Afterwards

    /// A5.7: a recognized gesture takes its touches from their views. B6 (Apple, `delaysTouchesBegan`): a beginning that is
    /// still held back is discarded in any case.
    private func cancelTouches(of gesture: ReferenceGesture) {
        for touch in gesture.touches where !touch.isTaken {
            touch.isTaken = !gesture.has(.leavesTouches) || gesture.delaysBegan && touch.delivered == .nothing
            if touch.isTaken { taken.append(touch) }
        }
    }

    /// B5: a recognizer whose gesture is over is reset once its touches are gone; delivered touches that are over are removed.
    func finish(whileDelivering: Bool = false) {
        guard depth == 0 && !isSettling || whileDelivering else { return }
        let over = gestures.filter {
            $0.touches.allSatisfy(\.isGone) && ($0.state == .possible || $0.isOver) && !isUndecided($0)
        }
        // In the order in which they were given their first touches.
        let given = touches.flatMap { touch in touch.gestures.filter { $0.touches.contains(touch) } }
        for gesture in given where over.contains(gesture) && !gesture.touches.isEmpty { gesture.reset(self) }
        if whileDelivering { return }
        for gesture in gestures where gesture.isOver && gesture.isUsed && gesture.touches.isEmpty {
            gesture.reset(self)
        }
        // B20: a control whose touch ended elsewhere tracks it no longer.
        for touch in touches where touch.isOver && touch.delivered == .over {
            for control in views where control.tracked === touch { cancelTracking(control) }
        }
        touches.removeAll { touch in
            (touch.view == nil ? touch.isOver : touch.isGone) && !gestures.contains { $0.touches.contains(touch) }
        }
    }

    /// B7: a gesture that expects more and that a new touch does not continue has failed before it; what waited for it is
    /// decided. Returns whether there was one.
    func failInterrupted(by touch: ReferenceTouch, on touched: ReferenceView?) -> Bool {
        let interrupted = gestures.filter { gesture in
            guard let view = gesture.view, touched?.isIn(view) == true else { return false }
            return gesture.awaitsMoreTouches && gesture.waiting == nil && gesture.touches.allSatisfy(\.isGone)
                && !gesture.continues(with: touch)
        }
        for gesture in interrupted { gesture.fail() }
        if interrupted.isEmpty { return false }
        depth += 1
        settle()
        finish(whileDelivering: true)
        deliverHeld()
        depth -= 1
        return true
    }

    /// B21: a gesture that waits, and whose touches are taken away, acts no more.
    func failWaiting(with isIncluded: (ReferenceTouch) -> Bool) {
        for gesture in gestures
        where gesture.state == .possible
            && (gesture.awaitsMoreTouches && gesture.touches.allSatisfy(\.isGone) || gesture.waiting != nil)
            && gesture.touches.contains(where: isIncluded)
        {
            gesture.fail()
        }
    }

    /// B5: a recognizer that is turned off in the middle of its gesture is cancelled, or fails.
    func giveUp(_ gesture: ReferenceGesture) {
        if gesture.touches.isEmpty {
            if gesture.remembers { log("\(gesture.name) reset") }
            gesture.remembers = false
            return
        }
        for touch in gesture.touches { touch.gestures.removeAll { $0 === gesture } }
        if gesture.state == .possible { gesture.fail() }
        if !gesture.isOver { decide(gesture, .cancelled) }
        // Its actions do not wait for others.
        for (_, state) in acting.filter({ $0.gesture === gesture }) {
            acting.removeAll { $0.gesture === gesture && $0.state == state }
            log("\(gesture.name) \(state)")
        }
        settle()
        happen()
        // In another recognizer's action the reset comes before the phases that it held back. Apple's text gives no order.
        if isSettling && !gesture.touches.isEmpty { gesture.reset(self) }
        deliverHeld()
        if !gesture.touches.isEmpty { gesture.reset(self) }
        finish()
    }

    /// B5, B20: the program has it fail, or cancels it; without a touch a reset follows.
    func setFailed(_ gesture: ReferenceGesture) {
        if gesture.isOver { return }
        if gesture.state == .possible { gesture.fail() } else { decide(gesture, .cancelled) }
        if isSettling || !gesture.isUsed { return }
        happen()
        settle()
        deliverHeld()
        finish()
    }

    func move(_ gesture: ReferenceGesture, to view: ReferenceView?) {
        if gesture.view === view { return }
        giveUp(gesture)
        gesture.view?.gestures.removeAll { $0 === gesture }
        gesture.view = view
        view?.gestures.append(gesture)
    }

    /// Carries the clock on: what recognizers wait for comes before the frame.
    func advance(to time: Int) {
        func next() -> ReferenceGesture? { gestures.min { ($0.deadline, $0.turn) < ($1.deadline, $1.turn) } }
        while let next = next(), next.deadline <= time {
            clock = next.deadline
            next.deadline = .max
            next.timeIsOver()
            happen()
            settle()
            deliver()
        }
        clock = time
    }
}
