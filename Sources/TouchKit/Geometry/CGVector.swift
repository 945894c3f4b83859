import Foundation

/// A direction and a length, as Core Graphics has it; Foundation has no such type on Linux.
public nonisolated struct CGVector: Hashable, Codable, Sendable {
    /// The vector without length.
    public static let zero = CGVector()

    /// How far it goes to the right.
    public var dx: CGFloat
    /// How far it goes down.
    public var dy: CGFloat

    /// Makes the vector without length.
    public init() { self.init(dx: 0, dy: 0) }

    /// Makes a vector from its two components.
    public init(dx: CGFloat, dy: CGFloat) {
        self.dx = dx
        self.dy = dy
    }
}
