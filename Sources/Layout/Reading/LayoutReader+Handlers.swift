nonisolated extension LayoutReader {
    /// `handlers:`, each name with its steps, from all files.
    mutating func handlers(_ node: Node, into document: inout LayoutDocument) {
        guard let entries = nodes.entries(node, "'handlers'") else { return }
        defer { references.currentHandler = nil }
        for (key, name, value) in entries where nodes.checkName(name, "a handler's name", at: key) {
            if let first = references.handlers[name] {
                nodes.note(at: key, "two handlers have the name '\(name)'; the first is at \(first)")
                continue
            }
            references.handlers[name] = key.location
            references.currentHandler = name
            if let handler = handler(value, named: name, at: key) { document.handlers.append(handler) }
        }
    }

    private mutating func handler(_ node: Node, named name: String, at key: Node) -> HandlerSpec? {
        let what = "handler '\(name)'"
        let conditional = ["when", "do", "else", "choose", "cooldown"]
        let isConditional =
            node.kind == .mapping
            && (0..<node.count).contains { index in conditional.contains { node.key(index).isText($0) } }
        guard isConditional else {
            let steps = steps(node, what)
            if node.kind == .sequence, node.count == 0 {
                nodes.note(at: node, "\(what) does nothing; add a step to its list")
            }
            return steps.isEmpty ? nil : HandlerSpec(name: name, location: key.location, steps: steps)
        }
        guard let values = nodes.mapping(node, what, keys: conditional) else { return nil }
        var handler = HandlerSpec(name: name, location: key.location, steps: [])
        handler.cooldown = cooldown(values["cooldown"])
        handler.otherwise = values["else"].map { steps($0, "'else' of \(what)") } ?? []
        if let choose = values["choose"] {
            for key in ["when", "do"] where values[key] != nil {
                nodes.note(at: node, "\(what) has both 'choose' and '\(key)'; move '\(key)' into the list of 'choose'")
            }
            handler.cases = cases(choose, of: what)
            return handler
        }
        if values["when"] == nil, values["cooldown"] == nil || values["else"] != nil {
            nodes.note(at: node, "\(what) has no 'when'; add when: {page: …}, or write its steps as a list")
        }
        if values["do"] == nil, values["else"] == nil {
            nodes.note(at: node, "\(what) does nothing; add do: HANDLER")
        }
        handler.cases = [handlerCase(values, of: what)]
        return handler
    }

    /// `choose:`, cases of which the first with true conditions runs.
    private mutating func cases(_ node: Node, of what: String) -> [HandlerCase] {
        guard let items = nodes.sequence(node, "'choose' of \(what)") else { return [] }
        if items.isEmpty { nodes.note(at: node, "'choose' of \(what) is empty; add {when: {page: …}, do: HANDLER}") }
        return items.compactMap { item in
            let name = "a case of \(what)"
            guard let values = nodes.mapping(item, name, keys: ["when", "do"]) else { return nil }
            for key in ["when", "do"] where values[key] == nil && !values.hasUnknownKeys {
                let hint =
                    key == "when"
                    ? "add when: {page: …}, or move its steps to 'else' beside 'choose'" : "add do: HANDLER"
                nodes.note(at: item, "\(name) has no '\(key)'; \(hint)")
            }
            return handlerCase(values, of: what)
        }
    }

    private mutating func handlerCase(_ values: YAMLNodes.Values, of what: String) -> HandlerCase {
        HandlerCase(
            conditions: values["when"].map { conditions($0) } ?? [],
            steps: values["do"].map { steps($0, "'do' of \(what)") } ?? [])
    }

    /// `when:`, conditions that must all be true.
    private mutating func conditions(_ node: Node) -> [ConditionSpec] {
        let keys = ["page", "shown", "hidden", "enabled", "disabled", "switched-on", "switched-off"]
        guard let values = nodes.mapping(node, "'when'", keys: keys) else { return [] }
        if values.isEmpty { nodes.note(at: node, "'when' is empty; add a condition such as page: NAME") }
        var conditions: [ConditionSpec] = []
        for key in keys {
            guard let value = values[key] else { continue }
            for item in nodes.oneOrMore(value) {
                guard let name = nodes.string(item, "'\(key)' of 'when'") else { continue }
                switch key {
                case "page":
                    references.mention(name, as: .page, at: item)
                    conditions.append(.page(name))
                case "switched-on", "switched-off":
                    references.mention(name, as: .toggle, at: item)
                    conditions.append(key == "switched-on" ? .switchedOn(name) : .switchedOff(name))
                default:
                    references.mention(name, as: .view, at: item)
                    switch key {
                    case "shown": conditions.append(.shown(name))
                    case "hidden": conditions.append(.hidden(name))
                    case "enabled": conditions.append(.enabled(name))
                    default: conditions.append(.disabled(name))
                    }
                }
            }
        }
        return conditions
    }
}
