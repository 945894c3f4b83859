import Foundation

/// What all recognizers of an application have in common: who is given a touch, who may recognize, and in what order
/// actions are called.
///
/// Everything is decided at once and in one order, that of the recognizers of a touch: the hit view's first, then each
/// superview's; on one view in the order in which they were attached.
final class GestureEnvironment {
    let timers = GestureTimers()
    private unowned let application: Application
    /// The recognizers whose gesture is not over.
    private var involved: [GestureRecognizer] = []
    /// The recognizers that wait until others have failed.
    private var waiting: [GestureRecognizer] = []
    /// The actions to be called, in the order in which recognizers entered the states.
    private var acting: [(recognizer: GestureRecognizer, state: GestureRecognizer.State)] = []
    /// The recognizers that take their touches from the views.
    private var taking: [GestureRecognizer] = []
    /// Who was asked whether it receives the event at hand, and what it answered.
    private var receiving: [(recognizer: GestureRecognizer, answer: Bool)] = []
    private var sets = TouchSets()
    private var spareOrder: [GestureRecognizer] = []
    private var isSettling = false
    /// How many calls of recognizers are under way; what they ask for is settled when the outermost has returned.
    private var depth = 0

    init(application: Application) { self.application = application }

    // MARK: Touches

    /// Finds the recognizers of a touch that begins: those of its view and of every superview that may receive it.
    func assign(_ touch: Touch) {
        var view = touch.view
        while let current = view {
            for recognizer in current.gestureRecognizers ?? []
            where recognizer.isEnabled && !recognizer.actualState.isFinal && receivesEvent(recognizer) {
                guard recognizer.delegate?.gestureRecognizer(recognizer, shouldReceive: touch) ?? true else { continue }
                touch.gestureRecognizers.append(recognizer)
            }
            view = current.superview
        }
        for recognizer in touch.gestureRecognizers {
            recognizer.environment = self
            recognizer.activeTouches.append(touch)
            recognizer.sequenceTouches.append(touch)
            if !involved.contains(recognizer) { involved.append(recognizer) }
        }
        sets.forget()
    }

    /// Whether a recognizer and its delegate want the touches that begin in the event at hand; asked once.
    private func receivesEvent(_ recognizer: GestureRecognizer) -> Bool {
        if let known = receiving.first(where: { $0.recognizer === recognizer }) { return known.answer }
        let event = application.touches.event
        let answer =
            recognizer.shouldReceive(event)
            && recognizer.delegate?.gestureRecognizer(recognizer, shouldReceive: event) ?? true
        receiving.append((recognizer, answer))
        return answer
    }

    /// Tells the recognizers of a window's touches what these did, before any view is told.
    func process(_ event: Event, in window: Window) {
        var order = spareOrder
        spareOrder = []
        for touch in event.touches where touch.window === window && touch.delivery.isPendingForGestures {
            for recognizer in touch.gestureRecognizers where !order.contains(recognizer) { order.append(recognizer) }
        }
        if !order.isEmpty {
            depth += 1
            for recognizer in order {
                tell(recognizer, .began, event, window)
                tell(recognizer, .moved, event, window)
                tell(recognizer, .ended, event, window)
                tell(recognizer, .cancelled, event, window)
            }
            depth -= 1
            order.removeAll(keepingCapacity: true)
        }
        for touch in event.touches where touch.window === window { touch.delivery.isPendingForGestures = false }
        spareOrder = order
        settle()
    }

    /// Tells the recognizers of a touch that it is cancelled.
    func cancel(_ touch: Touch, _ event: Event) {
        guard !touch.gestureRecognizers.isEmpty else { return }
        touch.delivery.isPendingForGestures = false
        depth += 1
        for recognizer in touch.gestureRecognizers
        where !recognizer.actualState.isFinal && recognizer.activeTouches.contains(touch) {
            recognizer.touchesCancelled([touch], with: event)
        }
        depth -= 1
        settle()
    }

