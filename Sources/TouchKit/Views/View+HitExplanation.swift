import Foundation

/// What hit-testing did with one view, and why.
public struct HitVisit {
    /// How a view answered.
    public enum Outcome: Equatable {
        /// It is the view that is touched.
        case taken
        /// It, or what hit-testing of it answered, is a view elsewhere: one that it hands its touches to.
        case redirected(to: View)
        /// The view that is touched is in it.
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
    public var view: View
    /// How deep it lies: 0 is the view that was asked first.
    public var depth: Int
    /// What came of it.
    public var outcome: Outcome
}

extension View {
    /// Hit-tests a point and tells of each view that was asked, in that order, what came of it.
    ///
    /// After the answer follow the siblings behind it that contain the point and would have been asked otherwise. Views
    /// that override hit-testing are asked as they would be for a touch, perhaps more than once.
    /// - Parameter point: in this view's coordinates.
    public func explainHitTest(_ point: CGPoint, with event: Event? = nil) -> [HitVisit] {
        var visits: [HitVisit] = []
        explain(point, event, depth: 0, &visits)
        return visits
    }

    private func explain(_ point: CGPoint, _ event: Event?, depth: Int, _ visits: inout [HitVisit]) {
        let index = visits.count
        visits.append(HitVisit(view: self, depth: depth, outcome: .passedThrough))
        let answer = hitTest(point, with: event)
        let isInside = self.point(inside: point, with: event)
        if let answer {
            visits[index].outcome =
                answer === self ? .taken : answer.isDescendant(of: self) ? .entered : .redirected(to: answer)
        } else if let reason = reasonNotHit {
            visits[index].outcome = reason
        } else if !isInside {
            visits[index].outcome = .outside
        }
        // A view that answers for itself what is elsewhere did not ask those in it.
        guard isInside, reasonNotHit == nil, visits[index].outcome.asksSubviews else { return }
        var winner: View?
        for subview in subviews.reversed() {
            let place = subview.convert(point, from: self)
            if let winner {
                guard subview.canBeHit, subview.point(inside: place, with: event) else { continue }
                visits.append(HitVisit(view: subview, depth: depth + 1, outcome: .covered(by: winner)))
            } else {
                subview.explain(place, event, depth: depth + 1, &visits)
                if answer != nil, answer !== self, subview.hitTest(place, with: event) != nil { winner = subview }
            }
        }
    }

    /// Why hit-testing does not look at the view at all; nil if it does.
    private var reasonNotHit: HitVisit.Outcome? {
        if canBeHit { nil } else if isHidden { .hidden } else if alpha < 0.01 { .transparent } else { .disabled }
    }
}

extension HitVisit.Outcome {
    fileprivate var asksSubviews: Bool {
        if case .redirected = self { false } else { true }
    }
}
