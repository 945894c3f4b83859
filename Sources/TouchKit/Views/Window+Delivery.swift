extension Window {
    /// Delivers the changes of this window's touches to their views: view by view, in the order in which the touches
    /// began. One view receives began first, then moved, ended and cancelled.
    ///
    /// Recognizers receive the touches first, and may delay or cancel them in views. Each change is delivered once,
    /// however often the event is sent.
    func deliverTouches(of event: Event) {
        guard let tracker = event.tracker ?? event.application?.touches else { return }
        tracker.gestures.process(event, in: self)
        tracker.hold(event, in: self)
        // Delayed phases are older than this event.
        tracker.releaseHeld()
        defer { tracker.releaseHeld() }
        while let view = event.nextView(in: self) {
            tracker.deliver(to: view, event)
        }
    }
}

extension Event {
    /// Whether a touch of a window has an undelivered change.
    func isPending(in window: Window) -> Bool {
        for index in touches.indices where touches[index].isPending && touches[index].window === window {
            return true
        }
        return false
    }

    /// The view of the window's first touch with a change to deliver.
    fileprivate func nextView(in window: Window) -> View? {
        for index in touches.indices where touches[index].window === window && touches[index].isPendingForView {
            return touches[index].view
        }
        return nil
    }
}

extension Touch {
    /// Whether the touch has a change to deliver to its view.
    var isPendingForView: Bool {
        guard isPending else { return false }
        return switch delivery {
        case .expected: phase == .began
        case .begun: phase != .began && phase != .stationary
        case .unwanted, .beganDelayed, .endDelayed, .ended, .cancelled: false
        }
    }
}
