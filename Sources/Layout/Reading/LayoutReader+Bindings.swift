nonisolated extension LayoutReader {
    /// The triggers of an `on:`, with their keys; its owner decides them.
    struct BindingTriggers {
        let triggers: [HandlerBinding.Trigger]
        let names: [String]

        private init(_ triggers: HandlerBinding.Trigger...) {
            self.triggers = triggers
            names = triggers.map(\.rawValue)
        }

        static let layout = BindingTriggers(.began, .moved, .ended, .cancelled)
        static let view = BindingTriggers(
            .began, .moved, .ended, .cancelled, .held, .pressed, .released, .switchedOn, .switchedOff)
        static let gesture = BindingTriggers(.recognized, .began, .changed, .ended, .cancelled)
        static let page = BindingTriggers(.appeared, .disappeared, .began, .moved, .ended, .cancelled)
        static let idle = BindingTriggers(.idle, .woken)
        static let device = BindingTriggers(.absent, .silent, .back)
    }

    /// An `on:`: for each trigger one step or a list of steps.
    mutating func bindings(_ node: Node, for triggers: BindingTriggers) -> [HandlerBinding] {
        guard let values = nodes.mapping(node, "'on'", keys: triggers.names) else { return [] }
        var bindings: [HandlerBinding] = []
        for (trigger, name) in zip(triggers.triggers, triggers.names) {
            guard let value = values[name] else { continue }
            for step in steps(value, "the handler of '\(name)'") {
                bindings.append(HandlerBinding(trigger: trigger, step: step))
            }
        }
        return bindings
    }

    /// One step or a list of steps: names of handlers, `{run: NAME, with: {…}}`, or inline actions.
    mutating func steps(_ node: Node, _ what: @autoclosure () -> String) -> [HandlerStep] {
        if node.kind != .sequence { return nodes.charge(node) ? step(node, what()).map { [$0] } ?? [] : [] }
        return nodes.oneOrMore(node).compactMap { step($0, what()) }
    }

    private mutating func step(_ node: Node, _ what: @autoclosure () -> String) -> HandlerStep? {
        // The factor allows for arrays that grow by doubling.
        guard nodes.charge(node, bytes: 2 * MemoryLayout<HandlerBinding>.stride) else { return nil }
        if node.isScalar {
            guard let name = nodes.string(node, what()), isAllowed(name, at: node) else { return nil }
            return HandlerStep(kind: .run(name, arguments: [:]), location: node.location)
        }
        let keys = ["run", "with"] + (slotHandlers == nil ? HandlerAction.keywords : [])
        guard let values = nodes.mapping(node, what(), keys: keys) else { return nil }
        if let run = values["run"] {
            for other in values.names where other != "run" && other != "with" {
                nodes.note(at: node, "\(what()) has both 'run' and '\(other)'; make them two steps of a list")
            }
            guard let name = nodes.string(run, "'run'"), isAllowed(name, at: run) else { return nil }
            let arguments = values["with"].map { self.arguments($0, of: name) } ?? [:]
            return HandlerStep(kind: .run(name, arguments: arguments), location: run.location)
        }
        if slotHandlers != nil {
            if !values.hasUnknownKeys { nodes.note(at: node, "\(what()) has no 'run'; add run: HANDLER") }
            return nil
        }
        if let with = values["with"] { nodes.note(at: with, "'with' is only for 'run'; remove it") }
        return action(values, of: what(), at: node)
    }

    /// Whether published views may run a handler: the layout lists the handlers of each slot.
    private mutating func isAllowed(_ handler: String, at node: Node) -> Bool {
        guard let slotHandlers, !slotHandlers.contains(handler) else { return true }
        let known = slotHandlers.sorted().prefix(20).joined(separator: ", ")
        nodes.note(
            at: node,
            "handler '\(handler.prefix(80))' is not allowed in this slot "
                + (known.isEmpty ? "(it lists none)" : "(it lists \(known))")
                + "; add it to 'handlers' of the slot in the layout file")
        return false
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
