import DequeModule
import Foundation

/// The state that all recognizers of an application share. This file delivers touches to recognizers; `+Arbitration`
/// decides which recognize, and calls actions in order.
///
/// All decisions are synchronous and follow the order of a touch's recognizers: the hit view's first, then those of
/// each superview; on one view, in the order in which they were attached.
///
/// The properties and loops of every event skip the check for overlapping accesses, for the reasons given at
/// `TouchTracker`.
final class GestureEnvironment {
    /// See `Application.observers`.
    var observers: [any DeliveryObserver] = []
    /// Whether an observer decides after an event what becomes of the touches that are over.
    var reportsEndsAfterEvent: Bool {
        for observer in observers where observer.decidesAfterEvent { return true }
        return false
    }
    unowned let application: Application
    lazy var event = application.touches.event
    /// The recognizers with an unfinished gesture.
    private(set) var involved: [GestureRecognizer] = []
    /// The recognizers that wait for others to fail, in the order in which they began to.
    private(set) var waiting: [GestureRecognizer] = []
    /// The pending actions, in the order in which recognizers entered the states.
    var acting: Deque<Action> = []
    /// The recognizers that set a state during the event, in order.
    var requesting: [GestureRecognizer] = []
    /// The circles of failure requirements that were reported, by the names of their recognizers.
    var reportedCircles: Set<[String]> = []
    /// The touches to cancel in their views, grouped by recognizer.
    var touchesToCancel: [[Touch]] = []
    /// The answers of recognizers that were asked whether they receive the current event.
    private var receiving: [(recognizer: GestureRecognizer, answer: Bool)] = []
    private var sets = TouchSets()
    private var spareOrder: [GestureRecognizer] = []
    var isSettling = false
    /// The depth of nested calls of recognizers; requests are settled when the outermost call returns.
    var depth = 0

    struct Action {
        let recognizer: GestureRecognizer
        let state: GestureRecognizer.State
    }

    init(application: Application) { self.application = application }

    // MARK: Touches

    /// Finds the recognizers of a touch that begins: those of its view and of every superview that accept it.
    func assign(_ touch: Touch) {
        var view = touch.view
        while let current = view {
            for recognizer in current.gestureRecognizers ?? [] where recognizer.isEnabled {
                // A state that was set without a touch (B20).
                if recognizer.environment == nil, recognizer.progress.state.isFinal { finish(recognizer) }
                // One that waits for others gets no further touches (B21).
                guard !recognizer.progress.state.isFinal, !recognizer.progress.isWaiting, receivesEvent(recognizer)
                else { continue }
                guard recognizer.ownDelegate?.gestureRecognizer(recognizer, shouldReceive: touch) ?? true else {
                    continue
                }
                touch.recognizers.append(recognizer)
            }
            view = current.superview
        }
        // A delegate may have disabled or removed a recognizer that was asked before.
        touch.recognizers.removeAll { !$0.isEnabled || $0.attachedView == nil }
        for recognizer in touch.recognizers {
            if recognizer.environment !== self {
                // A state that was set while its delegate was asked.
                if !recognizer.progress.isIdle { finish(recognizer) }
                recognizer.environment = self
            }
            if recognizer.progress.isIdle { move(recognizer, to: .undecided(next: nil)) }
            recognizer.hasIgnoredLastTouch = false
            recognizer.activeTouches.append(touch)
            recognizer.sequenceTouches.append(touch)
        }
        sets.forget()
    }

    /// Takes a recognizer to another place in its gesture, keeps the lists in step, and reports the state.
    func move(_ recognizer: GestureRecognizer, to next: GestureRecognizer.Progress) {
        let former = recognizer.progress
        recognizer.become(next)
        if former.isIdle != next.isIdle {
            if next.isIdle { involved.removeOne(recognizer) } else { involved.append(recognizer) }
        }
        if former.isWaiting { waiting.removeOne(recognizer) }
        if next.isWaiting { waiting.append(recognizer) }
        guard former.state != next.state else { return }
        for observer in observers { observer.didChangeState(of: recognizer, from: former.state) }
    }

