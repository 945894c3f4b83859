import TouchKit

/// Finds the layout's entry of a view by its position in the tree, so that 50,000 views need no reference to it.
///
/// It caches the entries of one superview's subviews; the tree must not change during its lifetime.
final class SpecLookup {
    private let scene: Scene
    private var specs: [ObjectIdentifier: [ObjectIdentifier: ViewSpec]] = [:]

    init(_ scene: Scene) { self.scene = scene }

    /// The entry of a view; nil for a view that a program added.
    func spec(of view: View) -> ViewSpec? {
        guard let superview = view.superview else { return nil }
        let key = ObjectIdentifier(superview)
        let known = specs[key] ?? entries(of: superview)
        specs[key] = known
        return known[ObjectIdentifier(view)]
    }

    private func entries(of superview: View) -> [ObjectIdentifier: ViewSpec] {
        let siblings: [ViewSpec]
        var views = superview.subviews
        if superview is SlotContent {
            siblings = scene.slot(of: superview)?.specs ?? []
        } else if let page = scene.pages.values.first(where: { $0.view === superview }) {
            siblings = page.page.views
        } else if let number = scene.windows.firstIndex(where: { $0 === superview }) {
            let screens = scene.document.screens
            siblings = scene.document.views.filter { spec in
                (screens.firstIndex { $0.name == spec.screen } ?? 0) == number
            }
            let pages = Set(scene.pages.values.map { ObjectIdentifier($0.view) })
            views.removeAll { pages.contains(ObjectIdentifier($0)) }
        } else {
            siblings = spec(of: superview)?.views ?? []
        }
        let pairs = zip(views, siblings).filter { $0.identifier == $1.id }
        return Dictionary(uniqueKeysWithValues: pairs.map { (ObjectIdentifier($0), $1) })
    }
}
