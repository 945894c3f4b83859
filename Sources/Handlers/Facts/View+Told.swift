import Layout
import TouchKit

extension View {
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
