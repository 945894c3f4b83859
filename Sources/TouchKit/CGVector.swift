import Foundation

/// A vector, as in Core Graphics; Foundation on Linux has no such type.
public nonisolated struct CGVector: Hashable, Codable, Sendable {
    /// The vector of length zero.
    public static let zero = CGVector()

    /// The horizontal component; positive is to the right.
    public var dx: CGFloat
    /// The vertical component; positive is down.
    public var dy: CGFloat

    /// Makes the vector of length zero.
    public init() { self.init(dx: 0, dy: 0) }

    /// Makes a vector from its two components.
    public init(dx: CGFloat, dy: CGFloat) {
        self.dx = dx
        self.dy = dy
    }
}
