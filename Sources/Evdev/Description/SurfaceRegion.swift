/// The part of a screen that a surface covers, in fractions of the screen's width and height.
///
/// Two panels side by side on one screen have a half each.
public struct SurfaceRegion: Sendable, Equatable {
    /// The left edge, from 0 to 1.
    public var x: Double
    /// The top edge, from 0 to 1.
    public var y: Double
    /// The width, above 0; `x` + `width` is at most 1.
    public var width: Double
    /// The height, above 0; `y` + `height` is at most 1.
    public var height: Double

    /// Creates a region; it must be inside the unit square and not empty.
    public init(x: Double, y: Double, width: Double, height: Double) {
        precondition(
            x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1.000_001 && y + height <= 1.000_001,
            "a surface must not extend beyond the screen")
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The whole screen.
    public static let whole = SurfaceRegion(x: 0, y: 0, width: 1, height: 1)

    /// Converts a point of the surface to the screen.
    func point(_ point: SurfacePoint) -> SurfacePoint {
        // Rounding must not move a point over the screen's edge.
        SurfacePoint(x: min(x + point.x * width, 1.0.nextDown), y: min(y + point.y * height, 1.0.nextDown))
    }

    /// The distance of a place on the screen from the nearest edge of the surface.
    /// - Parameter unit: The size of the distance's unit, as fractions of the screen's width and height.
    func distanceToEdge(_ place: SurfacePoint, in unit: SurfacePoint) -> Double {
        min(
            min(place.x - x, x + width - place.x) / unit.x,
            min(place.y - y, y + height - place.y) / unit.y)
    }
}
