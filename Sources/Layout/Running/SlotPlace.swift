/// What a publication depends on besides its text.
package nonisolated struct SlotPlace: Sendable {
    /// The slot's entry in the layout.
    let spec: SlotSpec
    /// Where the views are read: the slot's size, and what its superviews have.
    let context: LayoutReader.Context
    /// The slot's views that may stay.
    var former: [ViewSpec] = []
}
