import Layout

/// How the layout at work differs from its file, as the request `layout` answers it.
///
/// The views themselves are not in it: whoever wants them reads the file, so that a map of 50,000 seats costs touchd
/// nothing while fingers are on it.
public nonisolated struct LayoutState: Codable, Equatable, Sendable {
    /// A screen.
    public struct Screen: Codable, Equatable, Sendable {
        /// Its name, where the layout has several.
        public var name: String?
        /// Points.
        public var width, height: Double
        /// The page it shows; nil where it has none.
        public var page: String?
    }

    /// The layout's path; nil where a program builds its windows itself.
    public var layout: String?
    /// Why the layout was not replaced when that was last tried; while it is there, the file is not what is at work.
    public var refusal: String?
    /// The screens in the layout's order.
    public var screens: [Screen]
    /// The views that are not as the file has them, by their ids.
    public var views: [InspectionRecord.ViewState]
}

extension LayoutState {
    /// Takes the state of a scene.
    public init(_ scene: Scene, path: String?, refusal: String?) {
        layout = path
        self.refusal = refusal
        screens = scene.document.screens.map { screen in
            Screen(
                name: screen.name, width: screen.size.width, height: screen.size.height,
                page: scene.currentPage(onScreen: screen.name))
        }
        views = scene.toldChanges
    }
}
