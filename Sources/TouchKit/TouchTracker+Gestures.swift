/// Delay and cancellation of touches in views, as recognizers require it.
extension TouchTracker {
    /// Holds back the changed touches of a window that recognizers delay.
    func hold(_ event: Event, in window: Window) {
        for index in event.touches.indices
        where event.touches[index].window === window && event.touches[index].isPending
            && !event.touches[index].gestureRecognizers.isEmpty && event.touches[index].mayBeHeld
        {
            let touch = event.touches[index]
            switch touch.phase {
            case .began where delaysBegan(touch): touch.delivery.delayBegan(in: eventNumber)
            case .ended where touch.delivery.holdsBegan || touch.delivery.hasBegun && delaysEnded(touch):
                touch.delivery.delayEnded(in: eventNumber)
            case .moved where touch.delivery.holdsBegan: break
            case .cancelled where touch.delivery.holdsBegan:
                touch.delivery.discardBegan()
                continue
            default: continue
            }
            touch.pending.remove(.view)
        }
    }

    /// Delivers to views what no recognizer delays any more; touches of the same event in one call.
    func releaseHeld() {
        // A handler of a release may release further touches: they wait for their turn.
        if isReleasing { return }
        isReleasing = true
        defer { isReleasing = false }
        // In the order in which the touches came down; the end of each comes before the next.
        while let touch = firstToRelease {
            if touch.delivery.holdsBegan {
                release(held(with: touch, \.beganDelayedIn), .began)
            } else {
                let touches = held(with: touch, \.endDelayedIn)
                release(touches, .ended)
                for touch in touches { report(touch) }
            }
        }
    }

    private var firstToRelease: Touch? {
        for index in active.indices where active[index].delivery.holdsBegan || active[index].delivery.holdsEnded {
            if canRelease(active[index]) { return active[index] }
        }
        return nil
    }

    /// The touches whose delayed beginning, or end, belongs to the same event and view as that of a touch.
    private func held(with touch: Touch, _ event: KeyPath<TouchDeliveryState, Int?>) -> [Touch] {
        active.filter {
            $0.view === touch.view && $0.delivery.holdsBegan == touch.delivery.holdsBegan
                && $0.delivery[keyPath: event] == touch.delivery[keyPath: event] && canRelease($0)
        }
    }

    private func canRelease(_ touch: Touch) -> Bool {
        // A handler may release a touch that is about to be cancelled, or that a recognizer is about to take from its view.
        if gestures.takes(touch) || aboutToBeCancelled.contains(touch) { return false }
        if touch.delivery.holdsBegan { return !delaysBegan(touch) }
        // While its view receives the delayed beginning, the touch shows as not ended, even if a handler releases its end.
        return touch.delivery.holdsEnded && touch.isOver && !delaysEnded(touch)
    }

    /// Cancels touches in their views: a view that received a beginning receives `touchesCancelled`, once for all its
    /// touches, and nothing afterwards.
    func cancelInViews(_ touches: [Touch]) {
        aboutToBeCancelled += touches
        defer { aboutToBeCancelled.removeLast(touches.count) }
        for touch in touches where !touch.delivery.needsEnd { touch.delivery.end() }
        // A view that is called may end or cancel the touches of the next view.
        while let view = touches.first(where: \.delivery.needsEnd)?.view {
            let affected = touches.filter { $0.view === view && $0.delivery.needsEnd }
            for touch in affected { touch.delivery.end() }
            show(.cancelled, affected) { view.touchesCancelled(Set(affected), with: event) }
        }
    }

    /// Shows touches in a different phase while a view receives a delayed phase or a cancellation.
    ///
    /// The phase is not the touch's real one, so observers do not receive it.
    private func show(_ phase: Touch.Phase, _ touches: [Touch], _ body: () -> Void) {
        let before = touches.map { ($0.phase, $0.pending, $0.delivery.isCancelled) }
        for touch in touches {
            if phase == .cancelled, !touch.isOver { shownAsCancelled.append((touch, touch.phase, touch.pending)) }
            touch.phase = phase
            touch.pending.remove(.observer)
        }
        body()
        shownAsCancelled.removeAll { entry in touches.contains { $0 === entry.touch } }
        // The cancellation of a touch during the call was reported then; one before it is still to be reported.
        for (touch, (phase, pending, wasCancelled)) in zip(touches, before)
        where !touch.delivery.isCancelled || wasCancelled {
            touch.phase = phase
            if pending.contains(.observer) { touch.pending.insert(.observer) }
        }
    }

    /// Gives touches that are shown as cancelled their real phase again, because they are about to be cancelled: a view
    /// may have events ignored while it receives `touchesCancelled` because of a gesture.
    func restoreShown(where isIncluded: (Touch) -> Bool) {
        for (touch, phase, pending) in shownAsCancelled where isIncluded(touch) && !touch.delivery.isCancelled {
            touch.phase = phase
            if pending.contains(.observer) { touch.pending.insert(.observer) }
        }
    }

    private func release(_ touches: [Touch], _ phase: Touch.Phase) {
        // No beginning is delivered while events are ignored (A1.5).
        let affected = phase == .began && application.isIgnoringEvents ? [] : touches.filter(\.delivery.isWanted)
        for touch in touches {
            if phase == .began, affected.contains(touch) { touch.delivery.begin() } else { touch.delivery.end() }
        }
        guard let view = affected.first?.view else { return }
        guard phase == .began else {
            return show(phase, affected) { view.touchesEnded(Set(affected), with: event) }
        }
        show(.began, affected) {
            showLanding(of: affected[...]) { view.touchesBegan(Set(affected), with: event) }
        }
        // As UIKit documents for `delaysTouchesBegan`.
        let moved = affected.filter { !$0.isOver && $0.delivery.needsEnd && $0.hasLeftLanding && !gestures.takes($0) }
        guard !moved.isEmpty else { return }
        for touch in moved { touch.pending.remove(.view) }
        show(.moved, moved) { view.touchesMoved(Set(moved), with: event) }
    }

    private func showLanding(of touches: ArraySlice<Touch>, _ body: () -> Void) {
        guard let touch = touches.first else { return body() }
        touch.showLanding { showLanding(of: touches.dropFirst(), body) }
    }

    private func delaysBegan(_ touch: Touch) -> Bool {
        for recognizer in touch.gestureRecognizers
        where recognizer.delaysTouchesBegan && gestures.isUndecided(recognizer, of: touch) {
            return true
        }
        return false
    }

    private func delaysEnded(_ touch: Touch) -> Bool {
        for recognizer in touch.gestureRecognizers
        where recognizer.delaysTouchesEnded && gestures.isUndecided(recognizer, of: touch) {
            return true
        }
        return false
    }
}

extension Touch {
    /// Whether its current phase may be delayed, or its beginning is delayed already.
    fileprivate var mayBeHeld: Bool { phase != .moved || delivery.holdsBegan }

    /// Whether a recognizer with `delaysForwardedTouches` may still recognize its gesture with the touch.
    package var isDelayedByGesture: Bool {
        for recognizer in gestureRecognizers where recognizer.delaysForwardedTouches {
            if recognizer.environment?.isUndecided(recognizer, of: self) == true { return true }
        }
        return false
    }

    /// Whether a recognizer that receives the touch cancels forwarded touches.
    package var mayBeTakenBack: Bool {
        for recognizer in gestureRecognizers where recognizer.cancelsForwardedTouches { return true }
        return false
    }
}
