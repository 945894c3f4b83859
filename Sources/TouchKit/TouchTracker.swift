import Evdev
import Foundation

/// The touches that are down: creates them from device reports, finds their views, and ensures that every touch that
/// began ends or is cancelled exactly once.
///
/// Code that runs for every event uses loops over touches instead of `contains(where:)` and similar methods. A closure
/// passed to the standard library checks at each call that it runs on the main actor, and that check takes longer than
/// its work. Loops that only read use `active[index]`, because a local variable would retain the touch. As in `Touch`,
/// overlapping accesses are not checked at run time.
final class TouchTracker {
    /// The touches that are down, including those that end in the current event, in the order in which they began.
    private(set) var active: [Touch] = []
    let event: Event
    let gestures: GestureEnvironment
    /// The touches that are shown as cancelled while a view receives `touchesCancelled` because of a gesture, with their
    /// real phases.
    private(set) var shownAsCancelled: [(touch: Touch, phase: Touch.Phase, pending: Touch.Receivers)] = []
    /// Whether a touch is being cancelled because its view leaves its window: no event caused that (B27).
    private(set) var isLeavingWindow = false
    /// The touches that are about to be cancelled, in all nested cancellations: they end in no handler meanwhile.
    private(set) var aboutToBeCancelled: [Touch] = []
    /// Whether views are receiving what was delayed.
    private(set) var isReleasing = false
    private var sets = TouchSets()
    private var taps = TapCounter()

    unowned let application: Application
    private var lastNumber = 0
    /// Whether one of the active touches may be over.
    private var hasTouchThatIsOver = false
    /// The number of events sent; identifies an event.
    private(set) var eventNumber = 0
    /// The depth of nested deliveries: a handler may cancel touches during one.
    private var depth = 0

    init(application: Application) {
        self.application = application
        gestures = application.gestures
        event = Event(type: .touches, application: application)
    }

    // MARK: What devices report

    /// Whether a touch changed and its event is not sent yet.
    private var hasPendingEvent: Bool {
        for index in active.indices where active[index].isPending { return true }
        return false
    }

    /// Begins a touch; the next event contains it. Returns nil while the application ignores events, and for a touch
    /// that waited longer than `Application.touchAgeLimit`.
    @discardableResult
    func begin(
        device: DeviceID, contact: UInt32?, type: Touch.TouchType, screen: Screen, state: TouchState
    ) -> Touch? {
        // A finger that lifts and comes down between two frames of a slow device makes two consecutive touches.
        sendEnds()
        // A handler of the end that was just sent may have started to ignore events.
        if application.isIgnoringEvents {
            ignore(at: state.timestamp)
            return nil
        }
        if let limit = application.touchAgeLimit, case let age = application.currentTime - state.timestamp, age > limit
        {
            application.didReport?(.touchDropped(age: age))
            return nil
        }
        lastNumber += 1
        let touch = Touch(
            id: lastNumber, device: device, contact: contact, type: type, screen: screen, state: state)
        taps.begin(touch.id, on: device, at: touch.screenLocation, touch.timestamp)
        active.append(touch)
        for touch in active {
            let isDelivered = touch.phase != .began || !touch.isPending
            touch.tapCount = taps.count(of: touch.id, on: device, isDelivered: isDelivered) ?? touch.tapCount
        }
        event.timestamp = state.timestamp
        return touch
    }

    /// Sends the event now if a touch ends in it.
    func sendEnds() {
        for index in active.indices where active[index].isOver && active[index].isPending { return sendPending() }
    }

    /// Notifies the observers of a report that becomes no touch.
    func ignore(at timestamp: TimeInterval) {
        for observer in gestures.observers { observer.didIgnoreTouch(at: timestamp) }
    }

