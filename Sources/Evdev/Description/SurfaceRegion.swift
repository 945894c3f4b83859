/// The part of a screen that a surface covers, in parts of the screen's width and height.
///
/// Two panels side by side behind one picture have a half each.
public struct SurfaceRegion: Sendable, Equatable {
    /// Where its left edge is, from 0 to 1.
    public var x: Double
    /// Where its top edge is, from 0 to 1.
    public var y: Double
    /// How wide it is, above 0; with `x` at most 1.
    public var width: Double
    /// How high it is, above 0; with `y` at most 1.
    public var height: Double

    /// Makes a region; it has to lie in the unit square and have a size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        precondition(
            x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1.000_001 && y + height <= 1.000_001,
            "a surface covers a part of the screen and nothing beyond it")
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// All of the screen.
    public static let whole = SurfaceRegion(x: 0, y: 0, width: 1, height: 1)

    /// Where a point of the surface is on the screen.
    func point(_ point: SurfacePoint) -> SurfacePoint {
        // Rounding must not carry a point that is inside over the screen's edge.
        SurfacePoint(x: min(x + point.x * width, 1.0.nextDown), y: min(y + point.y * height, 1.0.nextDown))
    }

    /// How far a point of the screen is from the nearest edge of the surface, in parts of the screen.
    func distanceToEdge(_ point: SurfacePoint) -> Double {
        min(point.x - x, point.y - y, x + width - point.x, y + height - point.y)
    }
}
