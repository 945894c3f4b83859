import Foundation

/// Concealment of touches at private places: the only place that decides it.
///
/// A touch is concealed from the moment it is in a private view until it ends, and so is a gesture that had it, until the
/// gesture is reset.
extension Touch {
    /// Conceals the touch and its gestures if it is in a private view; called before anyone receives its event.
    func conceal() {
        guard !isConcealed, let privateView = view?.outermostPrivate else { return }
        reportedView = privateView
        isConcealed = true
        for recognizer in gestureRecognizers { recognizer.hadConcealedTouch = true }
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
}
