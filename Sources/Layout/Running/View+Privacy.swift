import TouchKit

extension View {
    /// The outermost private view among this view and its ancestors, or nil.
    public var outermostPrivate: View? {
        var found: View?
        var view: View? = self
        while let candidate = view {
            if candidate.isPrivate { found = candidate }
            view = candidate.superview
        }
        return found
    }
}