    /// Fails the gestures that await more touches, such as a double tap, and that a touch on their view does not
    /// continue: a tap that waited for such a gesture acts, and the touch begins new ones. Returns whether there were any.
    func failGestures(interruptedBy touch: Touch, on touched: View) -> Bool {
        var hasFailed = false
        for recognizer in involved
        where recognizer.activeTouches.isEmpty && recognizer.progress.isUndecided && recognizer.awaitsMoreTouches
            && !recognizer.continues(with: touch)
        {
            guard let view = recognizer.attachedView, touched.isDescendant(of: view) else { continue }
            fail(recognizer)
            hasFailed = true
        }
        guard hasFailed else { return false }
        settle()
        resetFinished()
        return true
    }

    /// Fails the gestures that wait for others, or without a touch that is down for a further one, and whose touches are
    /// taken away (B21). Returns whether there were any.
    func failWaiting(where isIncluded: (Touch) -> Bool) -> Bool {
        var hasFailed = false
        for recognizer in involved
        where recognizer.progress.state == .possible
            && (recognizer.activeTouches.isEmpty || recognizer.progress.isWaiting)
            && recognizer.sequenceTouches.contains(where: isIncluded)
        {
            fail(recognizer)
            hasFailed = true
        }
        return hasFailed
    }

    /// Whether a recognizer and its delegate accept the touches that begin in the current event; asked once an event.
    private func receivesEvent(_ recognizer: GestureRecognizer) -> Bool {
        for known in receiving where known.recognizer === recognizer { return known.answer }
        let answer =
            recognizer.shouldReceive(event)
            && recognizer.ownDelegate?.gestureRecognizer(recognizer, shouldReceive: event) ?? true
        receiving.append((recognizer, answer))
        return answer
    }

    /// Delivers the changes of a window's touches to their recognizers, before any view.
    func process(_ event: Event, in window: Window) {
        // As with views, an effect of a call can only remove a later call of this event, never add one.
        var phases = Touch.Phases()
        var order: [GestureRecognizer] = []
        var isMerged = false
        for index in event.touches.indices
        where event.touches[index].window === window && event.touches[index].pending.contains(.recognizers) {
            phases.insert(event.touches[index].phase)
            if order.isEmpty {
                order = event.touches[index].recognizers
            } else {
                merge(event.touches[index].recognizers, into: &order, &isMerged)
            }
        }
        if !order.isEmpty {
            depth += 1
            for number in order.indices {
                if phases.contains(.began) { notify(order[number], .began, event, window) }
                if phases.contains(.moved) { notify(order[number], .moved, event, window) }
                if phases.contains(.ended) { notify(order[number], .ended, event, window) }
                if phases.contains(.cancelled) { notify(order[number], .cancelled, event, window) }
            }
            depth -= 1
        }
        for index in event.touches.indices where event.touches[index].window === window {
            event.touches[index].pending.remove(.recognizers)
        }
        if isMerged {
            order.removeAll(keepingCapacity: true)
            spareOrder = order
        }
        settle()
    }

    /// Adds the recognizers of another touch. Touches of one view have the same list, so usually the first list is
    /// kept.
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

    /// Delivers the cancellation of a touch to its recognizers.
    func cancel(_ touch: Touch, _ event: Event) {
        guard !touch.recognizers.isEmpty else { return }
        touch.pending.remove(.recognizers)
        depth += 1
        for recognizer in touch.recognizers
        where !recognizer.progress.newest.isFinal && recognizer.activeTouches.contains(touch)
            && !touch.recognizersWithEnd.holds(recognizer)
        {
            touch.recognizersWithEnd.append(recognizer)
            recognizer.touchesCancelled([touch], with: event)
        }
        depth -= 1
        settle()
    }

    /// Takes a touch away whose beginning no recognizer has received.
    func withdraw(_ touch: Touch) {
        touch.pending.remove(.recognizers)
        for recognizer in touch.recognizers {
            recognizer.activeTouches.removeAll { $0 === touch }
            recognizer.sequenceTouches.removeAll { $0 === touch }
            if recognizer.sequenceTouches.isEmpty, recognizer.progress.newest == .possible {
                move(recognizer, to: .idle)
            }
        }
        touch.recognizers = []
        sets.forget()
    }

