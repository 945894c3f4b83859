import Foundation

/// Hit-testing, the responder chain, and the calls that views and controls receive.
extension Reference {
    // MARK: Hit-testing

    /// B17: the front-most window that returns a view.
    func frontmost(at place: CGPoint) -> ReferenceView? {
        for window in views.reversed() where window.isWindow && !window.has(.hidden) {
            if let view = hit(window, place) { return view.window == nil ? nil : view }
        }
        return nil
    }

    /// A2.1 to A2.6, A2.15: the lowest and front-most view that contains the point; a branch whose root does not
    /// contain it is skipped.
    private func hit(_ view: ReferenceView, _ place: CGPoint) -> ReferenceView? {
        log("\(view.name) hitTest")
        var answer: ReferenceView?
        if canBeHit(view) && contains(view, place) {
            for subview in view.subviews.reversed() {
                answer = hit(subview, place)
                if answer != nil { break }
            }
            if answer == nil { answer = view }
        }
        // A2.9: an override that returns nil for itself.
        return answer === view && view.has(.passing) ? nil : answer
    }

    /// A2.5: never hit, and not asked whether the point is inside.
    private func canBeHit(_ view: ReferenceView) -> Bool {
        if view.has(.hidden) || view.has(.untouchable) || view.has(.transparent) { return false }
        return !(view.isControl && view.has(.disabled))
    }

    /// A2.2: the left and top edges belong to the bounds, the others do not. A2.11: an override enlarges the view.
    private func contains(_ view: ReferenceView, _ place: CGPoint) -> Bool {
        let point = view.local(place)
        let area = view.has(.larger) ? view.bounds.insetBy(dx: -32, dy: -32) : view.bounds
        return point.x >= area.minX && point.x < area.maxX && point.y >= area.minY && point.y < area.maxY
    }

    // MARK: Calling views

    /// The phase of a touch that its view must receive now, and the event in which it happened.
    private func news(of touch: ReferenceTouch) -> (phase: ReferenceTouch.Phase, event: Int)? {
        // B1, A5.7: the view does not receive it, or nothing more of it.
        if touch.view == nil || touch.isWithheld || touch.isTaken { return nil }
        switch touch.told {
        case .nothing:
            if touch.phase == .cancelled || isBeginningHeld(touch) { return nil }
            return (.began, touch.beganIn)
        case .began:
            if touch.phase == .cancelled { return (.cancelled, touch.endedIn) }
            if let movedIn = touch.movedIn { return (.moved, movedIn) }
            if touch.phase == .ended && !isEndHeld(touch) { return (.ended, touch.endedIn) }
            return nil
        case .over: return nil
        }
    }

    /// B6: while a recognizer that delays begins has not decided, the view does not receive the touch.
    private func isBeginningHeld(_ touch: ReferenceTouch) -> Bool {
        touch.gestures.contains { $0.delaysBegan && $0.touches.contains { $0 === touch } && isUndecided($0) }
    }

    /// B6: while a recognizer that delays ends has not decided, the view does not receive the end.
    private func isEndHeld(_ touch: ReferenceTouch) -> Bool {
        touch.gestures.contains { $0.delaysEnded && $0.touches.contains { $0 === touch } && isUndecided($0) }
    }

    /// Delayed phases come first. Then each view in the order in which touches began, in one call per phase: began,
    /// moved, ended, cancelled. Interrupted touches are delivered one by one.
    func tellViews(of window: ReferenceView, only one: ReferenceTouch? = nil) {
        if let one {
            if one.view?.window === window { tellGroup(of: one, alone: true) }
            return
        }
        tellHeld(of: window)
        func isDue(_ touch: ReferenceTouch) -> Bool { touch.view?.window === window && news(of: touch) != nil }
        while let view = touches.first(where: isDue)?.view {
            while let touch = touches.filter({ $0.view === view && isDue($0) })
                .min(by: {
                    ($0.told == .nothing ? 0 : $0.phase.rawValue) < ($1.told == .nothing ? 0 : $1.phase.rawValue)
                })
            {
                tellGroup(of: touch)
            }
        }
        tellHeld(of: window)
    }

