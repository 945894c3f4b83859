/// Converts device units into the unit square of the surface.
///
/// A value becomes (value − minimum) / (maximum − minimum + 1), as in libinput. So the maximum stays inside: a touch
/// there is on the last column of pixels and not beyond it.
public struct Surface: Sendable, Equatable {
    private let horizontal: Scale
    private let vertical: Scale
    /// The matrix for points of the unit square: calibration, then rotation.
    public var calibration: CalibrationMatrix
    private let region: SurfaceRegion

    init(
        x: AxisInfo?, y: AxisInfo?, calibration: CalibrationMatrix = .identity, region: SurfaceRegion = .whole
    ) {
        horizontal = Scale(x)
        vertical = Scale(y)
        self.calibration = calibration
        self.region = region
    }

    /// The location of a point in device units in the unit square of the screen; each coordinate is at least 0 and
    /// below 1.
    public func point(x: Int32, y: Int32) -> SurfacePoint {
        let point = calibration.apply(
            to: SurfacePoint(x: horizontal.fraction(of: x), y: vertical.fraction(of: y)))
        return region.point(SurfacePoint(x: Self.clamp(point.x), y: Self.clamp(point.y)))
    }

    /// A length in units of the horizontal axis as a fraction of the screen's width.
    func fractionOfWidth(_ length: Int32) -> Float { Float(Double(length) / horizontal.span * region.width) }

    private static func clamp(_ value: Double) -> Double {
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
