/// Converts the axes of a contact from device units to those of `Contact`.
///
/// Positions are in the unit square, pressure is from 0 to 1, radii are fractions of the surface's width. An axis that
/// the device does not have is nil.
struct ContactScale: Sendable {
    private let surface: Surface
    private let pressure: AxisInfo?
    private let orientation: AxisInfo?
    /// The radius of one unit of the axis, as a fraction of the surface's width.
    private let majorUnit, minorUnit: Double?

    init(
        _ description: DeviceDescription, _ touchProtocol: DeviceRole.TouchProtocol?, _ settings: DeviceSettings
    ) {
        let isMultitouch = touchProtocol != .single
        let surface = Surface(
            x: description.axes[isMultitouch ? AbsCode.positionX : settings.positionAxes.x],
            y: description.axes[isMultitouch ? AbsCode.positionY : settings.positionAxes.y],
            calibration: settings.calibration, region: settings.region)
        pressure = description.axes[isMultitouch ? AbsCode.multitouchPressure : AbsCode.pressure]
        orientation = isMultitouch ? description.axes[AbsCode.orientation] : nil
        func unit(_ code: UInt16) -> Double? {
            isMultitouch ? description.axes[code].map { surface.widthOfUnit(of: $0) / 2 } : nil
        }
        (majorUnit, minorUnit) = (unit(AbsCode.touchMajor), unit(AbsCode.touchMinor))
        self.surface = surface
    }

    func contact(
        _ phase: Contact.Phase, id: UInt32, trackingID: Int32, slot: Int, axes: ContactAxes
    ) -> Contact {
        let major = majorUnit.map { Float(Double(axes.major) * $0) }
        return Contact(
            id: id, phase: phase, tool: axes.tool == ToolType.pen ? .pen : .finger, slot: Int32(slot),
            trackingID: trackingID, position: surface.point(x: axes.x, y: axes.y),
            raw: RawPoint(x: axes.x, y: axes.y), pressure: pressure.map { Self.fraction(axes.pressure, of: $0) },
            majorRadius: major,
            // "If the minor axis is omitted, the contact is a circle" (multi-touch-protocol.rst).
            minorRadius: minorUnit.map { Float(Double(axes.minor) * $0) } ?? major,
            orientation: orientation.map { Float(surface.angle(Self.angle(axes.orientation, of: $0))) })
    }

    private static func fraction(_ value: Int32, of axis: AxisInfo) -> Float {
        let length = Double(axis.maximum) - Double(axis.minimum)
        guard length > 0 else { return value > axis.minimum ? 1 : 0 }
        return Float(min(max((Double(value) - Double(axis.minimum)) / length, 0), 1))
    }

    /// The maximum is a quarter turn, at which the major axis is parallel to x.
    private static func angle(_ value: Int32, of axis: AxisInfo) -> Double {
        guard axis.maximum > 0 else { return 0 }
        return Double(value) / Double(axis.maximum) * .pi / 2
    }
}
