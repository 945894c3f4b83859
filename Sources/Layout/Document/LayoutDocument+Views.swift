extension LayoutDocument {
    /// Calls a closure with each view, superviews first.
    package nonisolated mutating func forEachView(_ body: (inout ViewSpec) -> Void) {
        func visit(_ specs: inout [ViewSpec]) {
            for index in specs.indices {
                body(&specs[index])
                visit(&specs[index].views)
            }
        }
        visit(&views)
        for index in pages.indices { visit(&pages[index].views) }
    }
}
