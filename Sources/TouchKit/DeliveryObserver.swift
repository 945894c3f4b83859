/// Sees the deliveries of touches with the real touches, views and recognizers (`Application.observers`).
///
/// Everything is called on the main thread. An observer that reports to others must not report what is in a private
/// view.
package protocol DeliveryObserver: AnyObject {
    /// Whether it sets `Touch.forwarding` in `didArbitrate()`; then the end of a touch is reported after that.
    var decidesAfterEvent: Bool { get }

    /// Called with each touch event before any responder or recognizer, after the views of new touches were found.
    ///
    /// It may cancel touches. Responders do not receive such a touch; `didDeliver(_:)` reports that it began and was
    /// cancelled.
    func willDeliver(_ event: Event)

    /// Called when a recognizer's state has changed, also back to possible.
    func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State)

    /// Called when responders and recognizers have received an event, after recognizers acted between two events, and
    /// after touches were cancelled; touches that are over are still there.
    func didArbitrate()

    /// Called once for each touch and phase, after the responders.
    func didDeliver(_ delivery: TouchDelivery)

    /// Called last, after every responder, recognizer and handler.
    func didFinishEvent()
}

extension DeliveryObserver {
    package var decidesAfterEvent: Bool { false }
    package func willDeliver(_ event: Event) {}
    package func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {}
    package func didArbitrate() {}
    package func didDeliver(_ delivery: TouchDelivery) {}
    package func didFinishEvent() {}
}

/// The delivery of one touch in one event.
package struct TouchDelivery {
    /// The touch, in its state after its responders were called.
    package let touch: Touch
    /// The phase that was delivered.
    package let phase: Touch.Phase
    /// The names of the handlers that ran for it, in order; unnamed handlers are left out.
    package let handlerNames: [String]
}

// MARK: - Forwarding

/// The state of a touch in the program that draws the screen.
package nonisolated enum TouchForwarding: Sendable, Equatable {
    /// Its device's touches are not forwarded.
    case none
    /// The program receives it.
    case through
    /// The program receives it after a gesture has failed.
    case delayed
    /// The program received it and then its cancellation.
    case cancelled
    /// The program receives nothing of it.
    case kept(Reason)

    /// Why a touch is not forwarded.
    package enum Reason: String, Sendable, CaseIterable {
        /// Its view has `forward: false`.
        case view
        /// A gesture recognized it.
        case gesture
        /// It ended an idle time with `forward: false`, or began during it.
        case idle
        /// It began within the cooldown after another one.
        case cooldown
        /// The panel was not grabbed when it began, so the program received it from the panel itself.
        case notGrabbed = "not-grabbed"
        /// It was cancelled before its gestures had decided.
        case cancelled
        /// All slots of the forwarded touchscreen were in use.
        case slots
    }

    /// The state for logs and clients: `yes`, `delayed`, `cancelled`, or `no: ` and the reason; nil if nothing of the
    /// device is forwarded.
    package var summary: String? {
        switch self {
        case .none: nil
        case .through: "yes"
        case .delayed: "delayed"
        case .cancelled: "cancelled"
        case .kept(let reason): "no: \(reason.rawValue)"
        }
    }
}

extension View {
    /// Whether touches that begin in the view are forwarded: its own value, or that of the nearest ancestor with one;
    /// nil without any.
    package var inheritedForwardsTouches: (value: Bool, from: View)? {
        var view: View? = self
        while let candidate = view {
            if let value = candidate.forwardsTouches { return (value, candidate) }
            view = candidate.superview
        }
        return nil
    }
}

extension Touch {
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
