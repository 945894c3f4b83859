/// The reason why a scene rejects a command.
package nonisolated enum SceneError: Error, Equatable, CustomStringConvertible {
    /// The layout has no such page or view.
    case unknown(UnknownName)
    /// The view is not a toggle, so it cannot be on or off.
    case noToggle(String)
    /// The caller has not published the view, so it cannot move it.
    case notPublished(String)
    /// The layout has no `accommodations:`.
    case noAccommodations
    /// The layout has no label in this language.
    case noLanguage(String)
    /// Pages that appear go to further pages endlessly.
    case pagesWithoutEnd(last: String)

    /// A description of the reason.
    package var description: String {
        switch self {
        case .unknown(let name): name.description
        case .noToggle(let id): "view '\(id)' cannot be on or off; only a view with control: toggle can"
        case .notPublished(let id):
            "view '\(id)' was not published by this connection; only its publisher can move it"
        case .noAccommodations:
            "the layout has no 'accommodations' to turn on; add accommodations: {ignore-repeat: 500ms}"
        case .noLanguage(let language):
            "no label is in '\(language)'; add it to the labels, such as label: {\(language): …}"
        case .pagesWithoutEnd(let last):
            "pages show each other without end; page '\(last)' is not shown"
        }
    }
}
