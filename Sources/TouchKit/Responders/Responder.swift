/// An object that can handle events (`UIResponder`): application, window, view, view controller, application delegate.
///
/// Every method for events passes the event to the next responder; a subclass that handles an event overrides the
/// method, and calls super to pass the event on all the same.
open class Responder {
    /// Makes a responder.
    public init() {}

    /// The closures added with `addHandler`, in order.
    var handlers: [HandlerToken] = []

    /// The responder that is given what this one does not handle; nil at the end of the chain.
    open var next: Responder? { nil }

    /// Tells the responder that touches came down.
    ///
    /// All touches of one call are on the same view.
    open func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .began, touches, event)
        guard !rest.isEmpty else { return }
        guard let next else { return noteDiscarded(event) }
        next.touchesBegan(rest, with: event)
    }

    /// Tells the responder that touches moved.
    open func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .moved, touches, event)
        guard !rest.isEmpty else { return }
        guard let next else { return noteDiscarded(event) }
        next.touchesMoved(rest, with: event)
    }

    /// Tells the responder that touches were lifted.
    open func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .ended, touches, event)
        guard !rest.isEmpty else { return }
        guard let next else { return noteDiscarded(event) }
        next.touchesEnded(rest, with: event)
    }

    /// Tells the responder that touches are over without having been lifted: their device or view is gone, the layout
    /// was replaced, the application stopped listening, or a gesture recognizer took them.
    open func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .cancelled, touches, event)
        guard !rest.isEmpty else { return }
        guard let next else { return noteDiscarded(event) }
        next.touchesCancelled(rest, with: event)
    }

    private func noteDiscarded(_ event: Event?) {
        event?.application?.discardedCallCount += 1
    }
}
