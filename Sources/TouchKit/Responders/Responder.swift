/// An object that can handle events (`UIResponder`): application, window, view, view controller, application delegate.
///
/// Every method for events passes the event to the next responder; a subclass that handles an event overrides the
/// method, and calls super to pass the event on all the same.
// Said here, though it is the module's default: of a root class Swift 6.3 forgets the default in another module, and subclasses
// there may have no variables.
@MainActor
open class Responder {
    /// Makes a responder.
    public init() {}

    /// The closures added with `addHandler`, in order.
    @exclusivity(unchecked) final var handlers: [HandlerToken] = []
    /// The closures added with `addAction`.
    var actions: [Selector: (Any?, Event?) -> Void] = [:]

    /// The responder that is given what this one does not handle; nil at the end of the chain.
    open var next: Responder? { nil }

    // MARK: Touches

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

    // MARK: Presses

    /// Tells the responder that buttons or keys were pressed.
    open func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        guard let next else { return noteDiscarded(event) }
        next.pressesBegan(presses, with: event)
    }

    /// Tells the responder that the kernel repeats keys that are held.
    open func pressesChanged(_ presses: Set<Press>, with event: PressesEvent?) {
        guard let next else { return noteDiscarded(event) }
        next.pressesChanged(presses, with: event)
    }

    /// Tells the responder that buttons or keys were let go.
    open func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        guard let next else { return noteDiscarded(event) }
        next.pressesEnded(presses, with: event)
    }

    /// Tells the responder that presses are over without having been let go.
    open func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
        guard let next else { return noteDiscarded(event) }
        next.pressesCancelled(presses, with: event)
    }

    // MARK: Motion and remote control

    /// Tells the responder that a motion began.
    open func motionBegan(_ motion: Event.EventSubtype, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.motionBegan(motion, with: event)
    }

    /// Tells the responder that a motion ended.
    open func motionEnded(_ motion: Event.EventSubtype, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.motionEnded(motion, with: event)
    }

    /// Tells the responder that a motion went on too long, or was interrupted.
    open func motionCancelled(_ motion: Event.EventSubtype, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.motionCancelled(motion, with: event)
    }

    /// Tells the responder of a command of a remote control; the event's subtype says which.
    open func remoteControlReceived(with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.remoteControlReceived(with: event)
    }

    // MARK: Pointers

    /// Tells the responder that a pointer came over it with no button down.
    ///
    /// This method and the other three for pointers are not UIKit's.
    open func hoverBegan(_ pointer: Pointer, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.hoverBegan(pointer, with: event)
    }

    /// Tells the responder that a pointer moved over it with no button down.
    open func hoverMoved(_ pointer: Pointer, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.hoverMoved(pointer, with: event)
    }

    /// Tells the responder that a pointer left it or is gone; comes once for every `hoverBegan`.
    open func hoverEnded(_ pointer: Pointer, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.hoverEnded(pointer, with: event)
    }

    /// Tells the responder that a wheel was turned while the pointer was over it.
    open func scrolled(by scroll: Scroll, at pointer: Pointer, with event: Event?) {
        guard let next else { return noteDiscarded(event) }
        next.scrolled(by: scroll, at: pointer, with: event)
    }

    // MARK: First responder

    /// Whether the responder may become the first one; false, unless overridden.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether the responder may stop being the first one; true, unless overridden.
    open var canResignFirstResponder: Bool { true }

    /// Whether events without a place start here when the responder's window is the key window.
    public final var isFirstResponder: Bool { owningWindow?.firstResponder === self }

    /// Makes the responder its window's first, if it may and the one before may resign; answers whether it is.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard let window = owningWindow else { return false }
        if window.firstResponder === self { return true }
        guard canBecomeFirstResponder else { return false }
        if let before = window.firstResponder, !before.resignFirstResponder() { return false }
        window.firstResponder = self
        return true
    }

    /// Makes the responder be no longer the first, if it may; answers whether it is not.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard let window = owningWindow, window.firstResponder === self else { return true }
        guard canResignFirstResponder else { return false }
        window.firstResponder = nil
        return true
    }

    /// The window whose chain the responder is in.
    var owningWindow: Window? {
        var responder: Responder? = self
        while let current = responder {
            if let window = current as? Window { return window }
            responder = current.next
        }
        return nil
    }

    // MARK: Actions

    /// Whether the responder can perform an action: true where one was added under that name.
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { actions[action] != nil }

    /// The first responder from here up the chain that can perform an action.
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        var responder: Responder? = self
        while let current = responder {
            if current.canPerformAction(action, withSender: sender) { return current }
            responder = current.next
        }
        return nil
    }

    /// Performs an action that was added under its name; override it together with `canPerformAction(_:withSender:)`.
    open func perform(_ action: Selector, with sender: Any?, for event: Event?) { actions[action]?(sender, event) }

    private func noteDiscarded(_ event: Event?) {
        guard let event, let application = event.application else { return }
        application.noteDiscarded(event)
    }
}