    /// B6: released phases are delivered before those of the event, each touch's end before the next touch.
    func tellHeld(of window: ReferenceView) {
        func isDue(_ touch: ReferenceTouch) -> Bool {
            guard touch.view?.window === window, isLate(touch), let news = news(of: touch) else { return false }
            return news.phase != .cancelled
        }
        while let touch = touches.first(where: isDue) {
            tellGroup(of: touch)
            if touch.isOver && news(of: touch) != nil { tellGroup(of: touch) }
        }
    }

    /// Whether a touch has an undelivered phase of an earlier event, which was delayed.
    private func isLate(_ touch: ReferenceTouch) -> Bool {
        if touch.told == .nothing { return touch.beganIn < outermost }
        return touch.isOver && (touch.endedIn < outermost || touch.releasedIn == outermost)
    }

    /// A4.2: the changes to one view in one event are one call.
    private func tellGroup(of touch: ReferenceTouch, alone: Bool = false) {
        guard let view = touch.view, let news = news(of: touch) else { return }
        let isLate = isLate(touch)
        tell(
            view, news.phase,
            touches.filter { other in
                alone
                    ? other === touch
                    : other.view === view && (other === touch || self.isLate(other) == isLate)
                        && self.news(of: other).map { $0 == news } == true
            })
    }

    /// A3.2: one call of a touches method.
    func tell(_ view: ReferenceView, _ phase: ReferenceTouch.Phase, _ told: [ReferenceTouch]) {
        for touch in told {
            switch phase {
            // Apple, `delaysTouchesBegan`: a move may follow a delayed begin; the begin includes it.
            case .began:
                if touch.beganIn < outermost { touch.releasedIn = outermost }
                (touch.told, touch.movedIn) = (.began, nil)
            case .moved: touch.movedIn = nil
            default: touch.told = .over
            }
        }
        call(view, "\(phase)", told)
    }

    /// A3.3, A3.4: a view that does not handle touches passes them on: to its controller, or its superview, … the window, and
    /// the application.
    private func call(_ view: ReferenceView, _ phase: String, _ told: [ReferenceTouch]) {
        log("\(view.name) \(phase)", told)
        if view.isControl { return track(view, phase, told) }
        if view.has(.silent) { return }
        if let controller = view.controllerName { log("\(controller) \(phase)", told) }
        if let parent = view.parent {
            call(parent, phase, told)
        } else if view.isWindow {
            log("application \(phase)", told)
        }
    }

    // MARK: Controls

    /// B11: a control tracks one touch, even outside its bounds; inside extends 70 points beyond the bounds.
    private func track(_ control: ReferenceView, _ phase: String, _ told: [ReferenceTouch]) {
        if phase == "began" {
            // A handler may have cancelled the touch meanwhile.
            guard control.tracked == nil, !control.has(.disabled),
                let touch = told.first(where: { $0.told == .began && $0.phase != .cancelled })
            else { return }
            control.tracked = touch
            control.isTouchInside = true
            log("\(control.name) touchDown")
            return
        }
        guard let touch = control.tracked, told.contains(where: { $0 === touch }) else { return }
        if phase == "cancelled" { return cancelTracking(control) }
        let wasInside = control.isTouchInside
        let isInside = control.bounds.insetBy(dx: -70, dy: -70).contains(control.local(touch.place))
        control.isTouchInside = isInside
        if phase == "ended" {
            control.tracked = nil
            log("\(control.name) \(isInside ? "touchUpInside" : "touchUpOutside")")
            if isInside && control.plan.kind == .button { log("\(control.name) primaryActionTriggered") }
        } else {
            if isInside != wasInside { log("\(control.name) \(isInside ? "touchDragEnter" : "touchDragExit")") }
            if control.tracked === touch {
                log("\(control.name) \(isInside ? "touchDragInside" : "touchDragOutside")")
            }
        }
    }

    /// B11: the touch ended without a lift, or the control was disabled.
    func cancelTracking(_ control: ReferenceView) {
        if control.tracked == nil { return }
        control.tracked = nil
        log("\(control.name) touchCancel")
    }
}
