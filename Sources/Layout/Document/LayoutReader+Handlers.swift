import Yams

nonisolated extension LayoutReader {
    private static let touchTriggers: [HandlerBinding.Trigger] = [.began, .moved, .ended, .cancelled]

    /// An `on:`: each trigger with one handler's name or a list of them.
    mutating func bindings(_ node: Node) -> [HandlerBinding] {
        let triggers = Self.touchTriggers.map(\.rawValue)
        guard let values = nodes.mapping(node, "'on'", keys: triggers) else { return [] }
        return Self.touchTriggers.flatMap { trigger -> [HandlerBinding] in
            guard let value = values[trigger.rawValue] else { return [] }
            let names: [Node]
            if case .sequence(let list) = value { names = Array(list) } else { names = [value] }
            return names.compactMap { name in
                nodes.string(name, "the handler of '\(trigger.rawValue)'").map {
                    HandlerBinding(
                        trigger: trigger,
                        step: HandlerStep(kind: .run($0, arguments: [:]), location: nodes.location(of: name)))
                }
            }
        }
    }

    /// `handlers:`: each name with what it does.
    mutating func handlers(_ node: Node) -> [HandlerSpec] {
        guard let entries = nodes.entries(node, "'handlers'") else { return [] }
        declaredHandlers = Set(entries.map(\.name))
        return entries.compactMap { key, name, value in
            guard nodes.checkName(name, "a handler's name", at: key) else { return nil }
            return action(value, of: name).map {
                let step = HandlerStep(kind: .action($0), location: nodes.location(of: value))
                return HandlerSpec(name: name, location: nodes.location(of: key), steps: [step])
            }
        }
    }

    private mutating func action(_ node: Node, of name: String) -> HandlerAction? {
        let kinds = ["log", "exec"]
        guard let values = nodes.mapping(node, "handler '\(name)'", keys: kinds) else { return nil }
        guard values.count == 1, let (kind, value) = values.first else {
            nodes.note(at: node, "handler '\(name)' has to do one thing: \(kinds.joined(separator: " or "))")
            return nil
        }
        switch kind {
        case "log": return nodes.string(value, "'log'").map { .log(Template(verbatim: $0)) }
        default: return command(value, of: name).map { .exec(ExecSpec(arguments: $0.map { Template(verbatim: $0) })) }
        }
    }

    private mutating func command(_ node: Node, of name: String) -> [String]? {
        guard let items = nodes.sequence(node, "'exec' of handler '\(name)'") else { return nil }
        let arguments = items.compactMap { nodes.string($0, "an argument of handler '\(name)'") }
        guard arguments.count == items.count else { return nil }
        guard let program = arguments.first, program.hasPrefix("/") else {
            nodes.note(
                at: items.first ?? node,
                "'exec' of handler '\(name)' has to begin with a program's absolute path; there is no shell to look for one"
            )
            return nil
        }
        guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
            nodes.note(at: node, "an argument of handler '\(name)' has a NUL character in it")
            return nil
        }
        return arguments
    }
}
