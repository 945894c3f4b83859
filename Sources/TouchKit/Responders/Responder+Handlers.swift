/// A closure that was added to a responder, and the means to remove it.
public final class HandlerToken {
    /// The name it was added with.
    public let name: String?
    let phase: Touch.Phase
    let body: (Touch, Event) -> Void
    @exclusivity(unchecked) var isRemoved = false

    init(name: String?, phase: Touch.Phase, body: @escaping (Touch, Event) -> Void) {
        self.name = name
        self.phase = phase
        self.body = body
    }
}

extension Responder {
    /// Adds a closure that is run for every touch that enters a phase on this responder.
    ///
    /// Closures run in the order in which they were added, for one touch after another in the order in which the
    /// touches began. A responder that has closures for a phase does not pass that phase on, unless its subclass does.
    /// - Parameters:
    ///   - phase: any phase but `stationary`, which is never delivered.
    ///   - name: what logs call the closure.
    ///   - body: is given the touch and its event.
    /// - Returns: what `removeHandler(_:)` takes.
    @discardableResult
    public func addHandler(
        for phase: Touch.Phase, name: String? = nil, _ body: @escaping (Touch, Event) -> Void
    ) -> HandlerToken {
        precondition(phase != .stationary, "stationary touches are not delivered, so no handler can run for them")
        let token = HandlerToken(name: name, phase: phase, body: body)
        handlers.append(token)
        return token
    }

    /// Removes a closure; it does not run again, not even in a delivery under way.
    public func removeHandler(_ token: HandlerToken) {
        token.isRemoved = true
        handlers.removeAll { $0 === token }
    }

    /// Runs the closures for a phase and answers the touches to be passed on: none if there are such closures.
    func runHandlers(for phase: Touch.Phase, _ touches: Set<Touch>, _ event: Event?) -> Set<Touch> {
        guard !handlers.isEmpty, let event else { return touches }
        // Closures may add and remove closures, and may cancel touches: the lists as they are now are what counts.
        let closures = handlers
        var ran = false
        let isEnd = phase == .ended || phase == .cancelled
        let candidates = event.touches
        // Most calls are of one touch, which is found without hashing.
        let only = touches.count == 1 ? touches.first : nil
        for place in candidates.indices {
            let touch = candidates[place]
            guard only === touch || only == nil && touches.contains(touch) else { continue }
            for number in closures.indices where closures[number].phase == phase && !closures[number].isRemoved {
                // A closure before this one may have cancelled the touch, and that has been told by now.
                if touch.isOver && !isEnd { continue }
                ran = true
                if event.handlerRuns != nil, let name = closures[number].name {
                    event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
                }
                closures[number].body(touch, event)
            }
        }
        return ran ? [] : touches
    }
}
