import TouchKit

/// Views that are not used any more. Freeing thousands of them at once would delay touches.
package struct DiscardedViews {
    private var views: [View] = []
    private var specs: [ViewSpec] = []
    private var indexes: [[String: View]] = []

    /// Whether all are freed.
    package var isEmpty: Bool { views.isEmpty && specs.isEmpty && indexes.isEmpty }

    /// Takes views, which are in no window, and entries, each with everything in it, and an index.
    mutating func add(_ views: [View], _ specs: [ViewSpec], _ index: [String: View] = [:]) {
        self.views += views
        // The usual case, without a copy.
        if self.specs.isEmpty { self.specs = specs } else { self.specs += specs }
        if !index.isEmpty { indexes.append(index) }
    }

    /// Frees views while there is time.
    package mutating func free(while hasTime: () -> Bool) {
        while hasTime(), indexes.popLast() != nil {}
        // The subviews of a freed view are kept, so that they are freed one by one too.
        while hasTime(), let view = views.popLast() { views += view.subviews }
        while hasTime(), let spec = specs.popLast() { specs += spec.views }
    }
}
