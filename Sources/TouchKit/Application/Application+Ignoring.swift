/// Periods in which events are ignored, and cancellation of the touches that are down.
extension Application {
    /// Whether the application accepts events (`UIApplication.State`).
    public enum State: Int, Sendable {
        /// The application accepts events.
        case active
        /// The application is interrupted and ignores events.
        case inactive
    }

    /// Whether events are ignored because of `beginIgnoringInteractionEvents()`.
    public var isIgnoringInteractionEvents: Bool { ignoringCount > 0 }

    /// Whether events are ignored for any reason.
    var isIgnoringEvents: Bool { ignoringCount > 0 || applicationState == .inactive }

    /// Ignores events until each call is balanced by `endIgnoringInteractionEvents()`; cancels the touches that are
    /// down.
    public func beginIgnoringInteractionEvents() {
        ignoringCount += 1
        cancelEverything()
    }

    /// Balances one call of `beginIgnoringInteractionEvents()`.
    ///
    /// Touches that began while events were ignored stay ignored.
    public func endIgnoringInteractionEvents() {
        precondition(ignoringCount > 0, "endIgnoringInteractionEvents() without a beginIgnoringInteractionEvents()")
        ignoringCount -= 1
    }

    /// Interrupts the application: notifies the delegate, cancels touches and presses, and ignores events from now on.
    public func resignActive() {
        guard applicationState == .active else { return }
        delegate?.applicationWillResignActive(self)
        post(Self.willResignActiveNotification)
        applicationState = .inactive
        cancelEverything()
    }

    /// Accepts events again and notifies the delegate.
    public func becomeActive() {
        guard applicationState == .inactive else { return }
        applicationState = .active
        delegate?.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// Cancels every touch that is down; each view that received `touchesBegan` receives `touchesCancelled` once.
    public func cancelAllTouches() { touches.cancelAll() }

    private func cancelEverything() {
        touches.cancelAll()
        interpreter.presses.cancelAll()
        interpreter.motions.cancelAll(at: touches.event.timestamp)
        interpreter.pointers.leaveAll()
    }

    /// Cancels touches, presses and recognizers in a subtree that is about to leave its window.
    func cancelEverything(inBranch root: View) {
        touches.cancel(inBranch: root)
        interpreter.presses.cancel(inBranch: root)
        interpreter.pointers.leave(branch: root)
        // A recognizer whose touch is on a view that was moved out of the subtree.
        for recognizer in gestures.involved where recognizer.activeTouches.contains(where: { !$0.isOver }) {
            if recognizer.view?.isDescendant(of: root) == true { gestures.disable(recognizer) }
        }
        // A hidden window keeps its first responder.
        if !(root is Window) { root.endEditing(true) }
    }
}

extension Responder {
    /// Whether the responder is a view of the subtree at `root`, or the controller of one.
    func isInBranch(_ root: View) -> Bool {
        let view = self as? View ?? (self as? ViewController)?.viewIfLoaded
        return view?.isDescendant(of: root) == true
    }
}
