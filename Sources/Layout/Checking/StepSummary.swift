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
        for device in document.deviceHandlers { add(device.on) }
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
        case .action(.command(.go(let page))): pages.insert(page)
        case .action(.command(.show(let id))): shown.insert(id)
        case .action(.command(.hide(let id))): hidden.insert(id)
        case .action(.command(.enable(let id))): enabled.insert(id)
        case .action(.command(.disable(let id))): disabled.insert(id)
        case .action(.command(.toggle(let id))):
            shown.insert(id)
            hidden.insert(id)
        case .action: break
        }
    }
}
