import Layout
import TouchKit

extension View {
    /// The name to report for this view: that of the outermost private view around it, otherwise of the nearest named
    /// view.
    package var reportedName: String? {
        var view: View? = outermostPrivate ?? self
        while let candidate = view {
            if let identifier = candidate.identifier { return identifier }
            view = candidate.superview
        }
        return nil
    }
}
