import ControlProtocol

nonisolated extension ViewSpec {
    /// `view 'ID'`, or `this view` without an id.
    var name: String { Self.name(id) }

    fileprivate static func name(_ id: String?) -> String { id.map { "view '\($0)'" } ?? "this view" }
}

/// A layout's views and gestures in flat lists, with an index by id.
nonisolated struct LayoutIndex {
    /// A view and its place in the layout. It has what the checker needs, and not the view: there are up to 100,000.
    struct IndexedView {
        let id: String?, location: SourceLocation
        let isHidden: Bool, isEnabled: Bool, isPassthrough: Bool, isToggle: Bool
        /// The index of its page in the document; -1 for a view on every page.
        var page: Int32
        /// The index of its screen in the document.
        var screen: Int32
        /// The index in `views` of the outermost private view among it and its superviews, or -1.
        var privateView: Int32
        /// The index in `views` after its last descendant.
        var end: Int32

        var name: String { ViewSpec.name(id) }
    }

    private(set) var views: [IndexedView] = []
    private(set) var viewsByID: [String: Int32] = [:]
    /// The views with a `redirect:`, by their indices in `views`, and their targets.
    private(set) var redirects: [(view: Int32, target: String)] = []
    /// Each gesture, with the index of its view.
    private(set) var gestures: [(view: Int32, spec: GestureSpec)] = []
    private(set) var gesturesByID: [String: Int] = [:]

    init() {}

    /// - Parameter findings: Receives an error for each duplicate id.
    init(_ document: LayoutDocument, viewCount: Int, findings: inout FindingList) {
        views.reserveCapacity(viewCount)
        viewsByID.reserveCapacity(viewCount)
        func number(_ screen: String?) -> Int32 { Int32(document.number(ofScreen: screen) ?? 0) }
        let pageScreens = document.pages.map { number($0.screen) }
        var superviews: [Int32] = []
        document.forEachView { visit in
            close(&superviews, downTo: visit.depth)
            add(
                visit.view, page: visit.page.map { Int32($0) } ?? -1,
                screen: superviews.first.map { views[Int($0)].screen } ?? visit.page.map { pageScreens[$0] }
                    ?? number(visit.view.screen),
                superview: superviews.last, &findings)
            superviews.append(Int32(visit.number))
        }
        close(&superviews, downTo: 0)
    }

    private mutating func close(_ superviews: inout [Int32], downTo depth: Int) {
        while superviews.count > depth, let closed = superviews.popLast() {
            views[Int(closed)].end = Int32(views.count)
        }
    }

    private mutating func add(
        _ view: ViewSpec, page: Int32, screen: Int32, superview: Int32?, _ findings: inout FindingList
    ) {
        let number = Int32(views.count)
        let outer = superview.map { views[Int($0)].privateView } ?? -1
        let isToggle = if case .toggle? = view.control { true } else { false }
        views.append(
            IndexedView(
                id: view.id, location: view.location, isHidden: view.isHidden, isEnabled: view.isEnabled,
                isPassthrough: view.isPassthrough, isToggle: isToggle, page: page, screen: screen,
                privateView: outer >= 0 ? outer : view.isPrivate ? number : -1, end: number + 1))
        if let target = view.redirect { redirects.append((number, target)) }
        if let id = view.id {
            if let first = viewsByID[id] {
                findings.add(
                    .error, at: view.location,
                    "two views have the id '\(id)'; the first is at \(views[Int(first)].location)")
            } else {
                viewsByID[id] = number
            }
        }
        for gesture in view.gestures { add(gesture, view: number, &findings) }
    }

    private mutating func add(_ gesture: GestureSpec, view: Int32, _ findings: inout FindingList) {
        if let id = gesture.id {
            if let first = gesturesByID[id] {
                findings.add(
                    .error, at: gesture.location,
                    "two gestures have the id '\(id)'; the first is at \(gestures[first].spec.location)")
            } else {
                gesturesByID[id] = gestures.count
            }
        }
        gestures.append((view, gesture))
    }

    /// The view with an id.
    func view(_ id: String) -> IndexedView? { viewsByID[id].map { views[Int($0)] } }

    /// Whether a view is `other` or a descendant of it.
    func isView(_ view: Int32, in other: Int32) -> Bool { (other..<views[Int(other)].end).contains(view) }
}

/// A summary of all steps in a layout.
nonisolated struct StepSummary {
    /// The number of steps.
    private(set) var count = 0
    /// The first locations at which each handler is run; a hundred for one name are more than a reader needs.
    private(set) var runs: [String: [SourceLocation]] = [:]
    /// The names in `runs`, in the order of their first locations.
    private(set) var runNames: [String] = []
    /// The names in each kind of command.
    private var targets: [LayoutCommand.Kind: Set<String>] = [:]

    init() {}

    init(_ document: LayoutDocument) {
        document.forEachTrigger { steps in
            for step in steps { add(step) }
        }
        for handler in document.handlers {
            for step in handler.allSteps { add(step) }
        }
    }

    private mutating func add(_ step: HandlerStep) {
        count += 1
        switch step.kind {
        case .run(let name, _):
            if runs[name] == nil { runNames.append(name) }
            if runs[name, default: []].count <= LayoutLimit.findings { runs[name, default: []].append(step.location) }
        case .action(.command(.named(let kind, let name))): targets[kind, default: []].insert(name)
        case .action: break
        }
    }

    /// Whether a step gives one of some commands to a page or view.
    func has(_ kinds: LayoutCommand.Kind..., for name: String) -> Bool {
        kinds.contains { targets[$0]?.contains(name) == true }
    }
}
