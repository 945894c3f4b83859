nonisolated extension LayoutDocument {
    /// Every action in the layout, with its location.
    package var actions: [(action: HandlerAction, location: SourceLocation)] {
        var actions: [(HandlerAction, SourceLocation)] = []
        func add(_ steps: [HandlerStep]) {
            for case let step in steps {
                if case .action(let action) = step.kind { actions.append((action, step.location)) }
            }
        }
        forEachOccasion(add)
        for handler in handlers { add(handler.allSteps) }
        return actions
    }

    /// The absolute paths of the programs that handlers start, each with its first location.
    package var programs: [(path: String, location: SourceLocation)] {
        var paths: Set<String> = []
        return actions.compactMap { action, location in
            guard case .exec(let spec) = action, let path = spec.arguments.first?.filled(by: { _ in nil }),
                paths.insert(path).inserted
            else { return nil }
            return (path, location)
        }
    }
}
