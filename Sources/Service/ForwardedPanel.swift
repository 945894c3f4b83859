import CLinux
import Evdev
import Foundation
import TouchKit

/// A panel whose touches are forwarded: its virtual touchscreen, and the state of its grab.
package final class ForwardedPanel {
    /// The panel, as it was opened last.
    private(set) var info: DeviceInfo
    let description: DeviceDescription
    let node: String
    let encoder: ContactEncoder
    /// The grab; nil while the panel is not open.
    private(set) var grab: PanelGrab?
    /// When the panel was grabbed, on the clock of its frames; nil while it is not grabbed.
    private(set) var grabbedAt: TimeInterval?
    /// Why the panel cannot be grabbed; nil without an error.
    private(set) var grabError: DeviceError?
    /// Whether contacts that another thread ends are lifted, for programs that ignore cancelled touches.
    var liftsCancelled = false {
        didSet { guarded?.liftsCancelled = liftsCancelled }
    }
    /// When the last contact was lifted, on the clock of its frames.
    var lastLift: TimeInterval?

    private let device: VirtualDevice?
    /// What another thread needs to release the panel; nil while it is not open.
    private(set) var guarded: GuardedPanel?

    init(_ info: DeviceInfo) throws(VirtualDeviceError) {
        let description = info.forwardedDescription
        let device = try VirtualDevice(description)
        (self.info, self.description, self.device) = (info, description, device)
        node = device.node ?? ""
        encoder = ContactEncoder(description)
        encoder.write = { [unowned self] in _ = guarded?.write($0, usedSlots: encoder.usedSlots) }
    }

    /// Creates a panel that is grabbed from the beginning and has no device; for tests.
    package init(_ info: DeviceInfo, output: @escaping (UnsafeBufferPointer<input_event>) -> Void) {
        (self.info, description, device) = (info, info.forwardedDescription, nil)
        node = ""
        encoder = ContactEncoder(description)
        encoder.write = output
        grabbedAt = -.infinity
    }

    // MARK: The grab

    /// Follows the panel, which was opened; it is not grabbed yet.
    func open(_ grab: PanelGrab) {
        info = grab.device
        self.grab = grab
        grabError = nil
        guard let device,
            let guarded = GuardedPanel(
                name: info.description.name, panel: grab.descriptor, uinput: device.descriptor)
        else { return }
        self.guarded = guarded
        guarded.liftsCancelled = liftsCancelled
    }

    /// Leaves the panel, which is about to be closed.
    func close() {
        grab = nil
        lose()
        guarded = nil
    }

    /// Whether another thread has released the grab.
    var isReleased: Bool { grabbedAt != nil && guarded?.isReleased == true }

    /// Forgets the contacts and the grab, which somebody else has ended.
    func lose() {
        grabbedAt = nil
        encoder.forgetAll()
    }

    /// Grabs the panel unless a finger is down on it; returns whether it is grabbed.
    ///
    /// The program that draws has received the beginning of such a finger from the panel itself, and would never receive
    /// its end.
    func tryToGrab() -> Bool {
        guard grabbedAt == nil, let grab, let guarded else { return grabbedAt != nil }
        guard !grab.hasContact else { return false }
        grabError = grab.take()
        guard grabError == nil else { return false }
        // A finger may have come down in between.
        guard !grab.hasContact else {
            grab.release()
            return false
        }
        encoder.forgetAll()
        guarded.didGrab()
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        grabbedAt = TimeInterval(now.tv_sec) + TimeInterval(now.tv_nsec) / 1e9
        return true
    }

    // MARK: Contacts

    /// The axes of a touch, in the units of the virtual touchscreen.
    func axes(of touch: Touch) -> ForwardedAxes {
        let bounds = touch.screen.bounds
        let point = touch.screenLocation
        var axes = ForwardedAxes(
            x: units((point.x - bounds.minX) / bounds.width, upTo: scale.lastX),
            y: units((point.y - bounds.minY) / bounds.height, upTo: scale.lastY))
        if let pressure = scale.pressure {
            let length = CGFloat(pressure.maximum) - CGFloat(pressure.minimum)
            axes.pressure = Int32((CGFloat(pressure.minimum) + touch.force * length).rounded())
        }
        if scale.major > 0 {
            let major = (touch.majorRadius / bounds.width * scale.major).rounded()
            axes.major = major < CGFloat(Int32.max) ? Int32(max(major, 0)) : Int32.max
        }
        return axes
    }

    private struct Scale {
        var lastX, lastY: Int32
        var pressure: AxisInfo?
        /// The larger diameter of a contact whose radius is the screen's width; 0 if the panel does not report it.
        var major: CGFloat
    }

    private lazy var scale = Scale(
        lastX: description.axes[AbsCode.positionX]?.maximum ?? 0,
        lastY: description.axes[AbsCode.positionY]?.maximum ?? 0,
        pressure: description.axes[AbsCode.multitouchPressure], major: info.unitsOfMajorRadius)

    private func units(_ fraction: CGFloat, upTo last: Int32) -> Int32 {
        // The decoder's inverse: unit n of N is n / N, which rounding restores.
        let unit = (fraction * CGFloat(last + 1)).rounded()
        return unit > 0 ? min(Int32(unit), last) : 0
    }
}

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
        guard !isSingleTouch, description.axes[AbsCode.touchMajor] != nil, let axes = positionAxes else { return 0 }
        let surface = Surface(x: axes.x, y: axes.y, calibration: settings.calibration, region: settings.region)
        return 2 / max(surface.widthOfUnit, 1e-9)
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
