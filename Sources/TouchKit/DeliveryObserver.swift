// MARK: - Observers

/// Sees the deliveries of touches with the real touches, views and recognizers (`Application.observers`).
///
/// Everything is called on the main thread. An observer that reports to others must not report what is in a private
/// view.
package protocol DeliveryObserver: AnyObject {
    /// Whether it sets `Touch.forwarding` in `didArbitrate()` of the current event; then the end of a touch is reported after that.
    var decidesAfterEvent: Bool { get }

    /// Called with each touch event before any responder or recognizer, after the views of new touches were found.
    ///
    /// It may cancel touches. Responders do not receive such a touch; `didDeliver(_:)` reports that it began and was
    /// cancelled.
    func willDeliver(_ event: Event)

    /// Called with the time of a report that is dropped because the application ignores events, or that a filter keeps.
    func didIgnoreTouch(at timestamp: TimeInterval)

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
    package func didIgnoreTouch(at timestamp: TimeInterval) {}
    package func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {}
    package func didArbitrate() {}
    package func didDeliver(_ delivery: TouchDelivery) {}
    package func didFinishEvent() {}
}
