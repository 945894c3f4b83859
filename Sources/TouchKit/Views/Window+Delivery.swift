extension Window {
    /// Tells the views of this window what their touches did: view by view in the order in which the touches began,
    /// and for one view first what began, then what moved, ended and was cancelled.
    ///
    /// Recognizers are told before, and may hold back what views are told, or take the touches from them. What a touch did is told once, however often the event is sent.
    func deliverTouches(of event: Event) {
        guard let application = event.application else { return }
        let tracker = application.touches
        application.gestures.process(event, in: self)
        tracker.hold(event, in: self)
        defer { tracker.releaseHeld() }
        while let first = event.touches.first(where: { $0.isPendingForView && $0.window === self }),
            let view = first.view
        {
            tracker.deliver(.began, to: view, event)
            tracker.deliver(.moved, to: view, event)
            tracker.deliver(.ended, to: view, event)
            tracker.deliver(.cancelled, to: view, event)
        }
    }
}

extension Touch {
    /// Whether its view is to be told what it did.
    var isPendingForView: Bool {
        guard delivery.isPending, delivery.isWanted, view != nil, !delivery.hasEnded else { return false }
        return phase != .stationary && (phase == .began) != delivery.hasBegun
    }
}
