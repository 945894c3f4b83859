/// A view and its position in a layout.
package nonisolated struct ViewVisit {
    /// The view.
    package var view: ViewSpec
    /// Its number among all views, in the order of the traversal.
    package var number: Int
    /// The index of its page; nil for a view on every page.
    package var page: Int?
    /// The number of its ancestors.
    package var depth: Int
}

nonisolated extension LayoutDocument {
    /// Calls a closure with each view: first the views of every page, then page by page; superviews before their
    /// subviews, back to front.
    package func forEachView(_ body: (ViewVisit) -> Void) {
        var number = 0
        // Views are nested at most `LayoutLimit.viewDepth` deep.
        func walk(_ views: [ViewSpec], page: Int?, depth: Int) {
            for index in views.indices {
                body(ViewVisit(view: views[index], number: number, page: page, depth: depth))
                number += 1
                let subviews = views[index].views
                if !subviews.isEmpty { walk(subviews, page: page, depth: depth + 1) }
            }
        }
        walk(views, page: nil, depth: 0)
        for (index, page) in pages.enumerated() { walk(page.views, page: index, depth: 0) }
    }

    /// The number of views, subviews included.
    package var viewCount: Int {
        var count = 0
        forEachView { _ in count += 1 }
        return count
    }

    /// Calls a closure with each list of steps that run for the same event.
    package func forEachOccasion(_ body: ([HandlerStep]) -> Void) {
        func each(_ bindings: [HandlerBinding]) {
            var rest = bindings[...]
            // Bindings with the same trigger are consecutive.
            while let first = rest.first {
                let ofTrigger = rest.prefix { $0.trigger == first.trigger }
                body(ofTrigger.map(\.step))
                rest = rest.dropFirst(ofTrigger.count)
            }
        }
        each(on)
        forEachView { visit in
            each(visit.view.on)
            for step in visit.view.slot?.handlers ?? [] { body([step]) }
            for gesture in visit.view.gestures { each(gesture.on) }
        }
        for page in pages { each(page.on) }
        for idle in idle { each(idle.on) }
        for device in deviceHandlers { each(device.on) }
    }
}
