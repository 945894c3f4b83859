import Basics
import Foundation
import TouchKit

/// Checks the relations between a layout's parts: names are unique and exist, views can be hit, gestures can be
/// recognized, handlers terminate.
nonisolated struct LayoutChecker {
    let document: LayoutDocument
    let references: References
    let builtins: Set<String>
    /// The severity of a program that other users can change; nil to skip this check.
    let foreignFiles: LayoutFinding.Severity?
    /// Whether an earlier error exists, which may be the reason for a view without a frame or a page without views.
    let hasMistakes: Bool

    var findings: FindingList
    var cost: LayoutCost
    var index = LayoutIndex()
    var steps = StepSummary()
    /// The suggestions for names that do not exist; cached, because aliases and grids repeat the names.
    var helps: [String: String] = [:]

    /// - Parameter reader: The reader of the document; the checker continues its findings and its cost.
    init(_ document: LayoutDocument, by reader: LayoutReader, builtins: Set<String>) {
        self.document = document
        self.builtins = builtins
        references = reader.references
        foreignFiles = reader.foreignFiles
        findings = reader.findings
        cost = reader.cost
        hasMistakes = findings.hasErrors
    }

    mutating func check() {
        index = LayoutIndex(document, findings: &findings)
        steps = StepSummary(document)
        cost.checking += index.views.count + index.gestures.count + steps.count
        checkHandlers()
        checkNames()
        checkRedirects()
        checkGestureNames()
        checkTriggers()
        checkReach()
        checkPages()
        checkActions()
        cost.suggestions = LayoutLimit.nearestNameSteps - findings.nearest.effort
    }

    /// Checks published views: their names are unique and exist among them, and their gestures can be recognized.
    ///
    /// The handlers that they run were checked with the layout.
    mutating func checkPublication() {
        index = LayoutIndex(document, findings: &findings)
        checkFacts()
        checkNames()
        checkRedirects()
        checkGestureNames()
    }

    mutating func error(at location: SourceLocation, _ message: String) {
        findings.add(.error, at: location, message)
    }

    mutating func warn(at location: SourceLocation, _ message: String) {
        findings.add(.warning, at: location, message)
    }

    /// Searches a graph, and reports its circles.
    mutating func search(
        _ graph: ReferenceGraph, _ relation: String, _ part: (Int) -> (name: String?, location: SourceLocation)
    ) -> ReferenceGraph.Result {
        let result = graph.search()
        cost.checking += result.steps
        for circle in result.circles {
            let names = (circle + [circle[0]]).map { part($0).name ?? "(no id)" }
            error(at: part(circle[0]).location, "\(relation) in a circle: \(names.way)")
        }
        return result
    }

    // MARK: Names

    /// Checks handlers: they exist, they are used, and they do not run each other endlessly.
    private mutating func checkHandlers() {
        for handler in document.handlers where builtins.contains(handler.name) {
            error(
                at: handler.location,
                "the handler name '\(handler.name)' is built in; choose another name")
        }
        let known = builtins.union(references.handlers.keys)
        cost.checking += known.count + steps.runNames.count
        for name in steps.runNames where !known.contains(name) && !findings.isFull {
            for place in steps.runs[name] ?? [] {
                unknown(name, at: place, HandlerSpec.noHandlerIsNamed, among: known, "define it under 'handlers'")
            }
        }
        // A misspelled name leaves its handler unused, which is no second mistake.
        if !findings.hasErrors {
            for handler in document.handlers where steps.runs[handler.name] == nil {
                warn(at: handler.location, "handler '\(handler.name)' is never used")
            }
        }
        checkHandlerSteps()
        checkFacts()
    }

    /// Reports facts in templates that no event provides, unless they are arguments.
    private mutating func checkFacts() {
        for fact in references.otherFacts {
            let arguments = fact.handler.flatMap { references.arguments[$0] } ?? []
            cost.checking += 1
            guard !findings.isFull else { return }
            guard !arguments.contains(fact.name) else { continue }
            if let handler = fact.handler, references.slotHandlers.contains(handler) { continue }
            let known = Fact.names.union(arguments)
            let hint = findings.nearest.suggestion(for: fact.name, among: known)
            let help =
                hint.isEmpty
                ? "; the facts are \(known.sorted().joined(separator: ", ")), and what 'with' gives the handler" : hint
            error(at: fact.location, "unknown fact {\(fact.name.prefix(80))}\(help)")
        }
    }

    /// Checks that the pages, views, gestures and screens that the layout mentions exist.
    private mutating func checkNames() {
        let screens = Set(document.screens.compactMap(\.name))
        for mention in references.mentions {
            cost.checking += 1
            // Each message costs a search for similar names.
            guard !findings.isFull else { return }
            let (kind, name, location) = mention
            switch kind {
            case .page where references.pages[name] == nil:
                unknown(name, at: location, "no page is named", among: references.pages.keys, "add it to 'pages'")
            case .screen where !screens.contains(name):
                unknown(name, at: location, "no screen is named", among: screens, "add it to 'screens'")
            case .gesture where index.gesturesByID[name] == nil && !references.isIncomplete:
                let known = index.gesturesByID.keys
                unknown(name, at: location, "no gesture has the id", among: known, "add the id to a gesture")
            case .view, .toggle:
                guard let view = index.view(name) else {
                    guard !references.isIncomplete else { continue }
                    let known = index.viewsByID.keys
                    unknown(name, at: location, "no view has the id", among: known, "add the id to a view")
                    continue
                }
                if case .toggle? = view.control { continue }
                if kind == .toggle {
                    error(
                        at: location,
                        "view '\(name)' cannot be on or off; only a view with control: toggle can")
                }
            default: break
            }
        }
    }

    /// Reports a name that does not exist, with the most similar one, or how to define it.
    private mutating func unknown(
        _ name: String, at location: SourceLocation, _ problem: String, among known: some Sequence<String>,
        _ fix: String
    ) {
        let help = helps[name + fix] ?? findings.nearest.suggestion(for: name, among: known)
        helps[name + fix] = help
        error(at: location, "\(problem) '\(name.prefix(80))'\(help.isEmpty ? "; \(fix)" : help)")
    }

    // MARK: Pages

    /// Checks pages: they can be reached, and they have content.
    private mutating func checkPages() {
        var screens: Set<String?> = []
        for page in document.pages {
            let isFirst = screens.insert(page.screen ?? document.screens.first?.name).inserted
            if !isFirst, !steps.has(.go, for: page.name), document.mqtt?.commands.contains(.go) != true {
                warn(at: page.location, "page '\(page.name)' is never shown: nothing goes to it")
            }
            if page.views.isEmpty, page.on.isEmpty, !hasMistakes {
                warn(at: page.location, "page '\(page.name)' has no views and no handlers")
            }
        }
    }

    /// Reports steps that never run, because their trigger does not occur at that place.
    private mutating func checkTriggers() {
        document.forEachView { visit in
            for binding in visit.view.on {
                let trigger = binding.trigger.rawValue
                switch (binding.trigger, visit.view.control) {
                case (.pressed, nil), (.held, nil), (.released, nil):
                    warn(
                        at: binding.step.location,
                        "'\(trigger)' never happens here, because only a control sends it; add control: button")
                case (.switchedOn, .toggle), (.switchedOff, .toggle): break
                case (.switchedOn, _), (.switchedOff, _):
                    warn(
                        at: binding.step.location,
                        "'\(trigger)' never happens here, because only a toggle sends it; add control: toggle")
                default: break
                }
            }
        }
    }

    // MARK: Redirects

    /// Checks `redirect:`: the target exists and can receive touches.
    private mutating func checkRedirects() {
        let targets = index.redirects.map { index.viewsByID[$0.target] }
        checkCircles(targets)
        let redirected = Set(index.redirects.map(\.view))
        for ((number, id), target) in zip(index.redirects, targets) {
            cost.checking += 1
            guard let target else { continue }
            let (view, other) = (index.views[number], index.views[target])
            if other.screen != view.screen || other.page != nil && other.page != view.page {
                let place = other.page.map { "page '\(document.pages[$0].name)'" } ?? "another screen"
                error(
                    at: view.spec.location,
                    "\(view.spec.name) redirects to view '\(id)', which is on \(place); a touch stays on its page")
            } else if view.privateView != nil, other.privateView != view.privateView {
                // Logs name the final view, so a redirect out of a private view would reveal its touches.
                let place = view.privateView == number ? "private" : "in a private view"
                error(
                    at: view.spec.location,
                    "\(view.spec.name) is \(place), but redirects to view '\(id)', whose touches are logged; "
                        + "redirect inside the private view, or put both into one private view")
            } else if let reason = obstacle(for: other.spec)
                ?? (other.spec.isPassthrough && !redirected.contains(target) ? "has passthrough: true" : nil)
            {
                warn(
                    at: view.spec.location,
                    "\(view.spec.name) redirects to view '\(id)', which takes no touches: it \(reason)")
            }
        }
    }

    /// Why a view never takes touches, if it does not.
    private func obstacle(for view: ViewSpec) -> String? {
        let id = view.id ?? ""
        if view.isHidden, !steps.has(.show, .toggle, for: id) { return "is hidden, and nothing shows it" }
        if !view.isEnabled, !steps.has(.enable, for: id) { return "is disabled, and nothing enables it" }
        return nil
    }

    private mutating func checkCircles(_ targets: [Int?]) {
        guard !targets.isEmpty else { return }
        var graph = ReferenceGraph(count: index.views.count)
        for (redirect, target) in zip(index.redirects, targets) {
            if let target { graph.add(from: redirect.view, to: target) }
        }
        let views = index.views
        _ = search(graph, "views redirect") { (views[$0].spec.id, views[$0].spec.location) }
    }

    // MARK: Gestures

    /// Checks gestures: they can be recognized, and they have an effect.
    private mutating func checkGestureNames() {
        let mentioned = Set(references.mentions.lazy.filter { $0.kind == .gesture }.map(\.name))
        for (number, (view, gesture)) in index.gestures.enumerated() {
            let host = index.views[view].spec
            if let obstacle = obstacle(for: host) {
                warn(
                    at: gesture.location,
                    "this \(gesture.kind.name) is never recognized: \(host.name) \(obstacle)")
            }
            checkTriggers(of: gesture)
            if gesture.on.isEmpty, !(gesture.id.map(mentioned.contains) ?? false) {
                warn(at: gesture.location, "this \(gesture.kind.name) has no effect: it has no 'run'")
            }
            if case .sequence(let views, _) = gesture.kind { checkSequence(views, on: view, gesture) }
            // The gestures of one view are consecutive.
            var earlier = number - 1
            cost.checking += 1
            while earlier >= 0, index.gestures[earlier].view == view {
                cost.checking += 1
                checkPair(index.gestures[earlier].spec, gesture)
                earlier -= 1
            }
        }
        checkWaiting()
    }

    private mutating func checkTriggers(of gesture: GestureSpec) {
        guard gesture.kind.name.isDiscrete else { return }
        for binding in gesture.on where [.began, .changed, .cancelled].contains(binding.trigger) {
            warn(
                at: binding.step.location,
                "a \(gesture.kind.name) is recognized all at once, so it has no '\(binding.trigger.rawValue)'; use recognized"
            )
        }
    }

    private mutating func checkSequence(_ ids: [String], on host: Int, _ gesture: GestureSpec) {
        for id in ids {
            guard let view = index.viewsByID[id], !index.isView(view, in: host) else { continue }
            warn(
                at: gesture.location,
                "this sequence is never recognized: view '\(id)' is not in \(index.views[host].spec.name), which has the sequence"
            )
        }
    }

    /// Checks two gestures of one view, the first of which may prevent the second from ever being recognized.
    private mutating func checkPair(_ first: GestureSpec, _ second: GestureSpec) {
        guard !isRelated(first, second) else { return }
        if first.kind == second.kind {
            return warn(
                at: second.location,
                "this \(second.kind.name) is never recognized: the one at \(first.location) is the same; "
                    + "merge their steps into one, or add together-with")
        }
        switch (first.kind, second.kind) {
        case (.pan, .swipe): warnOfPan(first, before: second)
        case (.swipe, .pan): warnOfPan(second, before: first)
        default: break
        }
    }

    private mutating func warnOfPan(_ pan: GestureSpec, before swipe: GestureSpec) {
        guard case .pan(let least, let most, let movement) = pan.kind, case .swipe(_, let touches) = swipe.kind,
            (least...most).contains(touches), movement < SwipeGestureRecognizer.shortestWay
        else { return }
        let id = swipe.id ?? "ID"
        warn(
            at: swipe.location,
            "this swipe is never recognized: the pan at \(pan.location) is always recognized first; add after-failure-of: [\(id)] to the pan"
        )
    }

    private func isRelated(_ first: GestureSpec, _ second: GestureSpec) -> Bool {
        func names(_ gesture: GestureSpec, _ other: GestureSpec) -> Bool {
            guard let id = other.id else { return false }
            return gesture.requiresFailureOf.contains(id) || gesture.simultaneousWith.contains(id)
        }
        return names(first, second) || names(second, first)
    }

    /// Reports gestures that wait for each other, because none of them can be recognized.
    private mutating func checkWaiting() {
        let gestures = index.gestures
        var graph = ReferenceGraph(count: gestures.count)
        for (number, (_, gesture)) in gestures.enumerated() {
            for id in gesture.requiresFailureOf {
                if let other = index.gesturesByID[id] { graph.add(from: number, to: other) }
            }
        }
        _ = search(graph, "gestures wait for each other's failure") {
            (gestures[$0].spec.id, gestures[$0].spec.location)
        }
    }
}
