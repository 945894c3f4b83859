/// Converts device units into the unit square of the surface.
///
/// A value becomes (value − minimum) / (maximum − minimum + 1), as in libinput. So the maximum stays inside: a touch
/// there is on the last column of pixels and not beyond it. A mirrored or rotated axis has the same places in reverse
/// order: its minimum is on the last column, and its maximum at 0. (libinput applies the matrix to the places
/// themselves, so its minimum is then at 1, a pixel beyond the screen.)
public struct Surface: Sendable, Equatable {
    private let horizontal: Scale
    private let vertical: Scale
    /// The matrix for points of the unit square: calibration, then rotation.
    private let calibration: CalibrationMatrix
    /// A length of one unit of the horizontal axis, as a fraction of the screen's width.
    package let widthOfUnit: Double
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
        // The width of a circle: its diameter has the units of the axes, which one length on both has in common.
        let (x, y) = (matrix.a / horizontal.span, matrix.b / vertical.span)
        widthOfUnit = (x * x + y * y).squareRoot() * region.width
    }

    /// The location of a point in device units in the unit square of the screen; each coordinate is at least 0 and
    /// below 1.
    public func point(x: Int32, y: Int32) -> SurfacePoint {
        let point = calibration.apply(
            to: SurfacePoint(x: horizontal.fraction(of: x), y: vertical.fraction(of: y)))
        return region.point(SurfacePoint(x: Self.clamp(point.x), y: Self.clamp(point.y)))
    }

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

/// Converts the axes of a contact from device units to those of `Contact`.
///
/// Positions are in the unit square, pressure is from 0 to 1, radii are fractions of the surface's width. An axis that
/// the device does not have is nil.
struct ContactScale: Sendable {
    private let surface: Surface
    private let pressure: AxisInfo?
    private let orientation: AxisInfo?
    private let hasMajor: Bool
    private let hasMinor: Bool

    init(
        _ description: DeviceDescription, _ touchProtocol: DeviceRole.TouchProtocol?, _ settings: DeviceSettings
    ) {
        let isMultitouch = touchProtocol != .single
        surface = Surface(
            x: description.axes[isMultitouch ? AbsCode.positionX : settings.positionAxes.x],
            y: description.axes[isMultitouch ? AbsCode.positionY : settings.positionAxes.y],
            calibration: settings.calibration, region: settings.region)
        pressure = description.axes[isMultitouch ? AbsCode.multitouchPressure : AbsCode.pressure]
        orientation = isMultitouch ? description.axes[AbsCode.orientation] : nil
        hasMajor = isMultitouch && description.axes[AbsCode.touchMajor] != nil
        hasMinor = isMultitouch && description.axes[AbsCode.touchMinor] != nil
    }

    func contact(
        _ phase: Contact.Phase, id: UInt32, trackingID: Int32, slot: Int, axes: ContactAxes
    ) -> Contact {
        let major = hasMajor ? radius(axes.major) : nil
        return Contact(
            id: id, phase: phase, tool: axes.tool == ToolType.pen ? .pen : .finger, slot: Int32(slot),
            trackingID: trackingID, position: surface.point(x: axes.x, y: axes.y),
            raw: RawPoint(x: axes.x, y: axes.y), pressure: pressure.map { Self.fraction(axes.pressure, of: $0) },
            majorRadius: major,
            // "If the minor axis is omitted, the contact is a circle" (multi-touch-protocol.rst).
            minorRadius: hasMinor ? radius(axes.minor) : major,
            orientation: orientation.map { Self.angle(axes.orientation, of: $0) })
    }

    /// Half a diameter, as a fraction of the screen's width.
    private func radius(_ diameter: Int32) -> Float { Float(Double(diameter) * surface.widthOfUnit / 2) }

    private static func fraction(_ value: Int32, of axis: AxisInfo) -> Float {
        let length = Double(axis.maximum) - Double(axis.minimum)
        guard length > 0 else { return value > axis.minimum ? 1 : 0 }
        return Float(min(max((Double(value) - Double(axis.minimum)) / length, 0), 1))
    }

    /// The maximum is a quarter turn, at which the major axis is parallel to x.
    private static func angle(_ value: Int32, of axis: AxisInfo) -> Float {
        guard axis.maximum > 0 else { return 0 }
        return Float(Double(value) / Double(axis.maximum) * .pi / 2)
    }
}
