/// A summary of all steps in a layout.
nonisolated struct StepSummary {
    /// The number of steps.
    private(set) var count = 0
    /// The first locations at which each handler is run; a hundred for one name are more than a reader needs.
    private(set) var runs: [String: [SourceLocation]] = [:]
    /// The names in `runs`, in the order of their first locations.
    private(set) var runNames: [String] = []
    private(set) var pages: Set<String> = []
    private(set) var shown: Set<String> = []
    private(set) var hidden: Set<String> = []
    private(set) var enabled: Set<String> = []
    private(set) var disabled: Set<String> = []

    init() {}

    init(_ document: LayoutDocument) {
        document.forEachOccasion { steps in
            for step in steps { add(step) }
        }
        for handler in document.handlers {
            for step in handler.allSteps { add(step) }
        }
    }

    private mutating func add(_ step: HandlerStep) {
        count += 1
        switch step.kind {
        case .run(let name, _):
            if runs[name] == nil { runNames.append(name) }
            if runs[name, default: []].count <= LayoutLimit.findings { runs[name, default: []].append(step.location) }
        case .action(.command(.named(.go, let page))): pages.insert(page)
        case .action(.command(.named(.show, let id))): shown.insert(id)
        case .action(.command(.named(.hide, let id))): hidden.insert(id)
        case .action(.command(.named(.enable, let id))): enabled.insert(id)
        case .action(.command(.named(.disable, let id))): disabled.insert(id)
        case .action(.command(.named(.toggle, let id))):
            shown.insert(id)
            hidden.insert(id)
        case .action: break
        }
    }
}
