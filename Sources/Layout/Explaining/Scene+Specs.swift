import TouchKit

/// What the layout says of the parts of a scene.
extension Scene {
    /// The layout's entry that a view was made of; nil for one that a program added.
    ///
    /// It is found by the view's place in the tree, so that 50,000 views need not remember theirs.
    public func spec(of view: View) -> ViewSpec? {
        guard let superview = view.superview else { return nil }
        let siblings: [ViewSpec]
        var views = superview.subviews
        if let page = pages.values.first(where: { $0.view === superview }) {
            siblings = page.page.views
        } else if let number = windows.firstIndex(where: { $0 === superview }) {
            siblings = document.views.filter { spec in
                (document.screens.firstIndex { $0.name == spec.screen } ?? 0) == number
            }
            views.removeAll { view in pages.values.contains { $0.view === view } }
        } else {
            siblings = spec(of: superview)?.views ?? []
        }
        guard let index = views.firstIndex(where: { $0 === view }), siblings.indices.contains(index),
            siblings[index].id == view.identifier
        else { return nil }
        return siblings[index]
    }

    /// What a responder is called in explanations: a view by its id or its place in the file.
    public func name(of responder: Responder) -> String {
        switch responder {
        case let window as Window:
            let number = windows.firstIndex { $0 === window }
            return number.flatMap { document.screens[$0].name }.map { "window of screen '\($0)'" } ?? "window"
        case let controller as ViewController: return page(of: controller).map { "page '\($0)'" } ?? "page"
        case let view as View:
            if pages.values.contains(where: { $0.view === view }) { return "the page's own view" }
            if let id = view.identifier { return "view '\(id)'" }
            return spec(of: view).map { "view at \($0.location)" } ?? "view without id"
        case is Application: return "application"
        default: return "\(type(of: responder))"
        }
    }
}