    /// Changes a touch that is down; the next event contains the change.
    ///
    /// Unsent moves merge into this one; any other unsent phase is sent first.
    func change(_ touch: Touch, to phase: Touch.Phase, state: TouchState) {
        let coalesces = touch.isPending && touch.phase == .moved && phase == .moved
        if touch.isPending && !coalesces { sendPending() }
        guard !touch.isOver else { return }
        touch.update(state, coalescing: coalesces)
        touch.phase = phase
        touch.pending = .all
        if touch.isOver { hasTouchThatIsOver = true }
        if phase == .ended { taps.end(touch.id, on: touch.device, at: touch.screenLocation, touch.timestamp) }
        if phase == .cancelled { taps.cancel(touch.id, on: touch.device) }
        event.timestamp = state.timestamp
    }

    /// The touch of a contact on a device.
    func touch(of device: DeviceID, contact: UInt32) -> Touch? {
        for index in active.indices
        where active[index].contact == contact && active[index].device == device && !active[index].isOver {
            return active[index]
        }
        return nil
    }

    // MARK: Events

    /// Sends one event with everything that changed since the last one.
    func sendPending() {
        guard !isBusy, hasPendingEvent else { return }
        var hasNewTouch = false
        for index in active.indices {
            if active[index].isPending {
                if active[index].phase == .began { hasNewTouch = true }
            } else if !active[index].isOver {
                active[index].phase = .stationary
            }
        }
        enterEvent()
        defer { leaveEvent() }
        eventNumber += 1
        if application.needsLayout { application.layOutWindows() }
        if hasNewTouch || application.privateView != nil {
            for touch in event.touches where touch.isPending {
                // An action that a new touch sets off may show other views; the user touched what was there before.
                let under = privateView(under: touch)
                if touch.phase == .began { findView(of: touch) }
                touch.conceal(over: under ?? privateView(under: touch))
            }
        }
        for observer in gestures.observers { observer.willDeliver(event) }
        application.sendEvent(event)
        for touch in event.touches where touch.phase != .stationary {
            if touch.isOver {
                // An override of sendEvent(_:) has dropped the end.
                let isDropped = touch.pending.contains(.recognizers) && !touch.recognizers.isEmpty
                if isDropped || touch.delivery.needsEnd && !touch.delivery.holdsEnded { cancel(touch) }
            }
            touch.pending.remove(.view)
            if !touch.delivery.holdsEnded { report(touch) }
        }
    }

    /// Delivers the changes of a window's touches to their views: view by view, in the order in which the touches began.
    ///
    /// Recognizers receive the touches first, and may delay or cancel them in views. Each change is delivered once,
    /// however often the event is sent. Only `Window.sendEvent(_:)` calls this, because a program may override it and
    /// that of the application.
    func deliver(_ event: Event, to window: Window) {
        gestures.process(event, in: window)
        hold(event, in: window)
        // Delayed phases are older than this event.
        releaseHeld()
        defer { releaseHeld() }
        while let view = event.nextView(in: window) { deliver(to: view, event) }
    }

    /// Delivers the changes of a view's touches: one call each for those that began, moved, ended and were cancelled.
    private func deliver(to view: View, _ event: Event) {
        // A call can only remove later deliveries, never add any, so the phases are collected once.
        var phases = Touch.Phases()
        for index in event.touches.indices
        where event.touches[index].view === view && event.touches[index].isPendingForView {
            phases.insert(event.touches[index].phase)
        }
        if phases.contains(.began) { deliver(.began, to: view, event) }
        if phases.contains(.moved) { deliver(.moved, to: view, event) }
        if phases.contains(.ended) { deliver(.ended, to: view, event) }
        if phases.contains(.cancelled) { deliver(.cancelled, to: view, event) }
    }

    private func deliver(_ phase: Touch.Phase, to view: View, _ event: Event) {
        sets.begin()
        for index in event.touches.indices
        where event.touches[index].phase == phase && event.touches[index].view === view
            && event.touches[index].isPendingForView
        {
            event.touches[index].pending.remove(.view)
            if phase == .began { event.touches[index].delivery.begin() }
            if phase == .ended || phase == .cancelled { event.touches[index].delivery.end() }
            sets.add(event.touches[index])
        }
        guard let touches = sets.finish(from: event.touches) else { return }
        switch phase {
        case .began: view.touchesBegan(touches, with: event)
        case .moved: view.touchesMoved(touches, with: event)
        case .ended: view.touchesEnded(touches, with: event)
        case .cancelled: view.touchesCancelled(touches, with: event)
        case .stationary: break
        }
    }

