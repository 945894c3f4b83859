/// The first two rows of a 3×3 matrix on the unit square, in the format of udev's `LIBINPUT_CALIBRATION_MATRIX`: x' =
/// a·x + b·y + c, y' = d·x + e·y + f.
public struct CalibrationMatrix: Sendable, Equatable {
    /// The first row.
    public var a, b, c: Double
    /// The second row.
    public var d, e, f: Double

    /// The greatest absolute value of a number, so that every calibrated place is finite.
    package static let greatest = 1_000_000.0

    /// Creates a matrix from its six numbers, row by row.
    public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Parses udev's property: six numbers separated by spaces, as libinput documents it; returns nil if it is invalid.
    package init?(udevProperty text: String) {
        let numbers = text.split(separator: " ").map { Double($0) }
        // Nine numbers are also accepted: the last row is always 0 0 1.
        guard numbers.count == 6 || numbers.count == 9 else { return nil }
        let known = numbers.prefix(6).compactMap { $0 }.filter { abs($0) <= Self.greatest }
        guard known.count == 6 else { return nil }
        self.init(known[0], known[1], known[2], known[3], known[4], known[5])
    }

    /// The matrix that does not change points.
    public static let identity = CalibrationMatrix(1, 0, 0, 0, 1, 0)

    /// The matrix that applies `first`, then this one.
    package func after(_ first: CalibrationMatrix) -> CalibrationMatrix {
        CalibrationMatrix(
            a * first.a + b * first.d, a * first.b + b * first.e, a * first.c + b * first.f + c,
            d * first.a + e * first.d, d * first.b + e * first.e, d * first.c + e * first.f + f)
    }

    /// Applies the matrix to a point of the unit square; the result may be outside the square.
    package func apply(to point: SurfacePoint) -> SurfacePoint {
        SurfacePoint(x: a * point.x + b * point.y + c, y: d * point.x + e * point.y + f)
    }

    // MARK: Fitting

    /// The matrix that maps touched points to target points with the least squared error.
    ///
    /// - Parameter pairs: At least three points that are not on one line: the uncalibrated location of each touch, in
    ///   fractions of the announced range, which it may leave; and its target in the unit square.
    /// - Returns: Nil if there are too few points or they are almost on one line.
    package init?(fitting pairs: [(touched: SurfacePoint, wanted: SurfacePoint)]) {
        guard pairs.count >= 3 else { return nil }
        func mean(_ value: (SurfacePoint, SurfacePoint) -> Double) -> Double {
            pairs.map { value($0, $1) }.reduce(0, +) / Double(pairs.count)
        }
        let touched = SurfacePoint(x: mean { place, _ in place.x }, y: mean { place, _ in place.y })
        let wanted = SurfacePoint(x: mean { _, mark in mark.x }, y: mean { _, mark in mark.y })
        // Relative to the means, the normal equations of x' = a·x + b·y + c and y' = d·x + e·y + f have no c and f.
        let xx = mean { place, _ in (place.x - touched.x) * (place.x - touched.x) }
        let xy = mean { place, _ in (place.x - touched.x) * (place.y - touched.y) }
        let yy = mean { place, _ in (place.y - touched.y) * (place.y - touched.y) }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-9 * xx * yy else { return nil }
        func row(_ middle: Double, _ coordinate: (SurfacePoint) -> Double) -> (Double, Double, Double) {
            let x = mean { ($0.x - touched.x) * (coordinate($1) - middle) }
            let y = mean { ($0.y - touched.y) * (coordinate($1) - middle) }
            let (a, b) = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant)
            return (a, b, middle - a * touched.x - b * touched.y)
        }
        let (a, b, c) = row(wanted.x) { $0.x }, (d, e, f) = row(wanted.y) { $0.y }
        self.init(a, b, c, d, e, f)
    }

    /// The greatest distance between a calibrated touch and its target, as a fraction of the screen.
    package func greatestError(of pairs: [(touched: SurfacePoint, wanted: SurfacePoint)]) -> Double {
        pairs.map { touched, wanted in
            let point = apply(to: touched)
            return max(abs(point.x - wanted.x), abs(point.y - wanted.y))
        }.max() ?? 0
    }
}
