import TouchKit

/// The layout's entries for the parts of a scene.
extension Scene {
    /// The names of responders in explanations, in order.
    package func names(of responders: [Responder]) -> [String] {
        let lookup = SpecLookup(self)
        return responders.map { name(of: $0, by: lookup) }
    }

    /// A responder's name in explanations; for a view its id or its location in the file.
    func name(of responder: Responder, by lookup: SpecLookup) -> String {
        switch responder {
        case let window as Window:
            let number = windows.firstIndex { $0 === window }
            return number.flatMap { document.screens[$0].name }.map { "window of screen '\($0)'" } ?? "window"
        case let controller as ViewController: return page(of: controller).map { "page '\($0)'" } ?? "page"
        case let view as View:
            if pages.values.contains(where: { $0.view === view }) { return "the page's own view" }
            if view is SlotContent { return "the published views" }
            if let id = view.identifier { return "view '\(id)'" }
            return lookup.spec(of: view).map { "view at \($0.location)" } ?? "view without id"
        case is Application: return "application"
        default: return "\(type(of: responder))"
        }
    }
}
