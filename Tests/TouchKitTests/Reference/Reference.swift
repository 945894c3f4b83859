import Foundation

/// A second implementation of touch delivery, written from docs/touch-delivery.md as plainly as possible; each function
/// names its rule.
///
/// It shares no code with TouchKit. It has no index, no cache and no flag that could be computed: everything is derived
/// from the views, the touches and the recognizers' states.
final class Reference {
    var views: [ReferenceView] = []
    /// The front-most first, which is the one that was shown last. Apple's text gives no order.
    private(set) var windows: [ReferenceView] = []
    var gestures: [ReferenceGesture] = []
    /// The touches that are down, or whose end is not fully delivered, in the order in which they began.
    var touches: [ReferenceTouch] = []
    private var reactions: [Reaction]
    private(set) var calls: [String] = []
    /// The time in milliseconds.
    var clock = 0
    /// The number of the current event; the results of one event are delivered together.
    var event = 0
    /// The outermost current event; a handler of it caused all others.
    private(set) var outermost = 0
    private var ignoring = 0
    /// The number of calls to recognizers, which gives their order.
    var turn = 0
    /// The actions to call, and the touches taken from their views, which are cancelled after that.
    var acting: [(gesture: ReferenceGesture, state: ReferenceGesture.State)] = []
    var taken: [ReferenceTouch] = []
    var isSettling = false
    /// Views are receiving what was held back.
    var isReleasing = false
    /// The depth of nested deliveries, one in another's handler.
    var depth = 0

    /// The calls that each step causes.
    static func calls(of scenario: Scenario) -> [[String]] {
        let reference = Reference(scenario)
        return scenario.steps.map { reference.play($0) }
    }

    private init(_ scenario: Scenario) {
        reactions = scenario.reactions
        views = scenario.views.enumerated().map { ReferenceView($0, $1) }
        windows = views.reversed().filter(\.isWindow)
        for view in views { if let parent = view.plan.parent { views[parent].add(view) } }
        gestures = scenario.recognizers.enumerated().map { ReferenceGesture($0, $1, on: views[$1.view]) }
        for gesture in gestures { gesture.view?.gestures.append(gesture) }
    }

    private func play(_ step: Step) -> [String] {
        calls = []
        switch step {
        case .frame(let after, let fingers):
            advance(to: clock + after)
            receive(fingers)
        case .wait(let milliseconds): advance(to: clock + milliseconds)
        case .change(let change): make(change)
        }
        return calls
    }

    /// Logs a call; its handler then makes the scenario's change.
    func log(_ call: String, _ touches: [ReferenceTouch] = []) {
        calls.append(call + touches.map(\.id).sorted().map { " \($0)" }.joined())
        guard let index = reactions.firstIndex(where: { $0.call == call }) else { return }
        make(reactions.remove(at: index).change)
    }

    func happen() {
        event += 1
        if depth == 0 { outermost = event }
    }

    // MARK: Frames

    /// A1.2: frames are delivered in order. A4.3: a lift and a new finger in the same frame are two touches in order.
    private func receive(_ fingers: [Step.Finger]) {
        // A1.5: while the application ignores events, none is delivered, and new touches stay ignored.
        if ignoring > 0 { return }
        func nextEvent() {
            happen()
            for touch in touches where !touch.isOver { touch.phase = .stationary }
        }
        nextEvent()
        for finger in fingers {
            let place = CGPoint(x: finger.x, y: finger.y)
            if finger.phase == .began {
                if touches.contains(where: { $0.isUnseen && $0.isOver }) {
                    deliver()
                    nextEvent()
                }
                if ignoring == 0 { begin(finger.id, at: place) }
            } else if let touch = touches.first(where: { $0.id == finger.id && !$0.isOver }) {
                touch.place = place
                if finger.phase == .moved {
                    touch.move(in: event)
                } else {
                    touch.end(finger.phase == .ended ? .ended : .cancelled, in: event)
                }
            }
        }
        deliver()
    }

    /// A3.6, B2: the view and recognizers of a touch are determined once, when it begins.
    private func begin(_ id: UInt32, at place: CGPoint) {
        let touch = ReferenceTouch(id, at: place, in: event)
        let view = frontmost(at: place)
        touches.append(touch)
        touch.view = failInterrupted(by: touch, on: view) ? touch.isOver ? nil : frontmost(at: place) : view
        if let view = touch.view {
            touch.isWithheld = isWithheld(touch, from: view)
            touch.gestures = receivers(of: touch, from: view)
            for gesture in touch.gestures { gesture.isUsed = true }
            touch.isUnseen = true
        }
    }

