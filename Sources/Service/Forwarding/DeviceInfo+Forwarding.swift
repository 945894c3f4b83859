import CLinux
import Evdev

extension DeviceInfo {
    /// Describes the virtual touchscreen that forwards this one's touches.
    ///
    /// Its axes are the screen's: the panel's, after its rotation, and extended to the whole screen if the panel covers a
    /// part. The bus is virtual, so that no udev rule or quirk for the panel applies a second time.
    nonisolated var forwardedDescription: DeviceDescription {
        var forwarded = DeviceDescription(
            name: Self.forwardedName(description.name), bus: UInt16(BUS_VIRTUAL), vendor: description.vendor,
            product: description.product, version: description.version,
            physicalPath: VirtualDevice.portPrefix
                + (description.physicalPath.isEmpty ? "\(id.rawValue)" : description.physicalPath))
        let panel = positionAxes
        let matrix = settings.calibration
        let isTurned = abs(matrix.b) > abs(matrix.a)
        let x = Self.axis(isTurned ? panel?.y : panel?.x, covering: settings.region.width)
        let y = Self.axis(isTurned ? panel?.x : panel?.y, covering: settings.region.height)
        forwarded.properties.insert(InputProperty.direct)
        forwarded[EventType.key].insert(KeyCode.touch)
        let slots = description.axes[AbsCode.slot].map { $0.maximum + 1 } ?? ContactEncoder.defaultSlots
        for (code, axis) in [
            (AbsCode.x, x), (AbsCode.y, y), (AbsCode.positionX, x), (AbsCode.positionY, y),
            (
                // libinput treats a touchscreen with one slot as a single-touch one, which cannot cancel.
                AbsCode.slot, AxisInfo(minimum: 0, maximum: min(max(slots, 2), ContactEncoder.greatestSlots) - 1)
            ),
            (AbsCode.trackingID, AxisInfo(minimum: 0, maximum: ContactEncoder.greatestTrackingID)),
            (AbsCode.toolType, AxisInfo(minimum: 0, maximum: Int32(MT_TOOL_PALM))),
        ] { forwarded.insertAxis(code, axis) }
        if let pressure = description.axes[isSingleTouch ? AbsCode.pressure : AbsCode.multitouchPressure],
            pressure.minimum < pressure.maximum
        {
            let axis = AxisInfo(minimum: pressure.minimum, maximum: pressure.maximum, resolution: pressure.resolution)
            forwarded.insertAxis(AbsCode.pressure, axis)
            forwarded.insertAxis(AbsCode.multitouchPressure, axis)
        }
        if !isSingleTouch, let major = description.axes[AbsCode.touchMajor] {
            forwarded.insertAxis(
                AbsCode.touchMajor,
                AxisInfo(minimum: 0, maximum: max(major.maximum, 1), resolution: major.resolution))
        }
        return forwarded
    }

    private nonisolated var isSingleTouch: Bool { role.touchProtocol == .single }

    /// The larger diameter, in the panel's units, of a contact whose radius is the screen's width; 0 if the panel does
    /// not report diameters. A forwarded contact has the panel's units, also after a rotation.
    nonisolated var unitsOfMajorRadius: Double {
        guard !isSingleTouch, let major = description.axes[AbsCode.touchMajor], let axes = positionAxes else {
            return 0
        }
        let surface = Surface(x: axes.x, y: axes.y, calibration: settings.calibration, region: settings.region)
        return 2 / max(surface.widthOfUnit(of: major), 1e-9)
    }

    /// The panel's name with ` (touchd)`, within the 79 bytes that uinput permits.
    private nonisolated static func forwardedName(_ name: String) -> String {
        let suffix = " (touchd)"
        var name = name
        while name.utf8.count > Int(UINPUT_MAX_NAME_SIZE) - 1 - suffix.utf8.count { name.removeLast() }
        return name + suffix
    }

    /// An axis from 0 with a panel's units, whose length is that of the whole screen.
    private nonisolated static func axis(_ axis: AxisInfo?, covering part: Double) -> AxisInfo {
        let length = axis.map { abs(Double($0.maximum) - Double($0.minimum)) + 1 } ?? 4096
        // Bounded, because a panel may announce any range, and a region may be tiny.
        let count = min(max((length / max(part, 0.001)).rounded(), 2), 65_536 * 16)
        return AxisInfo(minimum: 0, maximum: Int32(count) - 1, resolution: axis?.resolution ?? 0)
    }
}
