/// An object that can handle events (`UIResponder`): application, window, view, view controller, application delegate.
///
/// By default every event method passes the event to the next responder. A subclass overrides the method to handle the
/// event, and calls super to pass it on as well.
// Explicit, although it is the module's default: Swift 6.3 does not apply the default of a root class in other modules,
// and subclasses there could not have stored properties. As in UIKit's interfaces, a use from outside the main actor is a
// warning in Swift 5 mode (`@preconcurrency`); each public type says so, because the default does not.
@MainActor @preconcurrency open class Responder {
    /// Makes a responder.
    public init() {}

    // A subclass's `deinit` has the same isolation, and shipped ones have none.
    nonisolated deinit {}

    /// The closures added with `addHandler`, in order.
    final var handlers: [HandlerToken] = []
    /// The closures added with `addAction`.
    var actions: [Selector: (Any?, Event?) -> Void] = [:]

    /// The next responder, which receives the events that this one does not handle; nil at the end of the chain.
    open var next: Responder? { nil }

    // MARK: Touches

    /// Called when touches begin.
    ///
    /// All touches of one call are on the same view.
    open func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .began, touches, event)
        if !rest.isEmpty { receiver(of: event)?.touchesBegan(rest, with: event) }
    }

    /// Called when touches move.
    open func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .moved, touches, event)
        if !rest.isEmpty { receiver(of: event)?.touchesMoved(rest, with: event) }
    }

    /// Called when touches end.
    open func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .ended, touches, event)
        if !rest.isEmpty { receiver(of: event)?.touchesEnded(rest, with: event) }
    }

    /// Called when touches are cancelled: their device or view was removed, the layout was replaced, the application
    /// stopped accepting events, or a gesture recognizer recognized.
    open func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        let rest = runHandlers(for: .cancelled, touches, event)
        if !rest.isEmpty { receiver(of: event)?.touchesCancelled(rest, with: event) }
    }

    // MARK: Presses

    /// Called when buttons or keys are pressed.
    open func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        receiver(of: event)?.pressesBegan(presses, with: event)
    }

    /// Called when the kernel repeats held keys.
    open func pressesChanged(_ presses: Set<Press>, with event: PressesEvent?) {
        receiver(of: event)?.pressesChanged(presses, with: event)
    }

    /// Called when buttons or keys are released.
    open func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        receiver(of: event)?.pressesEnded(presses, with: event)
    }

    /// Called when presses are cancelled.
    open func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
        receiver(of: event)?.pressesCancelled(presses, with: event)
    }

    // MARK: Motion and remote control

    /// Called when a motion begins.
    open func motionBegan(_ motion: Event.EventSubtype, with event: Event?) {
        receiver(of: event)?.motionBegan(motion, with: event)
    }

    /// Called when a motion ends.
    open func motionEnded(_ motion: Event.EventSubtype, with event: Event?) {
        receiver(of: event)?.motionEnded(motion, with: event)
    }

    /// Called when a motion lasts too long or is interrupted.
    open func motionCancelled(_ motion: Event.EventSubtype, with event: Event?) {
        receiver(of: event)?.motionCancelled(motion, with: event)
    }

    /// Called for a command of a remote control; the event's subtype is the command.
    open func remoteControlReceived(with event: Event?) {
        receiver(of: event)?.remoteControlReceived(with: event)
    }

    // MARK: Pointers

    /// Called when a pointer enters the responder with no button down.
    ///
    /// This method and the other three for pointers are additions to UIKit.
    open func hoverBegan(_ pointer: Pointer, with event: Event?) {
        receiver(of: event)?.hoverBegan(pointer, with: event)
    }

    /// Called when a pointer moves over the responder with no button down.
    open func hoverMoved(_ pointer: Pointer, with event: Event?) {
        receiver(of: event)?.hoverMoved(pointer, with: event)
    }

    /// Called when a pointer leaves the responder or its mouse is removed; once for every `hoverBegan`.
    open func hoverEnded(_ pointer: Pointer, with event: Event?) {
        receiver(of: event)?.hoverEnded(pointer, with: event)
    }

    /// Called when a wheel is turned while the pointer is over the responder.
    open func scrolled(by scroll: Scroll, at pointer: Pointer, with event: Event?) {
        receiver(of: event)?.scrolled(by: scroll, at: pointer, with: event)
    }

    // MARK: First responder

    /// Whether the responder may become first responder; false by default.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether the responder may resign first responder; true by default.
    open var canResignFirstResponder: Bool { true }

    /// Whether events without a location start at this responder while its window is the key window.
    public final var isFirstResponder: Bool { owningWindow?.firstResponder === self }

    /// Makes the responder its window's first responder, if it may become one and the current one may resign; returns
    /// whether it is the first responder.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard let window = owningWindow else { return false }
        if window.firstResponder === self { return true }
        guard canBecomeFirstResponder else { return false }
        if let before = window.firstResponder {
            // It may have removed this one.
            guard before.resignFirstResponder(), owningWindow === window else { return false }
        }
        window.firstResponder = self
        return true
    }

    /// Resigns first responder, if the responder may; returns whether it is not the first responder any more.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard let window = owningWindow, window.firstResponder === self else { return true }
        guard canResignFirstResponder else { return false }
        window.firstResponder = nil
        return true
    }

    /// The window that the responder belongs to.
    var owningWindow: Window? {
        var responder: Responder? = self
        while let current = responder {
            if let window = current as? Window { return window }
            responder = current.next
        }
        return nil
    }

    // MARK: Actions

    /// Whether the responder can perform an action; by default, whether it has one with that name, or the action a method of
    /// its class.
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        actions[action] != nil || action.hasMethod(of: self)
    }

    /// The first responder in the chain, starting here, that can perform an action.
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        var responder: Responder? = self
        while let current = responder {
            if current.canPerformAction(action, withSender: sender) { return current }
            responder = current.next
        }
        return nil
    }

    /// Performs the action with that name; override it together with `canPerformAction(_:withSender:)`.
    open func perform(_ action: Selector, with sender: Any?, for event: Event?) {
        if let closure = actions[action] {
            closure(sender, event)
        } else {
            action.call(on: self, with: sender)
        }
    }

    /// The next responder, which receives an event that this one does not handle; reports the event at the end of the chain.
    private final func receiver(of event: Event?) -> Responder? {
        if let next { return next }
        noteDiscarded(event)
        return nil
    }

    private func noteDiscarded(_ event: Event?) {
        guard let event else { return }
        event.application?.didReport?(.eventDiscarded(type: event.type))
    }
}

