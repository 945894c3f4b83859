extension Window {
    /// Tells the views of this window what their touches did: view by view in the order in which the touches began,
    /// and for one view first what began, then what moved, ended and was cancelled.
    ///
    /// Recognizers are told before, and may hold back what views are told, or take the touches from them. What a touch did is told once, however often the event is sent.
    func deliverTouches(of event: Event) {
        guard let tracker = event.tracker ?? event.application?.touches else { return }
        tracker.gestures.process(event, in: self)
        tracker.hold(event, in: self)
        // What was held back came before what this event brings.
        tracker.releaseHeld()
        defer { tracker.releaseHeld() }
        while let view = event.nextView(in: self) {
            tracker.deliver(to: view, event)
        }
    }
}

extension Event {
    /// Whether a touch of a window changed and the window has not passed it on yet.
    func isPending(in window: Window) -> Bool {
        for index in touches.indices where touches[index].delivery.isPending && touches[index].window === window {
            return true
        }
        return false
    }

    /// The view of the first touch of a window whose view is to be told what it did.
    fileprivate func nextView(in window: Window) -> View? {
        for index in touches.indices where touches[index].window === window && touches[index].isPendingForView {
            return touches[index].view
        }
        return nil
    }
}

extension Touch {
    /// Whether its view is to be told what it did.
    var isPendingForView: Bool {
        guard delivery.isPending, delivery.isWanted, view != nil, !delivery.hasEnded else { return false }
        return phase != .stationary && (phase == .began) != delivery.hasBegun
    }
}