    /// Whether responders are being called.
    var isBusy: Bool { depth > 0 }

    private func enterEvent() {
        depth += 1
        guard depth == 1 else { return }
        event.touches = active
        event.tracker = self
        // Handlers that recognizers ran between two events belong to the next report of their touch.
        event.handlerRuns = gestures.observers.isEmpty ? nil : event.handlerRuns ?? []
    }

    private func leaveEvent() {
        depth -= 1
        guard depth == 0 else { return }
        gestures.finishEvent(hasTouchThatIsOver: hasTouchThatIsOver)
        event.tracker = nil
        for observer in gestures.observers { observer.didArbitrate() }
        if hasTouchThatIsOver { removeDone() }
        // A tap that waited for a second tap runs its handlers after the last report of its touch.
        if event.handlerRuns?.isEmpty == false {
            event.handlerRuns?.removeAll { run in !active.contains { $0 === run.touch } }
        }
        for observer in gestures.observers { observer.didFinishEvent() }
    }

    private func removeDone() {
        for touch in active where touch.isDone {
            report(touch)
            touch.trackingView?.lose(touch)
        }
        var rest: [Touch] = []
        hasTouchThatIsOver = false
        for touch in active {
            guard !touch.isDone else {
                // The program may keep the touch.
                touch.recognizersWithEnd = []
                continue
            }
            rest.append(touch)
            if touch.isOver { hasTouchThatIsOver = true }
        }
        guard rest.count < active.count else { return }
        active = rest
        event.touches = active
        sets.forget()
        gestures.forgetDone()
    }

    /// Runs code that calls responders outside of an event.
    func perform(_ body: () -> Void) {
        enterEvent()
        body()
        releaseHeld()
        leaveEvent()
    }

    func report(_ touch: Touch) {
        if touch.isOver, gestures.reportsEndsAfterEvent, depth > 0 { return }
        guard touch.pending.remove(.observer) != nil, !gestures.observers.isEmpty else { return }
        var names: [String] = []
        if let runs = event.handlerRuns, !runs.isEmpty {
            for run in runs where run.touch === touch { names.append(run.name) }
            event.handlerRuns?.removeAll { $0.touch === touch }
        }
        let delivery = TouchDelivery(touch: touch, phase: touch.phase, handlerNames: names)
        for observer in gestures.observers { observer.didDeliver(delivery) }
    }

    // MARK: Views

    private func privateView(under touch: Touch) -> View? {
        guard !touch.isConcealed, let privateView = application.privateView else { return nil }
        // Merged moves, too: whether a touch is concealed must not depend on the load.
        for state in touch.states {
            if let view = privateView(touch.convert(state.location, to: nil), touch.screen) { return view }
        }
        return nil
    }

    private func findView(of touch: Touch) {
        guard var hit = application.hitTest(touch.screenLocation, on: touch.screen, with: event) else { return }
        if gestures.failGestures(interruptedBy: touch, on: hit) {
            releaseHeld()
            // The action of a tap may have changed the views.
            guard !touch.isOver, let new = application.hitTest(touch.screenLocation, on: touch.screen, with: event)
            else { return }
            hit = new
        }
        guard let window = hit.window, window.application === application, !window.obstacles.contains(.hidden) else {
            application.didReport?(.touchHitDetachedView(touch: touch.id, view: hit.logName))
            return
        }
        touch.view = hit
        touch.reportedView = hit
        touch.window = window
        if !active.contains(where: { blocks($0, touch) }) { touch.delivery.expect() }
        gestures.assign(touch)
    }

