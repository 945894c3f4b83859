import Foundation
import TouchKit

/// What outputs report of a view, a touch or a gesture: a private view as a whole, never what is in it.
///
/// All outputs ask this type. Whether a touch is concealed was decided when it came to a private place
/// (TouchKit's `Touch.conceal(over:)`).
package struct ReportedView {
    /// The name to report: that of the nearest view with an identifier, starting with the outermost private view if there
    /// is one; nil without one.
    package private(set) var name: String?
    /// Whether no position or measure is reported.
    package private(set) var isConcealed: Bool

    /// Looks at a view and its superviews; nil for what is outside views.
    package init(_ view: View?) {
        let privateView = view?.outermostPrivate
        name = Self.name(of: privateView ?? view)
        isConcealed = privateView != nil
    }

    package init(_ touch: Touch) {
        name = Self.name(of: touch.reportedView)
        isConcealed = touch.isConcealed
    }

    package init(_ gesture: GestureRecognizer) {
        self.init(gesture.view)
        if gesture.hadConcealedTouch { isConcealed = true }
    }

    /// - Parameter touch: The touch that changed the control.
    package init(_ control: Control, _ touch: Touch?) {
        self.init(control)
        if touch?.isConcealed == true { isConcealed = true }
    }

    private static func name(of view: View?) -> String? {
        // For each delivered touch. A closure of the main actor would check its thread at each view.
        var next = view
        while let view = next {
            if let name = view.accessibilityIdentifier { return name }
            next = view.superview
        }
        return nil
    }
}

extension View {
    /// The name to report; see `ReportedView`.
    package var reportedName: String? { ReportedView(self).name }

    /// Whether the view itself may be reported; views in private ones are not.
    package var isReported: Bool { !ReportedView(superview).isConcealed }
}

extension Touch {
    /// The location in points of its window; nil for a concealed touch.
    package var reportedLocation: CGPoint? { isConcealed ? nil : location(in: nil) }
}

extension GestureRecognizer {
    /// The layout's name for the kind of the gesture; for a program's own recognizer, the name of its type.
    package var kindName: String { GestureName(self)?.rawValue ?? "\(type(of: self))" }

    /// Its id in the layout; nil without one, and on a private view, where it may reveal the key or what was drawn.
    package var reportedID: String? {
        guard let name, !ReportedView(view).isConcealed, name != kindName else { return nil }
        return name
    }
}
