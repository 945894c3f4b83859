nonisolated extension LayoutChecker {
    /// `redirect:`, that it leads to a view that is there and can take touches.
    mutating func checkRedirects() {
        var reported: Set<Int32> = []
        for (number, id) in index.redirects.sorted(by: { $0.key < $1.key }) {
            guard let target = index.viewsByID[id] else { continue }
            checkCircle(from: number, &reported)
            let (view, other) = (index.views[Int(number)], index.views[Int(target)])
            if other.screen != view.screen || (other.page >= 0 && other.page != view.page) {
                let place = other.page >= 0 ? "page '\(document.pages[Int(other.page)].name)'" : "another screen"
                error(
                    at: view.location,
                    "\(view.name) redirects to view '\(id)', which is on \(place); a touch stays on its page")
            } else if let pad = index.outermostPrivate(of: number), index.outermostPrivate(of: target) != pad {
                // What is told of a touch is told of the view that it is on in the end.
                let place = pad == number ? "private" : "in a private view"
                error(
                    at: view.location,
                    "\(view.name) is \(place) and redirects to view '\(id)' outside of it, where touches are told of; "
                        + "redirect inside the private view, or put both in one")
            } else if let reason = reasonAgainst(other, isRedirected: index.redirects[target] != nil) {
                warn(at: view.location, "\(view.name) redirects to view '\(id)', which takes no touches: \(reason)")
            }
        }
    }

    private func reasonAgainst(_ view: LayoutIndex.Entry, isRedirected: Bool) -> String? {
        let id = view.id ?? ""
        if view.isHidden, !steps.shown.contains(id) { return "it is hidden, and nothing shows it" }
        if !view.isEnabled, !steps.enabled.contains(id) { return "it is disabled, and nothing enables it" }
        if view.isPassthrough, !isRedirected { return "it has passthrough: true" }
        return nil
    }

    private mutating func checkCircle(from start: Int32, _ reported: inout Set<Int32>) {
        var way = [start]
        while let id = index.redirects[way[way.count - 1]], let next = index.viewsByID[id] {
            // A circle that was told of is not told of again by all that lead into it.
            if reported.contains(next) { return }
            if let first = way.firstIndex(of: next) {
                let circle = way[first...]
                reported.formUnion(circle)
                let names = (circle + [next]).map { index.views[Int($0)].id ?? "(no id)" }
                return error(
                    at: index.views[Int(next)].location, "views redirect in a circle: \(names.joined(separator: " → "))"
                )
            }
            way.append(next)
        }
    }
}
