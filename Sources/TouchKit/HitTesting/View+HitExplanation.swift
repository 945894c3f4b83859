import Foundation

/// What hit-testing did with one view, and why.
package struct HitVisit {
    /// How a view answered.
    package enum Outcome: Equatable {
        /// It is the view that is touched.
        case taken
        /// It answered a view elsewhere, which it hands its touches to.
        case redirected(to: View)
        /// The answer came from a view in it.
        case entered
        /// The point is in it, and neither it nor a view in it takes touches there.
        case passedThrough
        /// It is hidden.
        case hidden
        /// Its alpha is below 0.01.
        case transparent
        /// It does not take touches (`isUserInteractionEnabled`, or a control's `isEnabled`).
        case disabled
        /// The point is outside it, so that nothing in it was asked either.
        case outside
        /// It was not asked, as a view in front of it took the touch; the point is in it.
        case covered(by: View)
    }

    /// The view.
    package var view: View
    /// How deep it lies: 0 is the view that was asked first.
    package var depth: Int
    /// What came of it.
    package var outcome: Outcome
}

extension View {
    /// Hit-tests a point and tells of each view that was asked, in that order, what came of it.
    ///
    /// After the answer follow the siblings behind it that contain the point and would have been asked otherwise. Views
    /// that override hit-testing are asked as they would be for a touch, perhaps more than once.
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

    /// Why hit-testing does not look at the view at all; nil if it does.
    private var reasonNotHit: HitVisit.Outcome? {
        if canBeHit { nil } else if isHidden { .hidden } else if alpha < 0.01 { .transparent } else { .disabled }
    }
}
