import Layout

/// How the current layout differs from its file: the answer to the request `layout`.
///
/// It does not contain the views. A client that needs them reads the file, so that a map of 50,000 seats costs touchd
/// nothing while it delivers touches.
public nonisolated struct LayoutState: Codable, Equatable, Sendable {
    /// A screen.
    public struct Screen: Codable, Equatable, Sendable {
        /// Its name, if the layout has several screens.
        public var name: String?
        /// The size in points.
        public var width, height: Double
        /// The page it shows; nil without pages.
        public var page: String?
    }

    /// The layout's path; nil if the program creates its windows itself.
    public var layout: String?
    /// Why the last reload was refused; if set, the current layout differs from the file.
    public var refusal: String?
    /// The screens in the layout's order.
    public var screens: [Screen]
    /// The views that differ from the layout file, by their ids.
    public var views: [InspectionRecord.ViewState]
}

extension LayoutState {
    /// Creates the state of a scene.
    public init(_ scene: Scene, path: String?, refusal: String?) {
        layout = path
        self.refusal = refusal
        screens = scene.document.screens.map { screen in
            Screen(
                name: screen.name, width: screen.size.width, height: screen.size.height,
                page: scene.currentPage(onScreen: screen.name))
        }
        views = scene.reportedChanges
    }
}
