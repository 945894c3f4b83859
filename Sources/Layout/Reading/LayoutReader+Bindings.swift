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
}
