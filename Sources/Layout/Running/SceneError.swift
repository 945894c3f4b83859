/// Why a scene does not do what it was asked for.
public nonisolated enum SceneError: Error, Equatable, CustomStringConvertible {
    /// The layout has no page of this name.
    case noPage(String, nearest: String?)
    /// The layout has no view of this id.
    case noView(String, nearest: String?)
    /// The view is no toggle, so it is neither on nor off.
    case noToggle(String)
    /// Pages that appear go to others without an end.
    case pagesWithoutEnd(last: String)

    /// The reason in words.
    public var description: String {
        switch self {
        case .noPage(let name, let nearest):
            "the layout has no page named '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noView(let id, let nearest):
            "the layout has no view with the id '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .noToggle(let id): "view '\(id)' is neither on nor off; only a view with control: toggle is"
        case .pagesWithoutEnd(let last):
            "pages go to each other without an end as they appear; page '\(last)' is not shown"
        }
    }
}
