/// Turns a device's units into the unit square of its surface.
///
/// A value becomes (value − minimum) / (maximum − minimum + 1), as libinput has it, so that the last unit of the range
/// is still inside: a touch at the maximum is on the last column of pixels and not beyond it.
public struct Surface: Sendable, Equatable {
    private let horizontal: Scale
    private let vertical: Scale
    /// What is applied to a point of the unit square: rotation, calibration.
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

    /// Where a point in device units is in the unit square of the screen; each coordinate is at least 0 and below 1.
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

/// One axis' range, made safe: whatever a device announces, a fraction comes out.
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
            // A panel mounted upside down whose driver says so by a minimum above the maximum.
            (origin, span) = (Double(axis.minimum), length - 1)
        }
    }

    func fraction(of value: Int32) -> Double { (Double(value) - origin) / span }
}
