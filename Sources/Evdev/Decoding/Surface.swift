/// Converts device units into the unit square of the surface.
///
/// A value becomes (value − minimum) / (maximum − minimum + 1), as in libinput. So the maximum stays inside: a touch
/// there is on the last column of pixels and not beyond it. A mirrored or rotated axis has the same places in reverse
/// order: its minimum is on the last column, and its maximum at 0. (libinput applies the matrix to the places
/// themselves, so its minimum is then at 1, a pixel beyond the screen.)
package struct Surface: Sendable, Equatable {
    private let horizontal: Scale
    private let vertical: Scale
    /// The matrix for points of the unit square: calibration, then rotation.
    private let calibration: CalibrationMatrix
    /// A length of one unit of each axis, as a fraction of the screen's width.
    private let widthOfX, widthOfY: Double
    /// The units per millimeter of the axes; 0 if unknown.
    private let resolutionOfX, resolutionOfY: Double
    private let region: SurfaceRegion

    package init(
        x: AxisInfo?, y: AxisInfo?, calibration: CalibrationMatrix = .identity, region: SurfaceRegion = .whole
    ) {
        horizontal = Scale(x)
        vertical = Scale(y)
        var matrix = calibration
        // A value is the near edge of its unit, and in a mirrored axis its far edge.
        matrix.c += min(matrix.a, 0) / abs(horizontal.span) + min(matrix.b, 0) / abs(vertical.span)
        matrix.f += min(matrix.d, 0) / abs(horizontal.span) + min(matrix.e, 0) / abs(vertical.span)
        self.calibration = matrix
        self.region = region
        (widthOfX, widthOfY) = (matrix.a / horizontal.span * region.width, matrix.b / vertical.span * region.width)
        (resolutionOfX, resolutionOfY) = (Double(x?.resolution ?? 0), Double(y?.resolution ?? 0))
    }

    /// The width of a circle whose diameter is one unit of an axis of sizes, as a fraction of the screen's width.
    ///
    /// The diameter has the units of the positions, unless all axes have a resolution.
    package func widthOfUnit(of size: AxisInfo) -> Double {
        var (x, y) = (widthOfX, widthOfY)
        if size.resolution > 0, resolutionOfX > 0, resolutionOfY > 0 {
            x *= resolutionOfX / Double(size.resolution)
            y *= resolutionOfY / Double(size.resolution)
        }
        return (x * x + y * y).squareRoot()
    }

    /// The angle that a line has on the screen, both in radians and clockwise from the vertical, to the nearest quarter turn of
    /// the calibration; a half turn does not change a line.
    package func angle(_ angle: Double) -> Double {
        let determinant = calibration.a * calibration.e - calibration.b * calibration.d
        let isMirrored = determinant / (horizontal.span * vertical.span) < 0
        let isTurned = abs(calibration.b) > abs(calibration.a)
        let turned = (isMirrored ? -angle : angle) + (isTurned ? .pi / 2 : 0)
        return turned > .pi / 2 ? turned - .pi : turned
    }

    /// The location of a point in device units in the unit square of the screen; each coordinate is at least 0 and
    /// below 1.
    package func point(x: Int32, y: Int32) -> SurfacePoint {
        let point = calibration.apply(
            to: SurfacePoint(x: horizontal.fraction(of: x), y: vertical.fraction(of: y)))
        return region.point(SurfacePoint(x: Self.clamp(point.x), y: Self.clamp(point.y)))
    }

    /// The fraction of an axis that is nearest to a value.
    package static func clamp(_ value: Double) -> Double {
        min(max(value, 0), 1.0.nextDown)
    }
}

/// The range of one axis; yields a finite fraction for any range that a device announces.
private struct Scale: Sendable, Equatable {
    let origin: Double
    let span: Double

    init(_ axis: AxisInfo?) {
        guard let axis else {
            (origin, span) = (0, 1)
            return
        }
        let length = Double(axis.maximum) - Double(axis.minimum)
        if length >= 0 {
            (origin, span) = (Double(axis.minimum), length + 1)
        } else {
            // A panel mounted upside down, whose driver swaps minimum and maximum.
            (origin, span) = (Double(axis.minimum), length - 1)
        }
    }

    func fraction(of value: Int32) -> Double { (Double(value) - origin) / span }
}
