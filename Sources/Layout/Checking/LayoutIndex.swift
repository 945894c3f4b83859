import ControlProtocol

nonisolated extension ViewSpec {
    /// `view 'ID'`, or `this view` without an id.
    var name: String { id.map { "view '\($0)'" } ?? "this view" }
}

/// A layout's views and gestures in flat lists, with an index by id.
nonisolated struct LayoutIndex {
    /// A view and its place in the layout.
    struct IndexedView {
        let spec: ViewSpec
        /// The index of its page in the document; nil for a view on every page.
        let page: Int?
        /// The index of its screen in the document.
        let screen: Int
        /// The index in `views` of the outermost private view among it and its superviews.
        let privateView: Int?
        /// The index in `views` after its last descendant.
        fileprivate(set) var end: Int
    }

    private(set) var views: [IndexedView] = []
    private(set) var viewsByID: [String: Int] = [:]
    /// The views with a `redirect:`, by their indices in `views`, and their targets.
    private(set) var redirects: [(view: Int, target: String)] = []
    /// Each gesture, with the index of its view.
    private(set) var gestures: [(view: Int, spec: GestureSpec)] = []
    private(set) var gesturesByID: [String: Int] = [:]

    init() {}

    /// - Parameter findings: Receives an error for each duplicate id.
    init(_ document: LayoutDocument, findings: inout FindingList) {
        func number(_ screen: String?) -> Int { document.number(ofScreen: screen) ?? 0 }
        var superviews: [Int] = []
        document.forEachView { visit in
            close(&superviews, downTo: visit.depth)
            let screen =
                superviews.first.map { views[$0].screen }
                ?? number(visit.page.map { document.pages[$0].screen } ?? visit.view.screen)
            add(visit.view, page: visit.page, screen: screen, superview: superviews.last, &findings)
            superviews.append(visit.number)
        }
        close(&superviews, downTo: 0)
    }

    private mutating func close(_ superviews: inout [Int], downTo depth: Int) {
        while superviews.count > depth, let closed = superviews.popLast() { views[closed].end = views.count }
    }

    private mutating func add(
        _ view: ViewSpec, page: Int?, screen: Int, superview: Int?, _ findings: inout FindingList
    ) {
        let number = views.count
        let privateView = superview.flatMap { views[$0].privateView } ?? (view.isPrivate ? number : nil)
        views.append(
            IndexedView(spec: view, page: page, screen: screen, privateView: privateView, end: number + 1))
        if let target = view.redirect { redirects.append((number, target)) }
        if let id = view.id {
            if let first = viewsByID[id] {
                findings.add(
                    .error, at: view.location,
                    "two views have the id '\(id)'; the first is at \(views[first].spec.location)")
            } else {
                viewsByID[id] = number
            }
        }
        for gesture in view.gestures { add(gesture, view: number, &findings) }
    }

    private mutating func add(_ gesture: GestureSpec, view: Int, _ findings: inout FindingList) {
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
    func view(_ id: String) -> ViewSpec? { viewsByID[id].map { views[$0].spec } }

    /// Whether a view is `other` or a descendant of it.
    func isView(_ view: Int, in other: Int) -> Bool { (other..<views[other].end).contains(view) }
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
