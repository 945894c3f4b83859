import Foundation

/// The rotation of a mouse's wheels, in detents.
public nonisolated struct Scroll: Hashable, Sendable {
    /// The horizontal wheel; positive is to the right.
    public var x: CGFloat
    /// The vertical wheel; positive is away from the user.
    public var y: CGFloat

    /// Makes a scroll from detents.
    public nonisolated init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }
}
