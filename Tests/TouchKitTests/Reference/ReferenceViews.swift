import Foundation

/// Hit-testing, the responder chain, and delivery to views and controls.
extension Reference {
    // MARK: Hit-testing

    /// B17: the front-most window that answers.
    func frontmost(at place: CGPoint) -> ReferenceView? {
        for window in windows where !window.has(.hidden) {
            if let view = hit(window, place) { return view.window == nil ? nil : view }
        }
        return nil
    }

    /// A2.1 to A2.6, A2.15: the lowest and front-most view that contains the place; a branch whose root does not is skipped.
    private func hit(_ view: ReferenceView, _ place: CGPoint) -> ReferenceView? {
        if view.has(.hidden) || view.has(.untouchable) || view.isControl && view.has(.disabled) { return nil }
        let (point, area) = (view.local(place), view.bounds)
        // A2.2: the left and top edge belong to the bounds, the others do not.
        if point.x < area.minX || point.x >= area.maxX || point.y < area.minY || point.y >= area.maxY { return nil }
        for subview in view.subviews.reversed() {
            if let answer = hit(subview, place) { return answer }
        }
        return view
    }

    // MARK: Telling views

    /// The phase of a touch to deliver to its view now, and the event in which that happened.
    private func news(of touch: ReferenceTouch) -> (phase: ReferenceTouch.Phase, event: Int)? {
        // B1, A5.7: its view is not to know of it, or nothing more.
        if touch.view == nil || touch.isWithheld || touch.isTaken { return nil }
        switch touch.delivered {
        case .nothing:
            return touch.phase == .cancelled || isHeld(touch, by: \.delaysBegan) ? nil : (.began, touch.beganIn)
        case .began:
            if touch.phase == .cancelled { return (.cancelled, touch.endedIn) }
            if let movedIn = touch.movedIn { return (.moved, movedIn) }
            if touch.phase != .ended || touch.isBeginning || isHeld(touch, by: \.delaysEnded) { return nil }
            return (.ended, touch.endedIn)
        case .over: return nil
        }
    }

    /// B6: while a recognizer that delays beginnings, or ends, has not decided, the view does not receive them.
    private func isHeld(_ touch: ReferenceTouch, by delays: (ReferenceGesture) -> Bool) -> Bool {
        touch.gestures.contains { delays($0) && $0.touches.contains(touch) && isUndecided($0) }
    }

    /// Delayed phases come first. Then view by view in the order in which touches began, in one call for each phase: began,
    /// moved, ended, cancelled. Interrupted touches are delivered one by one.
    func deliverToViews(of window: ReferenceView, only one: ReferenceTouch? = nil) {
        if let one {
            if one.view?.window === window { deliverGroup(of: one, alone: true) }
            return
        }
        for touch in touches where touch.view?.window === window && !touch.isUnseen {
            // A handler that releases it has it delivered at once. Apple's text gives no order.
            let held = isHeld(touch, by: touch.delivered == .nothing ? \.delaysBegan : \.delaysEnded)
            if held { touch.releasedIn = outermost }
        }
        deliverHeld()
        func isDue(_ touch: ReferenceTouch) -> Bool { touch.view?.window === window && news(of: touch) != nil }
        while let view = touches.first(where: isDue)?.view {
            func due() -> [ReferenceTouch] { touches.filter { $0.view === view && isDue($0) } }
            while let touch = due().min(by: { $0.order < $1.order }) { deliverGroup(of: touch) }
        }
        deliverHeld()
    }

    /// B6: phases that are not delayed any more are delivered before those of the event, each touch's end before the next touch,
    /// also if a handler of such a phase causes more to be delivered.
    func deliverHeld() {
        if isReleasing { return }
        isReleasing = true
        defer { isReleasing = false }
        func isDue(_ touch: ReferenceTouch) -> Bool {
            isLate(touch) && (news(of: touch)?.phase ?? .cancelled) != .cancelled
        }
        while let touch = touches.first(where: isDue) {
            deliverGroup(of: touch)
            if touch.isOver && news(of: touch) != nil { deliverGroup(of: touch) }
        }
    }

