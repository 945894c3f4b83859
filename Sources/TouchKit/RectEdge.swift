/// The edges of a rectangle (`UIRectEdge`, with its raw values).
public nonisolated struct RectEdge: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes a set of edges from its bits.
    public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }

    /// The top edge.
    public nonisolated static let top = RectEdge(rawValue: 1 << 0)
    /// The left edge.
    public nonisolated static let left = RectEdge(rawValue: 1 << 1)
    /// The bottom edge.
    public nonisolated static let bottom = RectEdge(rawValue: 1 << 2)
    /// The right edge.
    public nonisolated static let right = RectEdge(rawValue: 1 << 3)
    /// Every edge.
    public nonisolated static let all: RectEdge = [.top, .left, .bottom, .right]
}
