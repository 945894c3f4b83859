/// Times in which events are thrown away, and what that does to what is under way.
extension Application {
    /// Whether an application takes events.
    public enum State: Int, Sendable {
        /// It does.
        case active
        /// It is interrupted, and events are thrown away.
        case inactive
    }

    /// Whether events are thrown away because `beginIgnoringInteractionEvents()` was called.
    public var isIgnoringInteractionEvents: Bool { ignoringCount > 0 }

    /// Whether events are thrown away, for whatever reason.
    var isIgnoringEvents: Bool { ignoringCount > 0 || applicationState == .inactive }

    /// Throws events away until `endIgnoringInteractionEvents()` was called as often; touches that are down are cancelled.
    public func beginIgnoringInteractionEvents() {
        ignoringCount += 1
        cancelEverything()
    }

    /// Undoes one `beginIgnoringInteractionEvents()`.
    ///
    /// Touches that began in between stay ignored.
    public func endIgnoringInteractionEvents() {
        precondition(ignoringCount > 0, "endIgnoringInteractionEvents() without a beginIgnoringInteractionEvents()")
        ignoringCount -= 1
    }

    /// Interrupts the application: the delegate is told, what is under way is cancelled, and events are thrown away.
    public func resignActive() {
        guard applicationState == .active else { return }
        delegate?.applicationWillResignActive(self)
        post(Self.willResignActiveNotification)
        applicationState = .inactive
        cancelEverything()
    }

    /// Takes events again, and tells the delegate so.
    public func becomeActive() {
        guard applicationState == .inactive else { return }
        applicationState = .active
        delegate?.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// Cancels every touch that is down: each view that was told of a beginning is told of the cancelling, once.
    public func cancelAllTouches() { touches.cancelAll() }

    private func cancelEverything() {
        touches.cancelAll()
        interpreter.presses.cancelAll()
        interpreter.motions.cancelAll(at: touches.event.timestamp)
        interpreter.pointers.leaveAll()
    }

    /// Cancels what is under way in a branch of the tree that is about to leave its window.
    func cancelEverything(inBranch root: View) {
        touches.cancel(inBranch: root)
        interpreter.presses.cancel(inBranch: root)
        interpreter.pointers.leave(branch: root)
        if let first = root.window?.firstResponder, first.isInBranch(root) { root.window?.firstResponder = nil }
    }
}

extension Responder {
    /// Whether the responder is a view of a branch, or the controller of one.
    func isInBranch(_ root: View) -> Bool {
        let view = self as? View ?? (self as? ViewController)?.viewIfLoaded
        return view?.isDescendant(of: root) == true
    }
}
