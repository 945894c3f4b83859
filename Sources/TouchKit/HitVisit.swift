import Foundation

/// The result of hit-testing one view, with the reason.
package struct HitVisit {
    /// The result for a view.
    package enum Outcome: Equatable {
        /// The view receives the touch.
        case taken
        /// The view returned a view outside its subtree, which receives the touch.
        case redirected(to: View)
        /// A subview returned the result.
        case entered
        /// The point is inside, but neither the view nor a subview accepts touches there.
        case passedThrough
        /// The view is hidden.
        case hidden
        /// Its alpha is below 0.01.
        case transparent
        /// The view does not accept touches (`isUserInteractionEnabled`, or a control's `isEnabled`).
        case disabled
        /// The point is outside the view, so its subviews were not tested either.
        case outside
        /// The point is inside the view, but a view in front of it received the touch first.
        case covered(by: View)
    }

    /// The view.
    package var view: View
    /// The depth in the tree: 0 is the view at which the test started.
    package var depth: Int
    /// The result.
    package var outcome: Outcome
}

extension View {
    /// Hit-tests a point and returns the result for each tested view, in order.
    ///
    /// The list ends with the siblings behind the hit view that contain the point and would otherwise have been tested.
    /// Overrides of hit-testing are called as for a touch, perhaps more than once.
    /// - Parameter point: in this view's coordinates.
    package func explainHitTest(_ point: CGPoint, with event: Event? = nil) -> [HitVisit] {
        var visits: [HitVisit] = []
        explain(point, event, depth: 0, &visits)
        return visits
    }

    private func explain(_ point: CGPoint, _ event: Event?, depth: Int, _ visits: inout [HitVisit]) {
        let index = visits.count
        visits.append(HitVisit(view: self, depth: depth, outcome: .passedThrough))
        if let reason = reasonNotHit ?? (self.point(inside: point, with: event) ? nil : .outside) {
            visits[index].outcome = reason
            return
        }
        let answer = hitTest(point, with: event)
        var winner: View?
        for subview in subviews.reversed() {
            let place = subview.convert(point, from: self)
            if let winner {
                guard subview.canBeHit, subview.point(inside: place, with: event) else { continue }
                visits.append(HitVisit(view: subview, depth: depth + 1, outcome: .covered(by: winner)))
            } else {
                subview.explain(place, event, depth: depth + 1, &visits)
                if let answer, answer !== self, subview.hitTest(place, with: event) === answer { winner = subview }
            }
        }
        guard let answer else { return }
        visits[index].outcome = winner != nil ? .entered : answer === self ? .taken : .redirected(to: answer)
    }

    /// The reason why hit-testing skips the view; nil if it does not.
    private var reasonNotHit: HitVisit.Outcome? {
        if canBeHit {
            nil
        } else if obstacles.contains(.hidden) {
            .hidden
        } else {
            obstacles.contains(.transparent) ? .transparent : .disabled
        }
    }
}
