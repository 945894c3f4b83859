import Foundation

nonisolated extension LayoutChecker {
    /// Views that no finger can reach: without area, outside their superview, or wholly behind a sibling.
    mutating func checkReach() {
        for screen in document.screens {
            let bounds = CGRect(origin: .zero, size: screen.size)
            let isFirst = screen == document.screens.first
            let front = document.views.filter { $0.screen == screen.name || $0.screen == nil && isFirst }
            check(front, in: bounds, named: "the screen")
            for page in document.pages where page.screen == screen.name || page.screen == nil && isFirst {
                check(page.views, in: bounds, named: "the screen", before: front)
            }
        }
    }

    private mutating func check(
        _ views: [ViewSpec], in bounds: CGRect, named superview: String, before front: [ViewSpec] = []
    ) {
        for view in views {
            let name = view.id.map { "view '\($0)'" } ?? "this view"
            let reach = view.reach
            if view.frame == .zero, hasMistakes {
                // It may be what a frame with a mistake was read as.
            } else if view.frame.isEmpty {
                warn(at: view.location, "\(name) has no area, so nothing can touch it")
            } else if !reach.intersects(bounds) {
                warn(at: view.location, "\(name) lies outside \(superview), so nothing can touch it")
            }
            let inside = CGRect(origin: .zero, size: view.frame.size).outset(by: view.slop)
            if !view.views.isEmpty { check(view.views, in: inside, named: name) }
        }
        checkCover(views, before: front)
    }

    // MARK: Behind siblings

    private mutating func checkCover(_ views: [ViewSpec], before front: [ViewSpec]) {
        guard views.count + front.count > 1 else { return }
        var covers = CoverSearch()
        for (number, view) in front.enumerated().reversed() where alwaysTakesTouches(view) {
            covers.add(view.frame, views.count + number)
        }
        for (number, view) in views.enumerated().reversed() {
            if !view.frame.isEmpty, !view.isHidden, let cover = covers.cover(of: view.reach) {
                let name = view.id.map { "view '\($0)'" } ?? "this view"
                let other = (cover < views.count ? views[cover] : front[cover - views.count]).id
                warn(
                    at: view.location,
                    "\(name) lies wholly behind \(other.map { "view '\($0)'" } ?? "a view"), so nothing can touch it")
            } else if alwaysTakesTouches(view) {
                covers.add(view.frame, number)
            }
        }
    }

    /// Whether a view always takes every touch in its frame.
    private func alwaysTakesTouches(_ view: ViewSpec) -> Bool {
        guard view.shape == .rectangle, view.transform.isIdentity, !view.isPassthrough, view.isEnabled,
            !view.isHidden, view.alpha >= 0.01
        else { return false }
        guard let id = view.id else { return true }
        return !steps.hidden.contains(id) && !steps.disabled.contains(id)
    }
}

nonisolated extension ViewSpec {
    /// Everything that can be touched of it, in its superview's coordinates.
    fileprivate var reach: CGRect {
        let reach = frame.outset(by: slop)
        guard !transform.isIdentity else { return reach }
        let centred = reach.offsetBy(dx: -frame.midX, dy: -frame.midY).applying(transform)
        return centred.offsetBy(dx: frame.midX, dy: frame.midY)
    }
}

nonisolated extension CGRect {
    /// The rectangle with its edges moved outwards.
    func outset(by insets: EdgeInsets) -> CGRect {
        CGRect(
            x: minX - insets.left, y: minY - insets.top, width: width + insets.left + insets.right,
            height: height + insets.top + insets.bottom)
    }
}
