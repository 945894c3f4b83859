nonisolated extension LayoutReader {
    /// The owner of an `on:`, which decides its triggers.
    enum BindingPlace {
        case layout, view, gesture, page, idle, device

        var triggers: [HandlerBinding.Trigger] {
            switch self {
            case .layout: [.began, .moved, .ended, .cancelled]
            case .view: [.began, .moved, .ended, .cancelled, .pressed, .switchedOn, .switchedOff]
            case .gesture: [.recognized, .began, .changed, .ended, .cancelled]
            case .page: [.appeared, .disappeared, .began, .moved, .ended, .cancelled]
            case .idle: [.idle, .woken]
            case .device: [.absent, .silent, .back]
            }
        }
    }

    /// An `on:`: for each trigger one step or a list of steps.
    mutating func bindings(_ node: Node, for place: BindingPlace) -> [HandlerBinding] {
        let triggers = place.triggers
        guard let values = nodes.mapping(node, "'on'", keys: triggers.map(\.rawValue)) else { return [] }
        var bindings: [HandlerBinding] = []
        for trigger in triggers {
            guard let value = values[trigger.rawValue] else { continue }
            for step in steps(value, "the handler of '\(trigger.rawValue)'") {
                bindings.append(HandlerBinding(trigger: trigger, step: step))
            }
        }
        return bindings
    }

    /// One step or a list of steps: names of handlers, `{run: NAME, with: {…}}`, or inline actions.
    mutating func steps(_ node: Node, _ what: String) -> [HandlerStep] {
        nodes.oneOrMore(node).compactMap { step($0, what) }
    }

    private mutating func step(_ node: Node, _ what: String) -> HandlerStep? {
        // The factor allows for arrays that grow by doubling.
        guard nodes.charge(node, bytes: 2 * MemoryLayout<HandlerBinding>.stride) else { return nil }
        if node.isScalar {
            guard let name = nodes.string(node, what) else { return nil }
            return HandlerStep(kind: .run(name, arguments: [:]), location: node.location)
        }
        let keys = ["run", "with"] + HandlerAction.keywords
        guard let values = nodes.mapping(node, what, keys: keys) else { return nil }
        if let run = values["run"] {
            for other in values.names where other != "run" && other != "with" {
                nodes.note(at: node, "\(what) has both 'run' and '\(other)'; make them two steps of a list")
            }
            guard let name = nodes.string(run, "'run'") else { return nil }
            let arguments = values["with"].map { self.arguments($0, of: name) } ?? [:]
            return HandlerStep(kind: .run(name, arguments: arguments), location: run.location)
        }
        if let with = values["with"] { nodes.note(at: with, "'with' is only for 'run'; remove it") }
        return action(values, of: what, at: node)
    }

    private mutating func arguments(_ node: Node, of handler: String) -> HandlerArguments {
        guard node.count <= LayoutLimit.arguments else {
            nodes.note(
                at: node,
                "'with' may have at most \(LayoutLimit.arguments) arguments (got \(node.count)); remove some")
            return [:]
        }
        guard let entries = nodes.entries(node, "'with'") else { return [:] }
        var arguments: HandlerArguments = [:]
        for (key, name, value) in entries {
            guard Template.isFactName(name) else {
                nodes.note(at: key, "an argument's name must consist of letters, digits, '-' and '_'")
                continue
            }
            if Template.occasionFacts.contains(name) {
                nodes.note(at: key, "'\(name)' is the name of a fact; rename the argument")
                continue
            }
            references.arguments[handler, default: []].insert(name)
            if let template = template(value, "argument '\(name)'") { arguments[name] = template }
        }
        return arguments
    }

    /// A text with placeholders; facts that no event provides are recorded for the checker.
    mutating func template(_ node: Node, _ what: String) -> Template? {
        guard let template = nodes.template(node, what) else { return nil }
        for name in template.factNames where !Template.occasionFacts.contains(name) {
            references.otherFacts.append((name, references.currentHandler, node.location))
        }
        return template
    }
}
