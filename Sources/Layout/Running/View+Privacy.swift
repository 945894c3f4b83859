import TouchKit

extension View {
    /// The private views without private ancestors. They are sufficient, because no part of a view is touchable outside
    /// of it.
    static func outermostPrivateViews(in roots: [View]) -> [View] {
        var found: [View] = []
        var waiting = roots
        while let view = waiting.popLast() {
            // Its views come and go; the slot has the private ones.
            if view is SlotContent { continue }
            guard view.isPrivate else {
                waiting += view.subviews
                continue
            }
            // The search also finds a visible page through its window.
            if !found.contains(where: { $0 === view }) { found.append(view) }
        }
        return found
    }
}
