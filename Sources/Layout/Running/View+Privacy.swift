import TouchKit

extension View {
    /// The outermost private view that contains this one, which may be the view itself; nil if there is none.
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
