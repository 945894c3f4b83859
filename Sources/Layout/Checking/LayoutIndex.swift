/// A layout's views and gestures in flat lists, found by their ids.
nonisolated struct LayoutIndex {
    /// A view, with what others want to know of it.
    struct Entry {
        var id: String?
        var location: SourceLocation
        /// The page it is on, by its place in the document; -1 for a view of every page.
        var page: Int32
        /// The screen it is on, by its place in the document.
        var screen: Int32
        /// Its superview, by its place in `views`; -1 for none.
        var superview: Int32
        var isToggle: Bool
        var isHidden: Bool
        var isEnabled: Bool
        var isPassthrough: Bool
        var isPrivate: Bool

        /// `view 'ID'`, or the same without one.
        var name: String { id.map { "view '\($0)'" } ?? "this view" }
    }

    private(set) var views: [Entry] = []
    private(set) var viewsByID: [String: Int32] = [:]
    /// Where the touches of views go that hand them on, by the views' places in `views`.
    private(set) var redirects: [Int32: String] = [:]
    /// Each gesture, with the view it is on.
    private(set) var gestures: [(view: Int32, spec: GestureSpec)] = []
    private(set) var gesturesByID: [String: Int] = [:]
    /// Ids that are there twice.
    private(set) var findings: [LayoutFinding] = []

    init() {}

    init(_ document: LayoutDocument, viewCount: Int) {
        views.reserveCapacity(viewCount)
        viewsByID.reserveCapacity(viewCount)
        func number(of screen: String?) -> Int32 {
            Int32(document.screens.firstIndex { $0.name == screen } ?? 0)
        }
        for view in document.views { add(view, page: -1, screen: number(of: view.screen), superview: -1) }
        for (page, spec) in document.pages.enumerated() {
            let screen = number(of: spec.screen)
            for view in spec.views { add(view, page: Int32(page), screen: screen, superview: -1) }
        }
    }

    private mutating func add(_ view: ViewSpec, page: Int32, screen: Int32, superview: Int32) {
        let number = Int32(views.count)
        var isToggle = false
        if case .toggle? = view.control { isToggle = true }
        views.append(
            Entry(
                id: view.id, location: view.location, page: page, screen: screen, superview: superview,
                isToggle: isToggle, isHidden: view.isHidden, isEnabled: view.isEnabled,
                isPassthrough: view.isPassthrough, isPrivate: view.isPrivate))
        if let target = view.redirect { redirects[number] = target }
        if let id = view.id {
            if let first = viewsByID[id] {
                findings.append(
                    LayoutFinding(
                        .error, at: view.location,
                        "two views have the id '\(id)'; the first is at \(views[Int(first)].location)"))
            } else {
                viewsByID[id] = number
            }
        }
        for gesture in view.gestures { add(gesture, view: number) }
        for subview in view.views { add(subview, page: page, screen: screen, superview: number) }
    }

    private mutating func add(_ gesture: GestureSpec, view: Int32) {
        if let id = gesture.id {
            if let first = gesturesByID[id] {
                findings.append(
                    LayoutFinding(
                        .error, at: gesture.location,
                        "two gestures have the id '\(id)'; the first is at \(gestures[first].spec.location)"))
            } else {
                gesturesByID[id] = gestures.count
            }
        }
        gestures.append((view, gesture))
    }

    /// The view of an id.
    func view(_ id: String) -> Entry? { viewsByID[id].map { views[Int($0)] } }

    /// The outermost private view that a view is or is in; nil where nothing is private.
    func outermostPrivate(of view: Int32) -> Int32? {
        var found: Int32?
        var current = view
        while current >= 0 {
            if views[Int(current)].isPrivate { found = current }
            current = views[Int(current)].superview
        }
        return found
    }

    /// Whether a view is another one or is somewhere in it.
    func isView(_ view: Int32, in other: Int32) -> Bool {
        var current = view
        while current >= 0 {
            if current == other { return true }
            current = views[Int(current)].superview
        }
        return false
    }
}