    private func notify(_ recognizer: GestureRecognizer, _ phase: Touch.Phase, _ event: Event, _ window: Window) {
        guard !recognizer.progress.newest.isFinal else { return }
        let isEnd = phase == .ended || phase == .cancelled
        sets.begin()
        for index in event.touches.indices
        where event.touches[index].phase == phase && event.touches[index].window === window
            && event.touches[index].pending.contains(.recognizers)
        {
            guard recognizer.activeTouches.holds(event.touches[index]) else { continue }
            if isEnd { event.touches[index].recognizersWithEnd.append(recognizer) }
            sets.add(event.touches[index])
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

    /// Releases the touches that are over, and resets the recognizers whose gesture ended with them.
    func finishEvent(hasTouchThatIsOver: Bool) {
        if !receiving.isEmpty { receiving.removeAll(keepingCapacity: true) }
        guard hasTouchThatIsOver || hasRecognizerWithoutTouches else { return }
        for recognizer in involved where recognizer.hasTouchThatIsOver {
            for place in recognizer.activeTouches.indices.reversed() where recognizer.activeTouches[place].isOver {
                recognizer.activeTouches.remove(at: place)
            }
        }
        resetFinished()
    }

    /// Releases the touches that are done, also those that recognizers ignored.
    func forgetDone() { sets.forget() }

    /// Resets the recognizers without touches whose gesture is over, and forgets the touches of those that stay possible.
    private func resetFinished() {
        for recognizer in involved {
            guard recognizer.activeTouches.isEmpty else {
                recognizer.dropOldTouches()
                continue
            }
            switch recognizer.progress {
            case .idle, .waiting, .active: break
            case .undecided where recognizer.awaitsMoreTouches: break
            case .undecided where !recognizer.isResetWhenPossible:
                move(recognizer, to: .idle)
                recognizer.needsReset = true
            case .undecided, .over: finish(recognizer)
            }
        }
    }

    /// Makes a recognizer whose gesture is over ready for the next.
    private func finish(_ recognizer: GestureRecognizer) {
        move(recognizer, to: .idle)
        recognizer.needsReset = false
        recognizer.reset()
    }

    private var hasRecognizerWithoutTouches: Bool {
        for number in involved.indices where involved[number].activeTouches.isEmpty { return true }
        return false
    }

    /// Ends a recognizer's gesture because it was disabled or removed from its view.
    func disable(_ recognizer: GestureRecognizer) {
        if recognizer.progress.isIdle {
            // It may have counted a tap.
            if recognizer.needsReset { finish(recognizer) }
            return
        }
        cancel(recognizer)
        if depth == 0, !isSettling { application.touches.perform { self.settle() } }
        if recognizer.progress.isIdle { return }
        while let index = acting.firstIndex(where: { $0.recognizer === recognizer }) { act(acting.remove(at: index)) }
        for touch in recognizer.sequenceTouches { touch.recognizers.removeAll { $0 === recognizer } }
        sets.forget()
        finish(recognizer)
        application.touches.perform { self.settle() }
    }

    /// Schedules a closure for a time on the frames' clock, as part of a recognizer's gesture.
    func schedule(at deadline: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        application.timers.schedule(at: deadline) { [unowned self] in
            application.touches.perform {
                self.depth += 1
                body()
                self.depth -= 1
                self.settle()
            }
        }
    }
}

extension GestureRecognizer {
    fileprivate var hasTouchThatIsOver: Bool {
        for touch in activeTouches where touch.isOver { return true }
        return false
    }

    /// Forgets the touches that are over if there are many, as beside a finger that rests: they would fill memory.
    fileprivate func dropOldTouches() {
        if sequenceTouches.count > 32 { sequenceTouches.removeAll { $0.isDone && !activeTouches.holds($0) } }
    }
}
