import Layout

/// What a layout says of its named views, looked up once for all of them: a seat map has 50,000.
struct LayoutWords {
    /// Those that have a handler for `pressed`.
    private(set) var pressed: Set<String> = []
    /// Those that take no touches of their own: they pass them through, or hand them to another.
    private(set) var handingOn: Set<String> = []

    init(_ document: LayoutDocument) {
        add(document.views)
        for page in document.pages { add(page.views) }
    }

    private mutating func add(_ views: [ViewSpec]) {
        for view in views {
            if let id = view.id {
                if view.on.contains(where: { $0.trigger == .pressed }) { pressed.insert(id) }
                if view.isPassthrough || view.redirect != nil { handingOn.insert(id) }
            }
            add(view.views)
        }
    }
}