    /// Whether a touch that is down prevents a new one from reaching its view.
    private func blocks(_ older: Touch, _ newer: Touch) -> Bool {
        // A touch that ends in the same event still counts: its view receives beginnings before ends.
        let isGone = older.isOver && !older.isPending
        guard older !== newer, !isGone, let view = older.view, let newView = newer.view else { return false }
        if view === newView {
            // A window accepts every touch, as `UIWindow` does.
            return !view.isMultipleTouchEnabled && view.window !== view && older.id < newer.id
        }
        guard older.delivery.isWanted, older.window === newer.window else { return false }
        return view.isExclusiveTouch || newView.isExclusiveTouch
    }

    // MARK: Cancelling

    /// Cancels the touches whose views are in a subtree.
    ///
    /// The caller requests a drain of the queue after it has changed the tree: no touch may begin in between.
    func cancel(inBranch root: View) {
        cancel(leaving: true) { $0.view?.isDescendant(of: root) == true }
    }

    /// Cancels the touches of a removed device, and clears its tap counts.
    func remove(_ device: DeviceID) {
        // A tap that waits for a second one was completed.
        cancel(includingWaiting: false) { $0.device == device }
        taps.forget(device)
        application.drainIfAsked()
    }

    /// Cancels the touch of a contact.
    func cancel(_ contact: UInt32, of device: DeviceID) {
        cancel(includingWaiting: false) { $0.device == device && $0.contact == contact }
        application.drainIfAsked()
    }

    /// Cancels every touch.
    func cancelAll() {
        cancel { _ in true }
        application.drainIfAsked()
    }

    private func cancel(
        includingWaiting: Bool = true, leaving: Bool = false, where isIncluded: (Touch) -> Bool
    ) {
        restoreShown(where: isIncluded)
        let cancelled = active.filter { !$0.isDone && isIncluded($0) }
        let hasWaiting = includingWaiting && gestures.failWaiting(where: isIncluded)
        guard !cancelled.isEmpty || hasWaiting else { return }
        enterEvent()
        aboutToBeCancelled += cancelled
        for touch in cancelled { cancel(touch, leaving: leaving) }
        aboutToBeCancelled.removeLast(cancelled.count)
        // A recognizer that lost its last touch releases the delayed ends of the others.
        releaseHeld()
        leaveEvent()
    }

    /// Cancels a touch immediately; its view receives the cancellation if it received the beginning.
    /// - Parameter leaving: whether the view leaves its window.
    private func cancel(_ touch: Touch, leaving: Bool = false) {
        // The handlers of a touch cancelled before this one may have sent the event, and with it the end of this touch.
        guard !touch.delivery.isCancelled, !touch.isDone else { return }
        touch.conceal(over: privateView(under: touch))
        let holdsEnded = touch.delivery.holdsEnded
        touch.delivery.cancel()
        // An observer of the end must have seen the beginning, even if the touch is cancelled before its view receives
        // it.
        let isObserved = touch.phase != .stationary && !touch.isPending && !holdsEnded
        if touch.phase == .began || isObserved { report(touch) }
        // If a handler cancels a touch in the event of its lift, recognizers have received the end already.
        let hasLifted = touch.isOver || holdsEnded
        let hasEndedForGestures = hasLifted && !touch.pending.contains(.recognizers)
        let isUnknownToGestures = touch.phase == .began && touch.pending.contains(.recognizers) && gestures.depth == 0
        touch.phase = .cancelled
        hasTouchThatIsOver = true
        taps.cancel(touch.id, on: touch.device)
        touch.pending.remove(.view)
        touch.pending.insert(.observer)
        if isUnknownToGestures {
            gestures.withdraw(touch)
        } else if !hasEndedForGestures {
            gestures.cancel(touch, event)
        }
        if touch.delivery.needsEnd, let view = touch.view {
            touch.delivery.end()
            let wasLeaving = isLeavingWindow
            isLeavingWindow = leaving
            view.touchesCancelled([touch], with: event)
            isLeavingWindow = wasLeaving
        }
        report(touch)
    }
}

// MARK: Delay and cancellation of touches in views, as recognizers require it

