nonisolated extension LayoutChecker {
    /// `redirect:`, that it leads to a view that is there and can take touches.
    mutating func checkRedirects() {
        var reported: Set<Int> = []
        for (number, view) in index.views.enumerated() {
            guard let id = view.redirect, let target = index.viewsByID[id] else { continue }
            checkCircle(from: number, &reported)
            let other = index.views[target]
            if other.screen != view.screen || (other.page != nil && other.page != view.page) {
                let place = other.page.map { "page '\(document.pages[$0].name)'" } ?? "another screen"
                error(
                    at: view.location,
                    "\(view.name) redirects to view '\(id)', which is on \(place); a touch stays on its page")
                continue
            }
            if let reason = reasonAgainst(other) {
                warn(at: view.location, "\(view.name) redirects to view '\(id)', which takes no touches: \(reason)")
            }
        }
    }

    private func reasonAgainst(_ view: LayoutIndex.Entry) -> String? {
        let id = view.id ?? ""
        if view.isHidden, !steps.shown.contains(id) { return "it is hidden, and nothing shows it" }
        if !view.isEnabled, !steps.enabled.contains(id) { return "it is disabled, and nothing enables it" }
        if view.isPassthrough, view.redirect == nil { return "it has passthrough: true" }
        return nil
    }

    private mutating func checkCircle(from start: Int, _ reported: inout Set<Int>) {
        var way = [start]
        while let id = index.views[way[way.count - 1]].redirect, let next = index.viewsByID[id] {
            if let first = way.firstIndex(of: next) {
                let circle = way[first...]
                guard reported.isDisjoint(with: circle) else { return }
                reported.formUnion(circle)
                let names = (circle + [next]).map { index.views[$0].id ?? "(no id)" }
                return error(
                    at: index.views[next].location, "views redirect in a circle: \(names.joined(separator: " → "))")
            }
            // A circle that was told of is not told of again by all that lead into it.
            if reported.contains(next) { return }
            way.append(next)
        }
    }
}
