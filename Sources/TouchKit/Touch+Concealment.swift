import Foundation

/// Concealment of touches at private places: the only place that decides it.
///
/// A touch is concealed from the moment it is in a private view, or over one, until it ends, whichever view receives it. So
/// is a gesture that had the touch, until the gesture is reset.
extension Touch {
    /// Conceals the touch and its gestures if it is at a private place; called before anyone receives its event.
    ///
    /// - Parameter privateView: The private view at its location; nil for none.
    func conceal(over privateView: View?) {
        guard !isConcealed else { return }
        let isNew = phase == .began
        if isNew, let around = view?.outermostPrivate {
            reportedView = around
        } else if let privateView {
            // The view behind a disabled key, or between two keys, would reveal that none of them received the touch.
            if isNew, view?.isInFront(of: privateView) != true { reportedView = privateView }
        } else {
            return
        }
        isConcealed = true
        for recognizer in recognizers { recognizer.hadConcealedTouch = true }
    }
}

extension View {
    /// The outermost private view among this view and its ancestors, or nil.
    package var outermostPrivate: View? {
        var found: View?
        var next: View? = self
        while let view = next {
            if view.isPrivate { found = view }
            next = view.superview
        }
        return found
    }

    /// Whether the view covers another one, or the other is in no window any more; false for a view that contains the other.
    fileprivate func isInFront(of other: View) -> Bool {
        var own = self
        while !other.isDescendant(of: own) {
            guard let superview = own.superview else { return true }
            if other.isDescendant(of: superview) {
                // Later subviews are in front.
                let order = superview.subviews.filter { $0 === own || other.isDescendant(of: $0) }
                return order.last === own
            }
            own = superview
        }
        return false
    }
}
