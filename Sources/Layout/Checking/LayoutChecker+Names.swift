nonisolated extension LayoutChecker {
    /// Checks handlers: they exist, they are used, and they do not run each other endlessly.
    mutating func checkHandlers() {
        for handler in document.handlers where builtins.contains(handler.name) {
            error(
                at: handler.location,
                "the handler name '\(handler.name)' is built in; choose another name")
        }
        let known = builtins.union(references.handlers.keys)
        cost.names += known.count + steps.runNames.count
        for name in steps.runNames where !known.contains(name) && !findings.isFull {
            let help = help(name, among: known, or: "; define it under 'handlers'")
            for place in steps.runs[name] ?? [] { error(at: place, "no handler is named '\(name.prefix(80))'\(help)") }
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
    mutating func checkFacts() {
        for fact in references.otherFacts {
            let arguments = fact.handler.flatMap { references.arguments[$0] } ?? []
            cost.names += 1
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
    mutating func checkNames() {
        let screens = Set(document.screens.compactMap(\.name))
        for mention in references.mentions {
            cost.names += 1
            // Each message costs a search for similar names.
            guard !findings.isFull else { return }
            let name = mention.name
            switch mention.kind {
            case .page where references.pages[name] == nil:
                let help = help(name, among: references.pages.keys, or: "; add it to 'pages'")
                error(at: mention.location, "no page is named '\(name.prefix(80))'\(help)")
            case .screen where !screens.contains(name):
                let help = help(name, among: screens, or: "; add it to 'screens'")
                error(at: mention.location, "no screen is named '\(name.prefix(80))'\(help)")
            case .gesture where index.gesturesByID[name] == nil && !references.isIncomplete:
                let help = help(name, among: index.gesturesByID.keys, or: "; add the id to a gesture")
                error(at: mention.location, "no gesture has the id '\(name.prefix(80))'\(help)")
            case .view, .toggle:
                guard let view = index.view(name) else {
                    guard !references.isIncomplete else { continue }
                    let help = help(name, among: index.viewsByID.keys, or: "; add the id to a view")
                    error(at: mention.location, "no view has the id '\(name.prefix(80))'\(help)")
                    continue
                }
                let isToggle = if case .toggle? = view.control { true } else { false }
                if mention.kind == .toggle, !isToggle {
                    error(
                        at: mention.location,
                        "view '\(name)' cannot be on or off; only a view with control: toggle can")
                }
            default: break
            }
        }
    }

    private mutating func help(_ name: String, among known: some Sequence<String>, or other: String) -> String {
        if let help = helps[name + other] { return help }
        let hint = findings.nearest.suggestion(for: name, among: known)
        helps[name + other] = hint.isEmpty ? other : hint
        return hint.isEmpty ? other : hint
    }
}
