import Layout
import TouchKit

extension View {
    /// The name to report for this view: that of the outermost private view around it, otherwise of the nearest named
    /// view.
    package var reportedName: String? {
        for view in (outermostPrivate ?? self).withSuperviews { if let name = view.identifier { return name } }
        return nil
    }
}
