/// A point in the unit square of a screen or surface: (0, 0) is the top left corner, (1, 1) is just outside the bottom
/// right corner.
public struct SurfacePoint: Sendable, Equatable {
    /// From 0 at the left to just below 1 at the right.
    public var x: Double
    /// From 0 at the top to just below 1 at the bottom.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
