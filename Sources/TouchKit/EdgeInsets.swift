import Foundation

/// Distances from the edges of a rectangle inwards, in points (`UIEdgeInsets`).
public nonisolated struct EdgeInsets: Hashable, Sendable {
    /// Insets of zero.
    public static let zero = EdgeInsets()

    /// The distance from the top edge.
    public var top: CGFloat
    /// The distance from the left edge.
    public var left: CGFloat
    /// The distance from the bottom edge.
    public var bottom: CGFloat
    /// The distance from the right edge.
    public var right: CGFloat

    /// Makes insets of zero.
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

    /// Makes insets from four distances; negative distances point outwards.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}
