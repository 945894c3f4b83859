import TouchKit

extension View {
    /// The outermost private view that this one is in, itself included; nil where nothing is private.
    public var outermostPrivate: View? {
        var found: View?
        var view: View? = self
        while let candidate = view {
            if candidate.isPrivate { found = candidate }
            view = candidate.superview
        }
        return found
    }

    /// The name under which the view is spoken of: that of the nearest named view at or above it, or of the outermost
    /// private one, as nothing says which view in that was meant.
    public var toldName: String? {
        var view: View? = outermostPrivate ?? self
        while let candidate = view {
            if let identifier = candidate.identifier { return identifier }
            view = candidate.superview
        }
        return nil
    }
}
