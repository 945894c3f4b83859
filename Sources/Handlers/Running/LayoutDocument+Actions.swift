import Layout

nonisolated extension LayoutDocument {
    /// Every action that the layout can take, with the place where it stands.
    var actions: [(action: HandlerAction, location: SourceLocation)] {
        var steps = on.map(\.step) + handlers.flatMap { $0.steps + $0.otherwise } + idle.flatMap { $0.on.map(\.step) }
        steps += deviceHandlers.flatMap { $0.on.map(\.step) }
        func visit(_ views: [ViewSpec]) {
            for view in views {
                steps += view.on.map(\.step) + view.gestures.flatMap { $0.on.map(\.step) }
                visit(view.views)
            }
        }
        visit(views)
        for page in pages {
            steps += page.on.map(\.step)
            visit(page.views)
        }
        return steps.compactMap { step in
            if case .action(let action) = step.kind { (action, step.location) } else { nil }
        }
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

    /// The keys of `emit` that the kernel has no such name for, as errors.
    public var unknownKeys: [LayoutFinding] {
        actions.flatMap { action, location -> [LayoutFinding] in
            guard case .emit(let keys) = action else { return [] }
            return keys.filter { VirtualKeyboard.code(of: $0) == nil }.map {
                LayoutFinding(
                    .error, at: location, "'emit': the kernel knows no key '\($0)'; input-event-codes.h has them all")
            }
        }
    }
}
