nonisolated extension LayoutDocument {
    /// Every action that the layout can take, with its place.
    package var actions: [(action: HandlerAction, location: SourceLocation)] {
        var actions: [(HandlerAction, SourceLocation)] = []
        func add(_ steps: [HandlerStep]) {
            for case let step in steps {
                if case .action(let action) = step.kind { actions.append((action, step.location)) }
            }
        }
        forEachOccasion(add)
        for handler in handlers {
            add(handler.steps)
            add(handler.otherwise)
        }
        return actions
    }

    /// The programs that handlers start, by their absolute paths, each with the first place where it stands.
    public var programs: [(path: String, location: SourceLocation)] {
        var paths: Set<String> = []
        return actions.compactMap { action, location in
            guard case .exec(let spec) = action, let path = spec.arguments.first?.filled(by: { _ in nil }),
                paths.insert(path).inserted
            else { return nil }
            return (path, location)
        }
    }
}