extension TouchTracker {
    /// Holds back the changed touches of a window that recognizers delay.
    private func hold(_ event: Event, in window: Window) {
        for index in event.touches.indices
        where event.touches[index].window === window && event.touches[index].isPending
            && !event.touches[index].recognizers.isEmpty && event.touches[index].mayBeHeld
        {
            let touch = event.touches[index]
            switch touch.phase {
            case .began where delaysBegan(touch): touch.delivery.delayBegan(in: eventNumber)
            case .ended where touch.delivery.holdsBegan || touch.delivery.hasBegun && delaysEnded(touch):
                touch.delivery.delayEnded(in: eventNumber)
            case .moved where touch.delivery.holdsBegan: break
            case .cancelled where touch.delivery.holdsBegan:
                touch.delivery.discardBegan()
                continue
            default: continue
            }
            touch.pending.remove(.view)
        }
    }

    /// Delivers to views what no recognizer delays any more; touches of the same event in one call.
    private func releaseHeld() {
        // A handler of a release may release further touches: they wait for their turn.
        if isReleasing { return }
        isReleasing = true
        defer { isReleasing = false }
        // In the order in which the touches came down; the end of each comes before the next.
        while let touch = firstToRelease {
            if touch.delivery.holdsBegan {
                release(held(with: touch, \.beganDelayedIn), .began)
            } else {
                let touches = held(with: touch, \.endDelayedIn)
                release(touches, .ended)
                for touch in touches { report(touch) }
            }
        }
    }

    private var firstToRelease: Touch? {
        for index in active.indices where active[index].delivery.holdsBegan || active[index].delivery.holdsEnded {
            if canRelease(active[index]) { return active[index] }
        }
        return nil
    }

    /// The touches whose delayed beginning, or end, belongs to the same event and view as that of a touch.
    private func held(with touch: Touch, _ event: KeyPath<TouchDeliveryState, Int?>) -> [Touch] {
        active.filter {
            $0.view === touch.view && $0.delivery.holdsBegan == touch.delivery.holdsBegan
                && $0.delivery[keyPath: event] == touch.delivery[keyPath: event] && canRelease($0)
        }
    }

    private func canRelease(_ touch: Touch) -> Bool {
        // A handler may release a touch that is about to be cancelled, or that a recognizer is about to take from its view.
        if gestures.takes(touch) || aboutToBeCancelled.contains(touch) { return false }
        if touch.delivery.holdsBegan { return !delaysBegan(touch) }
        // While its view receives the delayed beginning, the touch shows as not ended, even if a handler releases its end.
        return touch.delivery.holdsEnded && touch.isOver && !delaysEnded(touch)
    }

    /// Cancels touches in their views: a view that received a beginning receives `touchesCancelled`, once for all its
    /// touches, and nothing afterwards.
    func cancelInViews(_ touches: [Touch]) {
        aboutToBeCancelled += touches
        defer { aboutToBeCancelled.removeLast(touches.count) }
        for touch in touches where !touch.delivery.needsEnd { touch.delivery.end() }
        // A view that is called may end or cancel the touches of the next view.
        while let view = touches.first(where: \.delivery.needsEnd)?.view {
            let affected = touches.filter { $0.view === view && $0.delivery.needsEnd }
            for touch in affected { touch.delivery.end() }
            show(.cancelled, affected) { view.touchesCancelled(Set(affected), with: event) }
        }
    }

    /// Shows touches in a different phase while a view receives a delayed phase or a cancellation.
    ///
    /// The phase is not the touch's real one, so observers do not receive it.
    private func show(_ phase: Touch.Phase, _ touches: [Touch], _ body: () -> Void) {
        let before = touches.map { ($0.phase, $0.pending, $0.delivery.isCancelled) }
        for touch in touches {
            if phase == .cancelled, !touch.isOver { shownAsCancelled.append((touch, touch.phase, touch.pending)) }
            touch.phase = phase
            touch.pending.remove(.observer)
        }
        body()
        shownAsCancelled.removeAll { entry in touches.contains { $0 === entry.touch } }
        // The cancellation of a touch during the call was reported then; one before it is still to be reported.
        for (touch, (phase, pending, wasCancelled)) in zip(touches, before)
        where !touch.delivery.isCancelled || wasCancelled {
            touch.phase = phase
            if pending.contains(.observer) { touch.pending.insert(.observer) }
        }
    }

