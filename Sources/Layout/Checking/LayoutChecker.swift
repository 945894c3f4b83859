import Foundation

/// What a layout's parts have to agree on among themselves: names that are unique and that exist, views that can be hit,
/// gestures that can be recognized.
nonisolated struct LayoutChecker {
    let document: LayoutDocument
    let references: References
    let builtins: Set<String>
    /// Whether a mistake was found before, which may be why a view has no frame or a page no views.
    let hasMistakes: Bool

    var findings: [LayoutFinding] = []
    var index = LayoutIndex()
    var steps = StepSummary()

    init(document: LayoutDocument, references: References, builtins: Set<String>, hasMistakes: Bool) {
        self.document = document
        self.references = references
        self.builtins = builtins
        self.hasMistakes = hasMistakes
    }

    mutating func check() -> [LayoutFinding] {
        index = LayoutIndex(document)
        steps = StepSummary(document)
        findings += index.findings
        checkHandlers()
        checkNames()
        checkRedirects()
        checkGestureNames()
        checkTriggers()
        checkReach()
        checkPages()
        return findings
    }

    mutating func error(at location: SourceLocation, _ message: String) {
        findings.append(LayoutFinding(.error, at: location, message))
    }

    mutating func warn(at location: SourceLocation, _ message: String) {
        findings.append(LayoutFinding(.warning, at: location, message))
    }
}

/// A layout's views and gestures in flat lists, found by their ids.
nonisolated struct LayoutIndex {
    /// A view, with what others want to know of it.
    struct Entry {
        var id: String?
        var location: SourceLocation
        /// The page it is on, by its place in the document; nil for a view of every page.
        var page: Int?
        /// The name of the screen it is on; nil for the first.
        var screen: String?
        /// Its superview, by its place in `views`.
        var superview: Int?
        var isToggle: Bool
        var redirect: String?
        var isHidden: Bool
        var isEnabled: Bool
        var isPassthrough: Bool

        /// `view 'ID'`, or the same without one.
        var name: String { id.map { "view '\($0)'" } ?? "this view" }
    }

    private(set) var views: [Entry] = []
    private(set) var viewsByID: [String: Int] = [:]
    /// Each gesture, with the view it is on.
    private(set) var gestures: [(view: Int, spec: GestureSpec)] = []
    private(set) var gesturesByID: [String: Int] = [:]
    /// Ids that are there twice.
    private(set) var findings: [LayoutFinding] = []

    init() {}

    init(_ document: LayoutDocument) {
        let first = document.screens.first?.name
        for view in document.views { add(view, page: nil, screen: view.screen ?? first, superview: nil) }
        for (number, page) in document.pages.enumerated() {
            for view in page.views { add(view, page: number, screen: page.screen ?? first, superview: nil) }
        }
    }

    private mutating func add(_ view: ViewSpec, page: Int?, screen: String?, superview: Int?) {
        let number = views.count
        var isToggle = false
        if case .toggle? = view.control { isToggle = true }
        views.append(
            Entry(
                id: view.id, location: view.location, page: page, screen: screen, superview: superview,
                isToggle: isToggle, redirect: view.redirect, isHidden: view.isHidden, isEnabled: view.isEnabled,
                isPassthrough: view.isPassthrough))
        if let id = view.id {
            if let first = viewsByID[id] {
                findings.append(
                    LayoutFinding(
                        .error, at: view.location,
                        "two views have the id '\(id)'; the first is at \(views[first].location)"))
            } else {
                viewsByID[id] = number
            }
        }
        for gesture in view.gestures { add(gesture, view: number) }
        for subview in view.views { add(subview, page: page, screen: screen, superview: number) }
    }

    private mutating func add(_ gesture: GestureSpec, view: Int) {
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

    /// Whether a view is another one or is somewhere in it.
    func isView(_ view: Int, in other: Int) -> Bool {
        var current: Int? = view
        while let candidate = current {
            if candidate == other { return true }
            current = views[candidate].superview
        }
        return false
    }
}

/// What the steps of a layout do, wherever they stand.
nonisolated struct StepSummary {
    /// Handlers that are run, with the first place for each name.
    private(set) var runs: [String: [SourceLocation]] = [:]
    /// Handlers that each handler runs.
    private(set) var runsByHandler: [String: [String]] = [:]
    private(set) var pages: Set<String> = []
    private(set) var shown: Set<String> = []
    private(set) var hidden: Set<String> = []
    private(set) var enabled: Set<String> = []
    private(set) var disabled: Set<String> = []

    init() {}

    init(_ document: LayoutDocument) {
        add(document.on)
        document.views.forEach { add($0) }
        for page in document.pages {
            add(page.on)
            page.views.forEach { add($0) }
        }
        for idle in document.idle { add(idle.on) }
        for handler in document.handlers {
            for step in handler.steps + handler.otherwise {
                add(step)
                if case .run(let name, _) = step.kind { runsByHandler[handler.name, default: []].append(name) }
            }
        }
    }

    private mutating func add(_ view: ViewSpec) {
        add(view.on)
        for gesture in view.gestures { add(gesture.on) }
        for subview in view.views { add(subview) }
    }

    private mutating func add(_ bindings: [HandlerBinding]) {
        for binding in bindings { add(binding.step) }
    }

    mutating func add(_ step: HandlerStep) {
        switch step.kind {
        case .run(let name, _):
            // A hundred places of one name are more than anybody reads.
            if runs[name, default: []].count < YAMLNodes.findingLimit { runs[name, default: []].append(step.location) }
        case .action(.go(let page)): pages.insert(page)
        case .action(.show(let id)): shown.insert(id)
        case .action(.hide(let id)): hidden.insert(id)
        case .action(.enable(let id)): enabled.insert(id)
        case .action(.disable(let id)): disabled.insert(id)
        case .action(.toggle(let id)):
            shown.insert(id)
            hidden.insert(id)
        case .action: break
        }
    }
}
