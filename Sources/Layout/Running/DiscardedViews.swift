import TouchKit

/// Views that are not used any more. Freeing thousands of them at once would delay touches.
package struct DiscardedViews {
    private var views: [View] = []
    private var specs: [ViewSpec] = []

    /// Whether all are freed.
    package var isEmpty: Bool { views.isEmpty && specs.isEmpty }

    /// Takes views, which are in no window, and entries, each with everything in it.
    mutating func add(_ views: [View], _ specs: [ViewSpec]) {
        self.views += views
        self.specs += specs
    }

    /// Frees views while there is time.
    package mutating func free(while hasTime: () -> Bool) {
        // The subviews of a freed view are kept, so that they are freed one by one too.
        while hasTime(), let view = views.popLast() { views += view.subviews }
        while hasTime(), let spec = specs.popLast() { specs += spec.views }
    }
}
