import Foundation

/// What a layout's parts have to agree on among themselves: names that are unique, names that exist, views that can be hit.
nonisolated struct LayoutChecker {
    let builtins: Set<String>
    let declared: Set<String>

    func findings(in document: LayoutDocument) -> [LayoutFinding] {
        var walk = Walk(screen: CGRect(origin: .zero, size: document.screens[0].size))
        walk.visit(document.views, in: walk.screen, named: "the screen")
        walk.bindings += document.on

        var findings = walk.findings
        findings += document.handlers.filter { builtins.contains($0.name) }.map {
            LayoutFinding(
                .error, at: $0.location,
                "a handler named '\($0.name)' exists without the layout's doing; give yours another name")
        }
        let known = builtins.union(declared)
        findings += walk.bindings.map(\.step).filter { !known.contains($0.name) }.prefix(YAMLNodes.findingLimit).map {
            let hint = NearestName.suggestion(for: $0.name, among: known)
            let help = hint.isEmpty ? "; define it under 'handlers'" : hint
            return LayoutFinding(.error, at: $0.location, "no handler is named '\($0.name)'\(help)")
        }
        let used = Set(walk.bindings.map(\.step.name))
        findings += document.handlers.filter { !used.contains($0.name) }.map {
            LayoutFinding(.warning, at: $0.location, "handler '\($0.name)' is never used")
        }
        return findings
    }

    private struct Walk {
        let screen: CGRect
        var findings: [LayoutFinding] = []
        var bindings: [HandlerBinding] = []
        private var places: [String: SourceLocation] = [:]

        init(screen: CGRect) { self.screen = screen }

        mutating func visit(_ views: [ViewSpec], in bounds: CGRect, named superview: String) {
            for view in views {
                if let id = view.id {
                    if let first = places.updateValue(view.location, forKey: id) {
                        places[id] = first
                        findings.append(
                            LayoutFinding(
                                .error, at: view.location, "two views have the id '\(id)'; the first is at \(first)"))
                    }
                }
                let name = view.id.map { "view '\($0)'" } ?? "this view"
                if view.frame.isEmpty || !view.frame.intersects(bounds) {
                    findings.append(
                        LayoutFinding(
                            .warning, at: view.location,
                            view.frame.isEmpty
                                ? "\(name) has no area, so nothing can touch it"
                                : "\(name) lies outside \(superview), so nothing can touch it"))
                }
                bindings += view.on
                visit(view.views, in: CGRect(origin: .zero, size: view.frame.size), named: name)
            }
        }
    }
}
