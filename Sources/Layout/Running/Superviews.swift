import TouchKit

extension View {
    /// The view and its superviews, the innermost first.
    package var withSuperviews: Superviews { Superviews(view: self) }
}

/// A view and its superviews. Unlike `sequence(first:next:)`, it does not allocate.
package struct Superviews: @MainActor Sequence, @MainActor IteratorProtocol {
    fileprivate var view: View?

    package mutating func next() -> View? {
        defer { view = view?.superview }
        return view
    }
}