    /// Whether a touch has news of an earlier event, which was held back.
    private func isLate(_ touch: ReferenceTouch) -> Bool {
        if touch.delivered == .nothing { return touch.beganIn < outermost || touch.releasedIn == outermost }
        return touch.isOver && (touch.endedIn < outermost || touch.releasedIn == outermost)
    }

    /// A4.2: what happened to one view in one event is one call.
    private func deliverGroup(of touch: ReferenceTouch, alone: Bool = false) {
        guard let view = touch.view, let news = news(of: touch) else { return }
        let late = isLate(touch)
        let same = touches.filter { $0.view === view && isLate($0) == late && self.news(of: $0)?.event == news.event }
        deliver(view, news.phase, alone ? [touch] : same.filter { self.news(of: $0)?.phase == news.phase })
    }

    /// A3.2: one call of a touches method.
    func deliver(_ view: ReferenceView, _ phase: ReferenceTouch.Phase, _ delivered: [ReferenceTouch]) {
        for touch in delivered {
            // Apple, `delaysTouchesBegan`: the moves until a beginning that was held back are not told one by one.
            touch.movedIn = nil
            touch.isBeginning = phase == .began
            if phase == .began && touch.beganIn < outermost { touch.releasedIn = outermost }
            if phase != .moved { touch.delivered = phase == .began ? .began : .over }
        }
        call(view, "\(phase)", delivered)
        for touch in delivered { touch.isBeginning = false }
        // Apple, `delaysTouchesBegan`: a follow-up move tells where a touch is whose beginning was held back (B24).
        let moved = delivered.filter { !$0.isOver && !$0.isTaken && $0.delivered == .began && $0.place != $0.origin }
        if phase == .began && !moved.isEmpty { deliver(view, .moved, moved) }
    }

    /// A3.3, A3.4: a view that does not handle touches passes them on: to its controller, or its superview, … the window.
    private func call(_ view: ReferenceView, _ phase: String, _ delivered: [ReferenceTouch]) {
        log("\(view.name) \(phase)", delivered)
        if view.isControl { return track(view, phase, delivered) }
        if view.has(.silent) { return }
        if phase == "began", let controller = view.controllerName { log("\(controller) began", delivered) }
        if let parent = view.parent { call(parent, phase, delivered) }
    }

    // MARK: Controls

    /// B11: a control follows one touch, also where that leaves it; inside reaches 70 points beyond the bounds.
    private func track(_ control: ReferenceView, _ phase: String, _ delivered: [ReferenceTouch]) {
        if phase == "began" {
            // A handler may have cancelled the touch meanwhile.
            guard control.tracked == nil, !control.has(.disabled),
                let touch = delivered.first(where: { $0.delivered == .began && $0.phase != .cancelled })
            else { return }
            control.tracked = touch
            control.isTouchInside = true
            log("\(control.name) touchDown")
            return
        }
        guard let touch = control.tracked, delivered.contains(touch) else { return }
        if phase == "cancelled" { return cancelTracking(control) }
        let wasInside = control.isTouchInside
        let isInside = control.bounds.insetBy(dx: -70, dy: -70).contains(control.local(touch.place))
        control.isTouchInside = isInside
        let side = isInside ? "Inside" : "Outside"
        if phase == "ended" {
            control.tracked = nil
            log("\(control.name) touchUp\(side)")
            if isInside { log("\(control.name) primaryActionTriggered") }
        } else {
            if isInside != wasInside { log("\(control.name) \(isInside ? "touchDragEnter" : "touchDragExit")") }
            if control.tracked === touch { log("\(control.name) touchDrag\(side)") }
        }
    }

    /// B11: the touch is over without having been lifted, or the control was disabled.
    func cancelTracking(_ control: ReferenceView) {
        if control.tracked == nil { return }
        control.tracked = nil
        log("\(control.name) touchCancel")
    }
}
