import CLinux
import Evdev
import EventLoop
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
    /// The open `/dev/uinput` of the device; nil without one.
    private let uinput: Int32?
    /// What another thread needs to release the panel; nil before the panel is grabbed, and while it is not open.
    private(set) var guarded: GuardedPanel?

    init(_ info: DeviceInfo) throws(VirtualDeviceError) {
        let description = info.forwardedDescription
        let device = try VirtualDevice(description)
        (self.info, self.description, self.device, uinput) = (info, description, device, device.descriptor)
        node = device.node ?? ""
        encoder = ContactEncoder(description)
        encoder.write = { [unowned self] in _ = guarded?.write($0, usedSlots: encoder.usedSlots) }
    }

    /// Creates a panel that is grabbed from the beginning and has no device; for tests.
    package init(
        _ info: DeviceInfo, uinput: Int32? = nil, output: @escaping (UnsafeBufferPointer<input_event>) -> Void
    ) {
        (self.info, description, device, self.uinput) = (info, info.forwardedDescription, nil, uinput)
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
        guard grabbedAt == nil, let grab, let uinput else { return grabbedAt != nil }
        guard !grab.hasContact else { return false }
        if guarded == nil {
            do throws(SystemError) {
                guarded = try GuardedPanel(
                    name: info.description.name, panel: grab.descriptor, uinput: uinput)
            } catch {
                grabError = .failed(path: info.path, call: error.call, reason: error.reason)
                return false
            }
            guarded?.liftsCancelled = liftsCancelled
        }
        grabError = grab.take()
        guard grabError == nil else { return false }
        // A finger may have come down in between.
        guard !grab.hasContact else {
            grab.release()
            return false
        }
        encoder.forgetAll()
        guarded?.didGrab()
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
