/// The first two rows of a 3×3 matrix on the unit square, as udev's `LIBINPUT_CALIBRATION_MATRIX` writes them:
/// x' = a·x + b·y + c, y' = d·x + e·y + f.
public struct CalibrationMatrix: Sendable, Equatable {
    /// The first row.
    public var a, b, c: Double
    /// The second row.
    public var d, e, f: Double

    /// Makes a matrix from its six numbers, row by row.
    public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Leaves every point where it is.
    public static let identity = CalibrationMatrix(1, 0, 0, 0, 1, 0)

    /// Where a point of the unit square goes; it may leave the square.
    public func apply(to point: SurfacePoint) -> SurfacePoint {
        SurfacePoint(x: a * point.x + b * point.y + c, y: d * point.x + e * point.y + f)
    }
}
