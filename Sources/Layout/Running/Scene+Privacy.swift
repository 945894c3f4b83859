import Foundation
import TouchKit

/// Which places nothing is to be told of.
extension Scene {
    /// Whether a point of a screen, in points, lies in a private view that is shown, whatever takes a touch there.
    ///
    /// One that is disabled or wholly transparent counts: a finger that is on it still shows where its keys are pressed.
    /// The first call looks through all views.
    public func isPrivate(_ point: CGPoint, on screen: Screen) -> Bool {
        for view in privateViews where view.window?.screen === screen && isShown(view) {
            if view.point(inside: view.convert(point, from: nil), with: nil) { return true }
        }
        return false
    }

    /// The private views that are in no other one: nothing of a view is touched outside of it.
    func outermostPrivateViews() -> [View] {
        var found: [View] = []
        var waiting: [View] = pages.values.map(\.view) + windows
        while let view = waiting.popLast() {
            guard view.isPrivate else {
                waiting += view.subviews
                continue
            }
            // A page that is shown is met in its window too.
            if !found.contains(where: { $0 === view }) { found.append(view) }
        }
        return found
    }

    private func isShown(_ view: View) -> Bool {
        var candidate: View? = view
        while let view = candidate {
            if view.isHidden { return false }
            candidate = view.superview
        }
        return true
    }
}