    /// Gives touches that are shown as cancelled their real phase again, because they are about to be cancelled: a view
    /// may have events ignored while it receives `touchesCancelled` because of a gesture.
    private func restoreShown(where isIncluded: (Touch) -> Bool) {
        for (touch, phase, pending) in shownAsCancelled where isIncluded(touch) && !touch.delivery.isCancelled {
            touch.phase = phase
            if pending.contains(.observer) { touch.pending.insert(.observer) }
        }
    }

    private func release(_ touches: [Touch], _ phase: Touch.Phase) {
        // No beginning is delivered while events are ignored (A1.5).
        let affected = phase == .began && application.isIgnoringEvents ? [] : touches.filter(\.delivery.isWanted)
        for touch in touches {
            if phase == .began, affected.contains(touch) { touch.delivery.begin() } else { touch.delivery.end() }
        }
        guard let view = affected.first?.view else { return }
        guard phase == .began else {
            return show(phase, affected) { view.touchesEnded(Set(affected), with: event) }
        }
        show(.began, affected) {
            showLanding(of: affected[...]) { view.touchesBegan(Set(affected), with: event) }
        }
        // As UIKit documents for `delaysTouchesBegan`.
        let moved = affected.filter { !$0.isOver && $0.delivery.needsEnd && $0.hasLeftLanding && !gestures.takes($0) }
        guard !moved.isEmpty else { return }
        for touch in moved { touch.pending.remove(.view) }
        show(.moved, moved) { view.touchesMoved(Set(moved), with: event) }
    }

    private func showLanding(of touches: ArraySlice<Touch>, _ body: () -> Void) {
        guard let touch = touches.first else { return body() }
        touch.showLanding { showLanding(of: touches.dropFirst(), body) }
    }

    private func delaysBegan(_ touch: Touch) -> Bool {
        for recognizer in touch.recognizers
        where recognizer.delaysTouchesBegan && gestures.isUndecided(recognizer, of: touch) {
            return true
        }
        return false
    }

    private func delaysEnded(_ touch: Touch) -> Bool {
        for recognizer in touch.recognizers
        where recognizer.delaysTouchesEnded && gestures.isUndecided(recognizer, of: touch) {
            return true
        }
        return false
    }
}

extension Event {
    /// The view of the window's first touch with a change to deliver.
    fileprivate func nextView(in window: Window) -> View? {
        for index in touches.indices where touches[index].window === window && touches[index].isPendingForView {
            return touches[index].view
        }
        return nil
    }
}

extension Touch {
    /// Whether its current phase may be delayed, or its beginning is delayed already.
    fileprivate var mayBeHeld: Bool { phase != .moved || delivery.holdsBegan }

    /// Whether a recognizer with `delaysForwardedTouches` may still recognize its gesture with the touch.
    package var isDelayedByGesture: Bool {
        for recognizer in recognizers where recognizer.delaysForwardedTouches {
            if recognizer.environment?.isUndecided(recognizer, of: self) == true { return true }
        }
        return false
    }

    /// Whether a recognizer that receives the touch cancels forwarded touches.
    package var mayBeTakenBack: Bool {
        for recognizer in recognizers where recognizer.cancelsForwardedTouches { return true }
        return false
    }

    /// Whether the touch has a change to deliver to its view.
    fileprivate var isPendingForView: Bool {
        guard isPending else { return false }
        return switch delivery {
        case .expected: phase == .began
        case .begun: phase != .began && phase != .stationary
        case .unwanted, .beganDelayed, .endDelayed, .ended, .cancelled: false
        }
    }
}

extension View {
    /// The view's name in logs: its identifier, or its type.
    var logName: String { accessibilityIdentifier ?? String(describing: type(of: self)) }
}
