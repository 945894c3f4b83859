import DequeModule
import Foundation

/// What all recognizers of an application have in common: who is given a touch, who may recognize, and in what order
/// actions are called.
///
/// Everything is decided at once and in one order, that of the recognizers of a touch: the hit view's first, then each
/// superview's; on one view in the order in which they were attached.
///
/// What is done for every event loops, and is not checked for overlapping accesses, for the reasons that `TouchTracker` has.
final class GestureEnvironment {
    let timers = GestureTimers()
    private unowned let application: Application
    private lazy var event = application.touches.event
    /// The recognizers whose gesture is not over.
    @exclusivity(unchecked) private(set) var involved: [GestureRecognizer] = []
    /// The recognizers that wait until others have failed.
    @exclusivity(unchecked) private var waiting: [GestureRecognizer] = []
    /// The actions to be called, in the order in which recognizers entered the states.
    @exclusivity(unchecked) private var acting: Deque<Action> = []
    /// The recognizers that take their touches from the views.
    @exclusivity(unchecked) private var taking: [GestureRecognizer] = []
    /// Who was asked whether it receives the event at hand, and what it answered.
    @exclusivity(unchecked) private var receiving: [(recognizer: GestureRecognizer, answer: Bool)] = []
    @exclusivity(unchecked) private var sets = TouchSets()
    @exclusivity(unchecked) private var spareOrder: [GestureRecognizer] = []
    @exclusivity(unchecked) private var isSettling = false
    /// How many calls of recognizers are under way; what they ask for is settled when the outermost has returned.
    @exclusivity(unchecked) private var depth = 0

