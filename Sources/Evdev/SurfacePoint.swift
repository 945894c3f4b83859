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

/// A point in device units, as reported by the absolute axes.
public struct RawPoint: Sendable, Equatable {
    /// The value of `ABS_MT_POSITION_X` or `ABS_X`.
    public var x: Int32
    /// The value of `ABS_MT_POSITION_Y` or `ABS_Y`.
    public var y: Int32

    /// Creates a point.
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}
