nonisolated extension LayoutChecker {
    /// Handlers: that they exist, that they are used, that they do not run each other for ever.
    mutating func checkHandlers() {
        for handler in document.handlers where builtins.contains(handler.name) {
            error(
                at: handler.location,
                "a handler named '\(handler.name)' exists without the layout's doing; give yours another name")
        }
        let known = builtins.union(references.handlers.keys)
        for (name, places) in steps.runs where !known.contains(name) {
            let hint = NearestName.suggestion(for: name, among: known)
            let help = hint.isEmpty ? "; define it under 'handlers'" : hint
            for place in places { error(at: place, "no handler is named '\(name)'\(help)") }
        }
        for handler in document.handlers where steps.runs[handler.name] == nil {
            warn(at: handler.location, "handler '\(handler.name)' is never used")
        }
        checkCircles()
        checkFacts()
    }

    private mutating func checkCircles() {
        var finished: Set<String> = []
        var reported: Set<String> = []
        var way: [String] = []

        func visit(_ name: String) {
            if let start = way.firstIndex(of: name) {
                let circle = way[start...]
                guard reported.isDisjoint(with: circle) else { return }
                reported.formUnion(circle)
                guard let place = references.handlers[name] else { return }
                error(
                    at: place,
                    "handlers run each other in a circle: \((circle + [name]).joined(separator: " → "))")
                return
            }
            guard finished.insert(name).inserted else { return }
            way.append(name)
            for next in steps.runsByHandler[name] ?? [] { visit(next) }
            way.removeLast()
        }
        for handler in document.handlers { visit(handler.name) }
    }

    /// Facts in templates that no occasion has, unless they are arguments.
    private mutating func checkFacts() {
        for fact in references.otherFacts {
            let arguments = fact.handler.flatMap { references.arguments[$0] } ?? []
            guard !arguments.contains(fact.name) else { continue }
            let known = Template.occasionFacts.union(arguments)
            let hint = NearestName.suggestion(for: fact.name, among: known)
            let help =
                hint.isEmpty
                ? "; the facts are \(known.sorted().joined(separator: ", ")), and what 'with' gives the handler" : hint
            error(at: fact.location, "no fact is called {\(fact.name)}\(help)")
        }
    }

    /// Pages, views, gestures and screens that are mentioned: that they exist.
    mutating func checkNames() {
        let screens = document.screens.compactMap(\.name)
        for mention in references.mentions {
            let name = mention.name
            switch mention.kind {
            case .page where references.pages[name] == nil:
                error(
                    at: mention.location,
                    "no page is named '\(name)'" + help(name, among: references.pages.keys, or: "; add it to 'pages'"))
            case .screen where !screens.contains(name):
                error(
                    at: mention.location,
                    "no screen is named '\(name)'" + help(name, among: screens, or: "; add it to 'screens'"))
            case .gesture where index.gesturesByID[name] == nil && !references.isIncomplete:
                error(
                    at: mention.location,
                    "no gesture has the id '\(name)'"
                        + help(name, among: index.gesturesByID.keys, or: "; give one this id"))
            case .view, .toggle:
                guard let view = index.view(name) else {
                    guard !references.isIncomplete else { continue }
                    error(
                        at: mention.location,
                        "no view has the id '\(name)'"
                            + help(name, among: index.viewsByID.keys, or: "; give one this id"))
                    continue
                }
                if mention.kind == .toggle, !view.isToggle {
                    error(
                        at: mention.location,
                        "view '\(name)' is neither on nor off; only a view with control: toggle is")
                }
            default: break
            }
        }
    }

    private func help(_ name: String, among known: some Sequence<String>, or other: String) -> String {
        let hint = NearestName.suggestion(for: name, among: known)
        return hint.isEmpty ? other : hint
    }
}