    private struct Action {
        let recognizer: GestureRecognizer
        let state: GestureRecognizer.State
    }

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
            if !involved.holds(recognizer) { involved.append(recognizer) }
        }
        sets.forget()
    }

    /// Whether a recognizer and its delegate want the touches that begin in the event at hand; asked once.
    private func receivesEvent(_ recognizer: GestureRecognizer) -> Bool {
        for known in receiving where known.recognizer === recognizer { return known.answer }
        let answer =
            recognizer.shouldReceive(event)
            && recognizer.delegate?.gestureRecognizer(recognizer, shouldReceive: event) ?? true
        receiving.append((recognizer, answer))
        return answer
    }

    /// Tells the recognizers of a window's touches what these did, before any view is told.
    func process(_ event: Event, in window: Window) {
        // As with views, what a call does leaves less to be told, never more.
        var phases = Touch.Phases()
        var order: [GestureRecognizer] = []
        var isMerged = false
        for index in event.touches.indices
        where event.touches[index].window === window && event.touches[index].delivery.isPendingForGestures {
            phases.insert(event.touches[index].phase)
            if order.isEmpty {
                order = event.touches[index].gestureRecognizers
            } else {
                merge(event.touches[index].gestureRecognizers, into: &order, &isMerged)
            }
        }
        if !order.isEmpty {
            depth += 1
            for number in order.indices {
                if phases.contains(.began) { tell(order[number], .began, event, window) }
                if phases.contains(.moved) { tell(order[number], .moved, event, window) }
                if phases.contains(.ended) { tell(order[number], .ended, event, window) }
                if phases.contains(.cancelled) { tell(order[number], .cancelled, event, window) }
            }
            depth -= 1
        }
        for index in event.touches.indices where event.touches[index].window === window {
            event.touches[index].delivery.isPendingForGestures = false
        }
        if isMerged {
            order.removeAll(keepingCapacity: true)
            spareOrder = order
        }
        settle()
    }

    /// Adds the recognizers of another touch; touches of one view have the same, and then the list is that of the first.
    private func merge(
        _ more: [GestureRecognizer], into order: inout [GestureRecognizer], _ isMerged: inout Bool
    ) {
        for number in more.indices where !order.holds(more[number]) {
            if !isMerged {
                isMerged = true
                var merged: [GestureRecognizer] = []
                swap(&merged, &spareOrder)
                merged.append(contentsOf: order)
                swap(&merged, &order)
            }
            order.append(more[number])
        }
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
        for index in event.touches.indices
        where event.touches[index].phase == phase && event.touches[index].window === window
            && event.touches[index].delivery.isPendingForGestures
        {
            if recognizer.activeTouches.holds(event.touches[index]) { sets.add(event.touches[index]) }
        }
        guard let touches = sets.finish(from: event.touches) else { return }
        switch phase {
        case .began: recognizer.touchesBegan(touches, with: event)
        case .moved: recognizer.touchesMoved(touches, with: event)
        case .ended: recognizer.touchesEnded(touches, with: event)
        case .cancelled: recognizer.touchesCancelled(touches, with: event)
        case .stationary: break
        }
    }

    /// Lets go of the touches that are over, and resets the recognizers whose gesture is over with them.
    func finishEvent(hasTouchThatIsOver: Bool) {
        if !receiving.isEmpty { receiving.removeAll(keepingCapacity: true) }
        guard hasTouchThatIsOver || hasRecognizerWithoutTouches else { return }
        var isAnyOver = false
        for recognizer in involved {
            if recognizer.hasTouchThatIsOver {
                isAnyOver = true
                for place in recognizer.activeTouches.indices.reversed() where recognizer.activeTouches[place].isOver {
                    recognizer.activeTouches.remove(at: place)
                }
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

    private var hasRecognizerWithoutTouches: Bool {
        for number in involved.indices where involved[number].activeTouches.isEmpty { return true }
        return false
    }

    private func forget(_ recognizer: GestureRecognizer) {
        recognizer.activeTouches.removeAll(keepingCapacity: true)
        recognizer.sequenceTouches.removeAll(keepingCapacity: true)
        recognizer.pendingState = nil
        involved.removeOne(recognizer)
        waiting.removeOne(recognizer)
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
        for other in others where other.actualState.isRecognized && excludes(other, recognizer) {
            return fail(recognizer)
        }
        var required: [GestureRecognizer] = []
        for other in others where mustFail(other, before: recognizer) { required.append(other) }
        for other in required where other.actualState.isRecognized { return fail(recognizer) }
        for other in required where other.actualState == .possible && isUndecided(other) {
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
        acting.append(Action(recognizer: recognizer, state: new))
    }

    private func fail(_ recognizer: GestureRecognizer) {
        recognizer.pendingState = nil
        recognizer.setState(.failed)
    }

    /// Whether a recognizer may still recognize with the touches it has, or those it waits for.
    func isUndecided(_ recognizer: GestureRecognizer) -> Bool {
        guard recognizer.actualState == .possible else { return false }
        return recognizer.pendingState != nil || recognizer.awaitsMoreTouches
            || recognizer.hasTouchThatGoesOn
    }

    /// Lets the recognizers that wait go on as far as they can, calls actions, and takes touches from views.
    private func settle() {
        guard !isSettling, depth == 0 else { return }
        if waiting.isEmpty, acting.isEmpty, taking.isEmpty { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if let recognizer = nextToGoOn() {
                if let state = recognizer.pendingState { attempt(state, recognizer) }
            } else if let action = acting.popFirst() {
                act(action)
            } else if !taking.isEmpty {
                application.touches.take(from: taking.removeFirst())
            } else {
                return
            }
        }
    }

    private func act(_ action: Action) {
        action.recognizer.act(in: action.state, event)
    }

    /// Takes a recognizer off the waiting list for which something has been decided.
    private func nextToGoOn() -> GestureRecognizer? {
        if waiting.isEmpty { return nil }
        waiting.removeAll { $0.pendingState == nil }
        let index = waiting.firstIndex { recognizer in
            let required = peers(of: recognizer).filter { mustFail($0, before: recognizer) }
            return !required.contains { isUndecided($0) } || required.contains { $0.actualState.isRecognized }
        }
        return index.map { waiting.remove(at: $0) }
    }
}

extension GestureRecognizer {
    fileprivate var hasTouchThatIsOver: Bool {
        for touch in activeTouches where touch.isOver { return true }
        return false
    }

    fileprivate var hasTouchThatGoesOn: Bool {
        for touch in activeTouches where !touch.isDone { return true }
        return false
    }
}