    private func tell(_ recognizer: GestureRecognizer, _ phase: Touch.Phase, _ event: Event, _ window: Window) {
        guard !recognizer.actualState.isFinal else { return }
        sets.begin()
        for touch in event.touches where touch.phase == phase && touch.window === window {
            if touch.delivery.isPendingForGestures, recognizer.activeTouches.contains(touch) { sets.add(touch) }
        }
        guard let touches = sets.finish() else { return }
        switch phase {
        case .began: recognizer.touchesBegan(touches, with: event)
        case .moved: recognizer.touchesMoved(touches, with: event)
        case .ended: recognizer.touchesEnded(touches, with: event)
        case .cancelled: recognizer.touchesCancelled(touches, with: event)
        case .stationary: break
        }
    }

    /// Lets go of the touches that are over, and resets the recognizers whose gesture is over with them.
    func finishEvent() {
        if !receiving.isEmpty { receiving.removeAll(keepingCapacity: true) }
        guard !involved.isEmpty else { return }
        var isAnyOver = false
        for recognizer in involved {
            if recognizer.activeTouches.contains(where: \.isOver) {
                isAnyOver = true
                recognizer.activeTouches.removeAll { $0.isOver }
            }
            guard recognizer.activeTouches.isEmpty, recognizer.pendingState == nil else { continue }
            if recognizer.actualState.isFinal {
                forget(recognizer)
                recognizer.setState(.possible)
                recognizer.reset()
            } else if recognizer.actualState == .possible && !recognizer.awaitsMoreTouches {
                forget(recognizer)
            }
        }
        if isAnyOver { sets.forget() }
    }

    private func forget(_ recognizer: GestureRecognizer) {
        recognizer.activeTouches = []
        recognizer.sequenceTouches = []
        recognizer.pendingState = nil
        involved.removeAll { $0 === recognizer }
        waiting.removeAll { $0 === recognizer }
    }

    /// Ends a recognizer's gesture because it was turned off or taken off its view.
    func disable(_ recognizer: GestureRecognizer) {
        guard involved.contains(recognizer) else { return }
        request(.cancelled, of: recognizer)
        guard involved.contains(recognizer) else { return }
        while let index = acting.firstIndex(where: { $0.recognizer === recognizer }) { act(acting.remove(at: index)) }
        for touch in recognizer.sequenceTouches { touch.gestureRecognizers.removeAll { $0 === recognizer } }
        sets.forget()
        forget(recognizer)
        recognizer.setState(.possible)
        recognizer.reset()
        application.touches.perform { self.settle() }
    }

    /// Has something done at a moment on the frames' clock, as part of a recognizer's gesture.
    func schedule(at deadline: TimeInterval, _ body: @escaping () -> Void) -> GestureTimers.Timer {
        timers.schedule(at: deadline) { [unowned self] in
            application.touches.perform {
                self.depth += 1
                body()
                self.depth -= 1
                self.settle()
            }
        }
    }

    // MARK: States

    /// Takes a recognizer to a state as far as the documents and the other recognizers allow.
    func request(_ new: GestureRecognizer.State, of recognizer: GestureRecognizer) {
        let old = recognizer.actualState
        switch (old, new) {
        case (.ended, _), (.cancelled, _), (.failed, _), (.possible, .possible): return
        case (.possible, .failed), (.possible, .cancelled): fail(recognizer)
        case (.began, .failed), (.changed, .failed): enter(.cancelled, recognizer)
        default:
            precondition(old.allows(new), "\(type(of: recognizer)) cannot go from \(old) to \(new)")
            if old != .possible {
                enter(new, recognizer)
            } else if depth > 0, recognizer.recognizesLast {
                hold(new, recognizer)
            } else {
                attempt(new, recognizer)
            }
        }
        if depth == 0 && !isSettling { application.touches.perform { self.settle() } }
    }

