/// Holding touches back from their views, and taking them away, for the sake of recognizers.
extension TouchTracker {
    /// Holds back what recognizers delay, of the touches of a window that changed.
    func hold(_ event: Event, in window: Window) {
        for touch in event.touches
        where touch.window === window && touch.delivery.isPending && !touch.gestureRecognizers.isEmpty {
            switch touch.phase {
            case .began where delays(touch, \.delaysTouchesBegan): touch.delivery.holdsBegan = true
            case .ended where touch.delivery.holdsBegan: touch.delivery.holdsEnded = true
            case .ended where touch.delivery.hasBegun && delays(touch, \.delaysTouchesEnded):
                touch.delivery.holdsEnded = true
            case .cancelled: touch.delivery.holdsBegan = false
            case .moved where touch.delivery.holdsBegan: break
            default: continue
            }
            touch.delivery.isPending = touch.phase == .cancelled
        }
    }

    /// Tells views what was held back and no recognizer delays any more.
    func releaseHeld() {
        // In the order in which they came down, and each with its end before the next.
        while let touch = active.first(where: { canRelease($0) }) {
            if touch.delivery.holdsBegan {
                release(touch, .began)
            } else {
                release(touch, .ended)
                report(touch)
            }
        }
    }

    private func canRelease(_ touch: Touch) -> Bool {
        if touch.delivery.holdsBegan { return !delays(touch, \.delaysTouchesBegan) }
        return touch.delivery.holdsEnded && !delays(touch, \.delaysTouchesEnded)
    }

    /// Takes a recognizer's touches from their views: those that were told of a beginning are told of a cancelling, in
    /// one call a view, and none is told of more.
    func take(from recognizer: GestureRecognizer) {
        var touches = recognizer.sequenceTouches
        for touch in touches where !touch.delivery.isOwedAnEnd { touch.delivery.drop() }
        // A view that is told may end or cancel the touches of the next.
        while let view = touches.first(where: \.delivery.isOwedAnEnd)?.view {
            let told = touches.filter { $0.view === view && $0.delivery.isOwedAnEnd }
            touches.removeAll { $0.view === view }
            for touch in told {
                touch.delivery.hasEnded = true
                touch.delivery.drop()
            }
            show(.cancelled, told) { view.touchesCancelled(Set(told), with: event) }
        }
    }

    /// Shows touches in another phase than theirs while a view is told what was held back, or of the loss of a touch.
    ///
    /// It is not theirs, so it is not reported.
    private func show(_ phase: Touch.Phase, _ touches: [Touch], _ body: () -> Void) {
        let before = touches.map { ($0.phase, $0.delivery.isReported) }
        for touch in touches {
            touch.phase = phase
            touch.delivery.isReported = true
        }
        body()
        for (touch, (phase, isReported)) in zip(touches, before) where !touch.delivery.isCancelled {
            touch.phase = phase
            touch.delivery.isReported = isReported
        }
    }

    private func release(_ touch: Touch, _ phase: Touch.Phase) {
        guard let view = touch.view, touch.delivery.isWanted else { return touch.delivery.drop() }
        if phase == .began {
            touch.delivery.holdsBegan = false
            touch.delivery.hasBegun = true
            show(phase, [touch]) { view.touchesBegan([touch], with: event) }
        } else {
            touch.delivery.holdsEnded = false
            touch.delivery.hasEnded = true
            show(phase, [touch]) { view.touchesEnded([touch], with: event) }
        }
    }

    private func delays(_ touch: Touch, _ isDelaying: (GestureRecognizer) -> Bool) -> Bool {
        touch.gestureRecognizers.contains { isDelaying($0) && application.gestures.isUndecided($0) }
    }
}

extension TouchDeliveryState {
    /// Forgets what was held back, and has the view be told nothing more.
    fileprivate mutating func drop() {
        holdsBegan = false
        holdsEnded = false
        isWanted = false
    }
}