extension Responder {
    // MARK: Closures

    /// Adds a closure that runs for every touch that enters a phase on this responder.
    ///
    /// Closures run in the order in which they were added, once for each touch, in the order in which the touches
    /// began. A responder with closures for a phase does not pass that phase up the chain, unless its subclass does.
    /// - Parameters:
    ///   - phase: any phase except `stationary`, which is never delivered.
    ///   - name: the closure's name in logs.
    ///   - body: the closure; it receives the touch and its event.
    /// - Returns: a token for `removeHandler(_:)`.
    @discardableResult
    public func addHandler(
        for phase: Touch.Phase, name: String? = nil, _ body: @escaping (Touch, Event) -> Void
    ) -> HandlerToken {
        addHandler(for: phase, names: name.map { [$0] } ?? [], body)
    }

    /// Adds one closure with several names, which runs as a whole even if a part of it cancels the touch.
    package func addHandler(
        for phase: Touch.Phase, names: [String], _ body: @escaping (Touch, Event) -> Void
    ) -> HandlerToken {
        precondition(phase != .stationary, "stationary touches are not delivered, so no handler can run for them")
        let token = HandlerToken(names: names, phase: phase, body: body)
        handlers.append(token)
        return token
    }

    /// Removes a closure; it does not run again, not even in the current delivery.
    public func removeHandler(_ token: HandlerToken) {
        token.isRemoved = true
        handlers.removeAll { $0 === token }
    }

    /// Adds a closure for an action name; replaces an existing closure of that name.
    ///
    /// The closure receives the action's sender and event.
    public func addAction(_ action: Selector, _ body: @escaping (_ sender: Any?, _ event: Event?) -> Void) {
        actions[action] = body
    }

    /// Removes the closure of an action name.
    public func removeAction(_ action: Selector) { actions[action] = nil }

    /// Runs the closures for a phase and returns the touches to pass up the chain: empty if there are such closures.
    func runHandlers(for phase: Touch.Phase, _ touches: Set<Touch>, _ event: Event?) -> Set<Touch> {
        guard !handlers.isEmpty, let event else { return touches }
        // Closures may add and remove closures, and may cancel touches: the lists at the start of the call apply.
        let closures = handlers
        var ran = false
        let isEnd = phase == .ended || phase == .cancelled
        let candidates = event.touches
        // Most calls have one touch; taking it directly avoids hashing.
        let only = touches.count == 1 ? touches.first : nil
        for place in candidates.indices {
            let touch = candidates[place]
            guard only === touch || only == nil && touches.contains(touch) else { continue }
            for number in closures.indices where closures[number].phase == phase && !closures[number].isRemoved {
                // An earlier closure may have cancelled the touch, and the cancellation was delivered already.
                if touch.isOver && !isEnd { continue }
                ran = true
                if event.handlerRuns != nil {
                    for name in closures[number].names {
                        event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
                    }
                }
                closures[number].body(touch, event)
            }
        }
        return ran ? [] : touches
    }
}

extension Responder: Hashable {
    /// Compares identity: a responder is equal only to itself.
    public nonisolated static func == (left: Responder, right: Responder) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether the object is an instance of a class or of a subclass (`NSObjectProtocol.isKind(of:)`).
    public func isKind(of aClass: AnyClass) -> Bool { TouchKit.isKind(self, of: aClass) }
}

extension GestureRecognizer {
    /// Whether the object is an instance of a class or of a subclass (`NSObjectProtocol.isKind(of:)`).
    public func isKind(of aClass: AnyClass) -> Bool { TouchKit.isKind(self, of: aClass) }
}

private func isKind(_ object: AnyObject, of aClass: AnyClass) -> Bool {
    var current: AnyClass? = type(of: object)
    while let candidate = current {
        if candidate == aClass { return true }
        current = _getSuperclass(candidate)
    }
    return false
}
