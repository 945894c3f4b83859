/// The reason why a scene rejects a command.
public nonisolated enum SceneError: Error, Equatable, CustomStringConvertible {
    /// The layout has no page with this name.
    case noPage(String, nearest: String?)
    /// The layout has no view with this id.
    case noView(String, nearest: String?)
    /// The view is not a toggle, so it cannot be on or off.
    case noToggle(String)
    /// Pages that appear go to further pages endlessly.
    case pagesWithoutEnd(last: String)

    /// A description of the reason.
    public var description: String {
        switch self {
        case .noPage(let name, let nearest):
            "the layout has no page named '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noView(let id, let nearest):
            "the layout has no view with the id '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noToggle(let id): "view '\(id)' cannot be on or off; only a view with control: toggle can"
        case .pagesWithoutEnd(let last):
            "pages show each other without end; page '\(last)' is not shown"
        }
    }
}
