import Foundation

/// Why hit-testing skips a view with its descendants (A2.5).
struct HitObstacles: OptionSet {
    let rawValue: UInt8

    static let hidden = HitObstacles(rawValue: 1)
    static let transparent = HitObstacles(rawValue: 2)
    static let notInteractive = HitObstacles(rawValue: 4)
    /// A control that is not enabled.
    static let disabled = HitObstacles(rawValue: 8)

    mutating func set(_ obstacle: HitObstacles, _ isThere: Bool) {
        if isThere { insert(obstacle) } else { remove(obstacle) }
    }
}

/// The hit-testing rule for everything in a view that contains the point (A2.3, A2.4).
extension View {
    /// The alpha below which a view is invisible, so that hit-testing skips it (A2.5). UIKit's limit.
    package nonisolated static let minimumAlpha: CGFloat = 0.01

    /// Whether hit-testing considers the view.
    package var canBeHit: Bool { obstacles.isEmpty }

    /// Returns the front-most and deepest view that contains the point: a descendant or this view.
    func hitInside(_ point: CGPoint, with event: Event?) -> View {
        if let grid = gridForSearch { return grid.hit(point, with: event, in: self) ?? self }
        // A loop instead of recursion: 100,000 nested views need no stack, and no references are counted.
        // `unowned(unsafe)` is safe: the tree keeps each view alive, and nothing changes the tree until a program's
        // method is called.
        unowned(unsafe) var view = self
        var (list, point) = (subviews, point)
        var place = list.count
        while place > 0 {
            place -= 1
            switch list[place].answer(to: point) {
            case .outside: continue
            case .inside(let inside):
                if list[place].subviews.isEmpty { return list[place] }
                if list[place].subviews.count >= SubviewGrid.threshold {
                    return list[place].hitInside(inside, with: event)
                }
                view = list[place]
                list = view.subviews
                point = inside
                place = list.count
            case .asks:
                let superview = view
                return Self.hit(list, before: place + 1, point, with: event) ?? superview
            }
        }
        return view
    }

    /// Hit-tests the views before an index, from front to back; the point is in their superview's coordinates.
    static func hit(_ list: [View], before end: Int, _ point: CGPoint, with event: Event?) -> View? {
        for place in (0..<end).reversed() {
            if let hit = list[place].hit(fromSuperview: point, with: event) { return hit }
        }
        return nil
    }

    /// Hit-tests one subview; the point is in its superview's coordinates.
    @inline(__always)
    func hit(fromSuperview point: CGPoint, with event: Event?) -> View? {
        switch answer(to: point) {
        case .outside: nil
        case .inside(let inside): hitInside(inside, with: event)
        case .asks: hitTest(geometry.fromSuperview(point), with: event)
        }
    }

    /// A view's result, as far as it is known without calling its methods.
    private enum Answer {
        /// Neither the view nor a subview.
        case outside
        /// The view or a subview; the point is in the view's coordinates.
        case inside(CGPoint)
        /// The result depends on its overridden methods.
        case asks
    }

    @inline(__always)
    private func answer(to point: CGPoint) -> Answer {
        guard isHitTestedPlainly else { return .asks }
        guard obstacles.isEmpty, let inside = geometry.pointInside(fromSuperview: point) else { return .outside }
        #if DEBUG
            checkDeclaration(at: inside)
        #endif
        return .inside(inside)
    }

    #if DEBUG
        private static var isChecking = false

        /// Reports a class that declares `hitTestsByBounds` although its methods return another view.
        private func checkDeclaration(at point: CGPoint) {
            guard !Self.isChecking, let report = window?.application?.didReport else { return }
            let type = type(of: self)
            if type == type.classOfModule { return }
            // The check of a view includes its subviews, so they are not checked again.
            Self.isChecking = true
            defer { Self.isChecking = false }
            if hitTest(point, with: nil) !== hitInside(point, with: nil) {
                report(.hitTestOverridden(class: String(describing: type)))
            }
        }
    #endif

    /// The grid of the subviews, created at the first search of a view with many subviews.
    private var gridForSearch: SubviewGrid? {
        if let subviewGrid { return subviewGrid }
        guard subviews.count >= SubviewGrid.threshold else { return nil }
        subviewGrid = SubviewGrid(of: subviews)
        return subviewGrid
    }
}

/// Updates of the grid that contains a view.
extension View {
    /// Removes the grid of the subviews before many of them move: the next search creates it in less time than updates take.
    package func forgetSubviewGrid() { subviewGrid = nil }

    /// Creates the grid of the subviews before the first search.
    package func createSubviewGrid() { _ = gridForSearch }

    /// Updates the grid after a change of the view's geometry or of `isHitTestedPlainly`.
    func noteHitTestChange() { superview?.subviewGrid?.update(self) }

    /// Updates the grid after a subview was inserted.
    func noteInsertion(of view: View, at place: Int) {
        markForLayout()
        if view.isMarkedForLayout { noteLayoutBelow() }
        insertIntoGrid(view, at: place)
    }

    /// Updates the grid before a subview is removed.
    func noteRemoval(of view: View) {
        markForLayout()
        subviewGrid?.remove(view)
    }

    /// Moves a subview to another index.
    func moveSubview(from old: Int, to new: Int) {
        guard old != new else { return }
        let view = subviews[old]
        subviewGrid?.remove(view)
        subviews.remove(at: old)
        subviews.insert(view, at: new)
        insertIntoGrid(view, at: new)
    }

    private func insertIntoGrid(_ view: View, at place: Int) {
        guard let subviewGrid, !subviewGrid.insert(view, at: place, of: subviews) else { return }
        self.subviewGrid = nil
    }
}
