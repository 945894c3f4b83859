/// The reason why a scene rejects a command.
package nonisolated enum SceneError: Error, Equatable, CustomStringConvertible {
    /// The layout has no page with this name.
    case noPage(String, nearest: String?)
    /// The layout has no view with this id.
    case noView(String, nearest: String?)
    /// The view is not a toggle, so it cannot be on or off.
    case noToggle(String)
    /// The caller has not published the view, so it cannot move it.
    case notPublished(String)
    /// Pages that appear go to further pages endlessly.
    case pagesWithoutEnd(last: String)

    /// A description of the reason.
    package var description: String {
        switch self {
        case .noPage(let name, let nearest):
            "the layout has no page named '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noView(let id, let nearest):
            "the layout has no view with the id '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noToggle(let id): "view '\(id)' cannot be on or off; only a view with control: toggle can"
        case .notPublished(let id):
            "view '\(id)' was not published by this connection; only its publisher can move it"
        case .pagesWithoutEnd(let last):
            "pages show each other without end; page '\(last)' is not shown"
        }
    }
}
