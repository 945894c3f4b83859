nonisolated extension LayoutChecker {
    /// Checks `redirect:`: the target exists and can receive touches.
    mutating func checkRedirects() {
        let targets = index.redirects.map { index.viewsByID[$0.target] }
        checkCircles(targets)
        let redirected = Set(index.redirects.map(\.view))
        for ((number, id), target) in zip(index.redirects, targets) {
            cost.redirects += 1
            guard let target else { continue }
            let (view, other) = (index.views[Int(number)], index.views[Int(target)])
            if other.screen != view.screen || (other.page >= 0 && other.page != view.page) {
                let place = other.page >= 0 ? "page '\(document.pages[Int(other.page)].name)'" : "another screen"
                error(
                    at: view.spec.location,
                    "\(view.spec.name) redirects to view '\(id)', which is on \(place); a touch stays on its page")
            } else if view.privateView >= 0, other.privateView != view.privateView {
                // Logs name the final view, so a redirect out of a private view would reveal its touches.
                let place = view.privateView == number ? "private" : "in a private view"
                error(
                    at: view.spec.location,
                    "\(view.spec.name) is \(place), but redirects to view '\(id)', whose touches are logged; "
                        + "redirect inside the private view, or put both into one private view")
            } else if let reason = reasonAgainst(other.spec, isRedirected: redirected.contains(target)) {
                warn(
                    at: view.spec.location,
                    "\(view.spec.name) redirects to view '\(id)', which takes no touches: \(reason)")
            }
        }
    }

    private func reasonAgainst(_ view: ViewSpec, isRedirected: Bool) -> String? {
        let id = view.id ?? ""
        if view.isHidden, !steps.shown.contains(id) { return "it is hidden, and nothing shows it" }
        if !view.isEnabled, !steps.enabled.contains(id) { return "it is disabled, and nothing enables it" }
        if view.isPassthrough, !isRedirected { return "it has passthrough: true" }
        return nil
    }

    private mutating func checkCircles(_ targets: [Int32?]) {
        guard !targets.isEmpty else { return }
        var graph = ReferenceGraph(count: index.views.count)
        for (redirect, target) in zip(index.redirects, targets) {
            if let target { graph.add(from: Int(redirect.view), to: Int(target)) }
        }
        let result = graph.search()
        cost.redirects += result.steps
        for circle in result.circles {
            let names = (circle + [circle[0]]).map { index.views[$0].spec.id ?? "(no id)" }
            error(at: index.views[circle[0]].spec.location, "views redirect in a circle: \(names.way)")
        }
    }
}
