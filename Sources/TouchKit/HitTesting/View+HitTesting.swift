import Foundation

/// Hit-testing below a view that contains the point.
extension View {
    /// How many views must be in a view before it is given an index: below, asking them in turn is as quick.
    static let indexedDescendants = 24

    /// Answers as `hitTest(_:with:)` does, for a view that is hit-tested plainly and contains the point.
    func hitInside(_ point: CGPoint, with event: Event?) -> View {
        if let index = indexForSearch { return index.search(point, with: event, below: self) ?? self }
        return hitInsideInTurn(point, with: event)
    }

    /// The same by asking one subview after another: plain ones here, where none of a program's methods is called, so that
    /// no view need be counted as one more in use; from one that overrides hit-testing on, `hit` does it.
    private func hitInsideInTurn(_ point: CGPoint, with event: Event?) -> View {
        // Safe, as the tree keeps each and nothing changes it on the way; who calls a program's method keeps the view first.
        unowned(unsafe) var view = self
        var (list, point) = (subviews, point)
        var place = list.count
        while place > 0 {
            place -= 1
            switch list[place].plainAnswer(point) {
            case .outside: continue
            case .inside(let inside):
                if list[place].subviews.isEmpty { return list[place] }
                if list[place].descendantCount >= Self.indexedDescendants {
                    return list[place].hitInside(inside, with: event)
                }
                view = list[place]
                list = view.subviews
                point = inside
                place = list.count
            case .asks:
                let asked = view
                return Self.hit(list, before: place + 1, point, with: event) ?? asked
            }
        }
        return view
    }

    /// The answer of the front-most subview that has one, found by asking one after another, as an index must agree with.
    func hitSubviewsInTurn(_ point: CGPoint, with event: Event?) -> View? {
        Self.hit(subviews, before: subviews.count, point, with: event)
    }

    /// Asks the views before a place in a list, the last first; the point is in their superview's coordinates.
    static func hit(_ list: [View], before end: Int, _ point: CGPoint, with event: Event?) -> View? {
        var place = end
        while place > 0 {
            place -= 1
            // Not kept in a variable, so that a view that is passed over is not counted as one more in use.
            switch list[place].plainAnswer(point) {
            case .outside: continue
            case .inside(let inside): return list[place].hitInside(inside, with: event)
            case .asks:
                if let hit = list[place].hitTest(list[place].convertFromSuperview(point), with: event) { return hit }
            }
        }
        return nil
    }

    /// What is known of a view's answer without calling its methods.
    private enum PlainAnswer {
        /// Nil.
        case outside
        /// A view: this one or one in it; with the point in its coordinates.
        case inside(CGPoint)
        /// Nothing, as it overrides them.
        case asks
    }

    @inline(__always)
    private func plainAnswer(_ point: CGPoint) -> PlainAnswer {
        guard isHitTestedPlainly else { return .asks }
        guard isHittable, let inside = geometry.pointInside(fromSuperview: point) else { return .outside }
        return .inside(inside)
    }

    /// The index of the views below this one, made when it is first worth while; a view that is in an index itself is
    /// found there, and needs none.
    private var indexForSearch: HitTestIndex? {
        if let ownIndex { return ownIndex }
        guard descendantCount >= Self.indexedDescendants, outerIndex?.isMember(self) != true else { return nil }
        let index = HitTestIndex(below: self)
        ownIndex = index
        return index
    }
}

/// What the tree tells the indexes it is in.
extension View {
    /// The index in which the views directly below this one are; nil if there is none.
    private var indexOfSubviews: HitTestIndex? {
        if let ownIndex { return ownIndex }
        guard let outerIndex, outerIndex.isMember(self) else { return nil }
        return outerIndex
    }

    /// Takes note that the view moved, or is hit-tested otherwise than before.
    func noteHitTestChange() { outerIndex?.noteChange(of: self) }

    /// Takes note that whether hit-testing looks at the view may have changed.
    func noteHittableChange() {
        // What overrides answer is asked for when a touch is looked for, and not before.
        guard isHitTestedPlainly, isHittable != canBeHit else { return }
        isHittable.toggle()
        noteHitTestChange()
    }

    /// Takes note of a view that was put among the subviews.
    func noteInsertion(of view: View, at place: Int) {
        adjustDescendantCount(by: 1 + view.descendantCount)
        setNeedsLayout()
        if view.isMarkedForLayout { noteLayoutBelow() }
        indexOfSubviews?.insert(view, at: place, of: self)
        outerIndex?.noteContents(of: self)
    }

    /// Takes note that a view is about to leave the subviews.
    func noteRemoval(of view: View) {
        adjustDescendantCount(by: -1 - view.descendantCount)
        setNeedsLayout()
        indexOfSubviews?.remove(view)
    }

    /// Puts a subview at another place among the subviews.
    func moveSubview(from old: Int, to new: Int) {
        guard old != new else { return }
        let index = indexOfSubviews
        let view = subviews[old]
        index?.remove(view)
        subviews.remove(at: old)
        subviews.insert(view, at: new)
        index?.insert(view, at: new, of: self)
    }

    private func adjustDescendantCount(by change: Int) {
        var view: View? = self
        while let current = view {
            current.descendantCount += change
            view = current.superview
        }
    }
}
