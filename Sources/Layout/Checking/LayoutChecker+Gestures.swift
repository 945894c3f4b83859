nonisolated extension LayoutChecker {
    /// Checks gestures: they can be recognized, and they have an effect.
    mutating func checkGestureNames() {
        let mentioned = Set(references.mentions.lazy.filter { $0.kind == .gesture }.map(\.name))
        for (number, (view, gesture)) in index.gestures.enumerated() {
            checkHost(index.views[Int(view)].spec, of: gesture)
            checkTriggers(of: gesture)
            if gesture.on.isEmpty, !(gesture.id.map(mentioned.contains) ?? false) {
                warn(at: gesture.location, "this \(gesture.kind.name) has no effect: it has no 'run'")
            }
            if case .sequence(let views, _) = gesture.kind { checkSequence(views, on: view, gesture) }
            // The gestures of one view are consecutive.
            var earlier = number - 1
            cost.gestures += 1
            while earlier >= 0, index.gestures[earlier].view == view {
                cost.gestures += 1
                checkPair(index.gestures[earlier].spec, gesture)
                earlier -= 1
            }
        }
        checkWaiting()
    }

    private mutating func checkHost(_ view: ViewSpec, of gesture: GestureSpec) {
        let id = view.id ?? ""
        if !view.isEnabled, !steps.enabled.contains(id) {
            warn(
                at: gesture.location,
                "this \(gesture.kind.name) is never recognized: \(view.name) is disabled, and nothing enables it")
        } else if view.isHidden, !steps.shown.contains(id) {
            warn(
                at: gesture.location,
                "this \(gesture.kind.name) is never recognized: \(view.name) is hidden, and nothing shows it")
        }
    }

    private mutating func checkTriggers(of gesture: GestureSpec) {
        guard gesture.kind.name.isDiscrete else { return }
        for binding in gesture.on where [.began, .changed, .cancelled].contains(binding.trigger) {
            warn(
                at: binding.step.location,
                "a \(gesture.kind.name) is recognized all at once, so it has no '\(binding.trigger.rawValue)'; use recognized"
            )
        }
    }

    private mutating func checkSequence(_ ids: [String], on host: Int32, _ gesture: GestureSpec) {
        for id in ids {
            guard let view = index.viewsByID[id], !index.isView(view, in: host) else { continue }
            warn(
                at: gesture.location,
                "this sequence is never recognized: view '\(id)' is not in \(index.views[Int(host)].spec.name), which has the sequence"
            )
        }
    }

    /// Checks two gestures of one view, the first of which may prevent the second from ever being recognized.
    private mutating func checkPair(_ first: GestureSpec, _ second: GestureSpec) {
        guard !isRelated(first, second) else { return }
        if first.kind == second.kind {
            return warn(
                at: second.location,
                "this \(second.kind.name) is never recognized: the one at \(first.location) is the same; "
                    + "merge their steps into one, or add together-with")
        }
        switch (first.kind, second.kind) {
        case (.pan(let least, let most), .swipe(_, let touches)) where (least...most).contains(touches):
            warnOfPan(first, before: second)
        case (.swipe(_, let touches), .pan(let least, let most)) where (least...most).contains(touches):
            warnOfPan(second, before: first)
        default: break
        }
    }

    private mutating func warnOfPan(_ pan: GestureSpec, before swipe: GestureSpec) {
        let id = swipe.id ?? "ID"
        warn(
            at: swipe.location,
            "this swipe is never recognized: the pan at \(pan.location) is always recognized first; add after-failure-of: [\(id)] to the pan"
        )
    }

    private func isRelated(_ first: GestureSpec, _ second: GestureSpec) -> Bool {
        func names(_ gesture: GestureSpec, _ other: GestureSpec) -> Bool {
            guard let id = other.id else { return false }
            return gesture.requiresFailureOf.contains(id) || gesture.simultaneousWith.contains(id)
        }
        return names(first, second) || names(second, first)
    }

    /// Reports gestures that wait for each other, because none of them can be recognized.
    private mutating func checkWaiting() {
        var graph = ReferenceGraph(count: index.gestures.count)
        for (number, (_, gesture)) in index.gestures.enumerated() {
            for id in gesture.requiresFailureOf {
                if let other = index.gesturesByID[id] { graph.add(from: number, to: other) }
            }
        }
        let result = graph.search()
        cost.gestures += result.steps
        for circle in result.circles {
            let names = (circle + [circle[0]]).map { index.gestures[$0].spec.id ?? "(no id)" }
            error(
                at: index.gestures[circle[0]].spec.location,
                "gestures wait for each other's failure in a circle: \(names.way)")
        }
    }
}
