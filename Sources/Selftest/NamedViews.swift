import Layout

/// Properties of a layout's named views, looked up once for all of them, because a seat map has 50,000.
struct NamedViews {
    /// The views with a handler for `pressed`.
    private(set) var pressed: Set<String> = []
    /// The views that receive no touches themselves: they pass them through or redirect them.
    private(set) var forwarding: Set<String> = []

    init(_ document: LayoutDocument) {
        add(document.views)
        for page in document.pages { add(page.views) }
    }

    private mutating func add(_ views: [ViewSpec]) {
        for view in views {
            if let id = view.id {
                if view.on.contains(where: { $0.trigger == .pressed }) { pressed.insert(id) }
                if view.isPassthrough || view.redirect != nil { forwarding.insert(id) }
            }
            add(view.views)
        }
    }
}
