import Foundation
import TouchKit

/// The areas in which touches must not be logged.
extension Scene {
    /// Whether a point of a screen, in points, is in a visible private view, whichever view receives a touch there.
    ///
    /// A disabled or fully transparent private view counts: a finger on it still shows the positions of its keys. The
    /// first call traverses all views.
    package func isPrivate(_ point: CGPoint, on screen: Screen) -> Bool {
        func isInside(_ view: View) -> Bool {
            view.window?.screen === screen && !view.withSuperviews.contains { $0.isHidden }
                && view.point(inside: view.convert(point, from: nil), with: nil)
        }
        return privateViews.contains(where: isInside)
            || slots.values.contains { $0.privateViews.contains(where: isInside) }
    }
}