    /// B1: a view receives only the first touch of a sequence unless it accepts several. An exclusive view receives
    /// touches only while no other view of the window has one.
    private func isWithheld(_ touch: ReferenceTouch, from view: ReferenceView) -> Bool {
        let others = touches.filter { $0 !== touch && !$0.isOver && $0.view?.window === view.window }
        if !view.takesSeveral && others.contains(where: { $0.view === view }) { return true }
        return others.contains { other in
            guard let holder = other.view, holder !== view, !other.isWithheld else { return false }
            return (holder.has(.exclusive) || view.has(.exclusive)) && !other.isTaken
        }
    }

    /// A1.4, B17: each window receives its own touches, the front-most first.
    func deliver(only touch: ReferenceTouch? = nil) {
        depth += 1
        for window in windows {
            notifyGestures(of: window, only: touch)
            settle()
            deliverToViews(of: window, only: touch)
        }
        depth -= 1
        finish()
    }

    // MARK: Changes by programs

    func make(_ change: Change) {
        switch change {
        case .remove(let view):
            if views[view].parent != nil { cancelTouches(in: views[view]) }
            views[view].remove()
        case .add(let index, let parent):
            let (view, parent) = (views[index], views[parent])
            if view.isWindow || parent.isIn(view) { return }
            // B2: a view that stays in its window keeps its touches.
            if view.window !== parent.window { cancelTouches(in: view) }
            parent.add(view)
        case .hide(let view, let isHidden):
            let view = views[view]
            if view.isWindow && view.has(.hidden) && !isHidden { windows = [view] + windows.filter { $0 !== view } }
            view.set(.hidden, isHidden)
            if view.isWindow && isHidden { cancelTouches(in: view) }
        case .interaction(let view, let isEnabled): views[view].set(.untouchable, !isEnabled)
        case .enable(let view, let isEnabled):
            guard views[view].isControl else { return }
            views[view].set(.disabled, !isEnabled)
            if !isEnabled { cancelTracking(views[view]) }
        case .toFront(let view):
            views[view].parent?.add(views[view])
        case .turn(let gesture, let isOn):
            // Apple, `isEnabled`: a change to false cancels the gesture; one that is off already has nothing to cancel.
            let wasOn = gestures[gesture].isOn
            gestures[gesture].isOn = isOn
            if wasOn && !isOn { giveUp(gestures[gesture]) }
        case .flip(let gesture):
            make(.turn(recognizer: gesture, on: false))
            gestures[gesture].isOn = true
        case .fail(let gesture): setFailed(gestures[gesture])
        case .detach(let gesture): move(gestures[gesture], to: nil)
        case .attach(let gesture, let view): move(gestures[gesture], to: views[view])
        case .cancelAll:
            failWaiting { _ in true }
            cancel(touches)
        // B12: ignoring nests, and delivered touches are cancelled.
        case .ignore(true):
            ignoring += 1
            failWaiting { _ in true }
            cancel(touches)
        case .ignore(false): ignoring = max(0, ignoring - 1)
        }
    }

    /// B2: a view that leaves its window gets touchesCancelled once, while it is still there.
    func cancelTouches(in view: ReferenceView) {
        failWaiting { $0.view?.isIn(view) == true }
        cancel(touches.filter { $0.view?.isIn(view) == true })
        // The recognizers of the view end too, also with a touch of a view that was moved out of it.
        for gesture in gestures where gesture.view?.isIn(view) == true {
            if gesture.touches.contains(where: { !$0.isOver }) { giveUp(gesture) }
        }
    }

    /// A3.2: the system interrupts touches one by one. B6: a delayed end then becomes a cancel.
    func cancel(_ cancelled: [ReferenceTouch]) {
        let cancelled = cancelled.filter { !$0.isOver || $0.delivered != .over }
        if cancelled.isEmpty { return finish() }
        happen()
        for touch in cancelled { touch.end(.cancelled, in: event) }
        depth += 1
        for touch in cancelled { deliver(only: touch) }
        depth -= 1
        deliverHeld()
        finish()
    }
}