    private func attempt(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.pendingState = nil
        let others = peers(of: recognizer)
        if others.contains(where: { $0.actualState.isRecognized && excludes($0, recognizer) }) {
            return fail(recognizer)
        }
        let required = others.filter { mustFail($0, before: recognizer) }
        if required.contains(where: { $0.actualState.isRecognized }) { return fail(recognizer) }
        if required.contains(where: { $0.actualState == .possible && isUndecided($0) }) {
            return hold(new, recognizer)
        }
        guard viewsAllow(recognizer),
            recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) ?? true
        else { return fail(recognizer) }
        // What was asked may have turned the recognizer off.
        guard recognizer.actualState == .possible else { return }
        enter(new, recognizer)
        if recognizer.cancelsTouchesInView { taking.append(recognizer) }
        for other in others where other.actualState == .possible && excludes(recognizer, other) { fail(other) }
    }

    /// Has a recognizer wait for what others decide, at least until all have been told of the event.
    private func hold(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.pendingState = new
        if !waiting.contains(recognizer) { waiting.append(recognizer) }
    }

    /// Asks the views from the touched one up to the recognizer's own.
    private func viewsAllow(_ recognizer: GestureRecognizer) -> Bool {
        var view = recognizer.sequenceTouches.last?.view ?? recognizer.view
        while let current = view {
            if !current.gestureRecognizerShouldBegin(recognizer) { return false }
            view = current === recognizer.view ? nil : current.superview
        }
        return true
    }

    /// Tells those who look on.
    func changed(_ recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        application.didChangeState?(recognizer, former)
    }

    private func enter(_ new: GestureRecognizer.State, _ recognizer: GestureRecognizer) {
        recognizer.setState(new)
        acting.append((recognizer, new))
    }

    private func fail(_ recognizer: GestureRecognizer) {
        recognizer.pendingState = nil
        recognizer.setState(.failed)
    }

    /// Whether a recognizer may still recognize with the touches it has, or those it waits for.
    func isUndecided(_ recognizer: GestureRecognizer) -> Bool {
        guard recognizer.actualState == .possible else { return false }
        return recognizer.pendingState != nil || recognizer.awaitsMoreTouches
            || recognizer.activeTouches.contains { !$0.isDone }
    }

    /// The other recognizers that share a touch of the gesture, and whose own gesture with it is not over.
    private func peers(of recognizer: GestureRecognizer) -> [GestureRecognizer] {
        var peers: [GestureRecognizer] = []
        for touch in recognizer.sequenceTouches {
            for other in touch.gestureRecognizers
            where other !== recognizer && !peers.contains(other) && involved.contains(other) {
                peers.append(other)
            }
        }
        return peers
    }

    private func excludes(_ winner: GestureRecognizer, _ other: GestureRecognizer) -> Bool {
        guard winner.canPrevent(other), other.canBePrevented(by: winner) else { return false }
        if winner.delegate?.gestureRecognizer(winner, shouldRecognizeSimultaneouslyWith: other) == true { return false }
        return other.delegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: winner) != true
    }

    private func mustFail(_ other: GestureRecognizer, before recognizer: GestureRecognizer) -> Bool {
        recognizer.failureRequirements.contains { $0.object === other }
            || recognizer.shouldRequireFailure(of: other)
            || other.shouldBeRequiredToFail(by: recognizer)
            || recognizer.delegate?.gestureRecognizer(recognizer, shouldRequireFailureOf: other) == true
            || other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: recognizer) == true
    }

    /// Lets the recognizers that wait go on as far as they can, calls actions, and takes touches from views.
    private func settle() {
        guard !isSettling, depth == 0 else { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if let recognizer = nextToGoOn() {
                if let state = recognizer.pendingState { attempt(state, recognizer) }
            } else if !acting.isEmpty {
                act(acting.removeFirst())
            } else if !taking.isEmpty {
                application.touches.take(from: taking.removeFirst())
            } else {
                return
            }
        }
    }

    private func act(_ action: (recognizer: GestureRecognizer, state: GestureRecognizer.State)) {
        action.recognizer.act(in: action.state, application.touches.event)
    }

    /// Takes a recognizer off the waiting list for which something has been decided.
    private func nextToGoOn() -> GestureRecognizer? {
        waiting.removeAll { $0.pendingState == nil }
        let index = waiting.firstIndex { recognizer in
            let required = peers(of: recognizer).filter { mustFail($0, before: recognizer) }
            return !required.contains { isUndecided($0) } || required.contains { $0.actualState.isRecognized }
        }
        return index.map { waiting.remove(at: $0) }
    }
}
