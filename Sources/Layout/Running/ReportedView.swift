import Foundation
import TouchKit

/// What is reported of a view: a private view as a whole, never what is in it.
///
/// This file is the only place that decides it.
package struct ReportedView {
    /// The name to report: that of the nearest view with an identifier, starting with the outermost private view if there
    /// is one; nil without one.
    package private(set) var name: String?
    /// Whether the view is private or in a private one, so that no position in it is reported.
    package private(set) var isConcealed = false

    /// Looks at a view and its superviews; nil for a touch outside views.
    package init(_ view: View?) {
        // For each delivered touch. A closure of the main actor would check its thread at each view.
        var next = view
        while let view = next {
            if view.isPrivate { (name, isConcealed) = (nil, true) }
            if name == nil { name = view.identifier }
            next = view.superview
        }
    }
}

extension View {
    /// The name to report; see `ReportedView`.
    package var reportedName: String? { ReportedView(self).name }

    /// Whether the view itself may be reported; views in private ones are not.
    package var isReported: Bool { !ReportedView(superview).isConcealed }

    /// The outermost private view among this view and its ancestors, or nil.
    package var outermostPrivate: View? {
        var found: View?
        for view in withSuperviews where view.isPrivate { found = view }
        return found
    }

    // MARK: Privacy

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

extension Touch {
    /// The location in points of its window; nil in a private view.
    package var reportedLocation: CGPoint? { ReportedView(view).isConcealed ? nil : location(in: nil) }
}

extension GestureRecognizer {
    /// The layout's name for the kind of the gesture; for a program's own recognizer, the name of its type.
    package var kindName: String { GestureName(self)?.rawValue ?? "\(type(of: self))" }

    /// Its id in the layout; nil without one, and on a private view, where it may reveal the key or what was drawn.
    package var reportedID: String? {
        guard let name, !ReportedView(view).isConcealed, name != kindName else { return nil }
        return name
    }

    /// Whether its measures and positions are not reported: it is on a private view, or one of its fingers is.
    package var isConcealed: Bool {
        if ReportedView(view).isConcealed { return true }
        for touch in trackedTouches where ReportedView(touch.view).isConcealed { return true }
        return false
    }
}
