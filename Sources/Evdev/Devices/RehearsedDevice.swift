import CLibevdev
import CLinux
import EventLoop
import Glibc

/// The touchscreen of a self-test, which touchd reads on request although it ignores its own devices.
///
/// It is grabbed, so that no other program, such as the kiosk's browser, receives its events. Contacts that are down
/// are cancelled before it closes.
package final class RehearsedDevice {
    /// The prefix of the names of such touchscreens; no other device is opened.
    package static let namePrefix = VirtualDevice.namePrefix + "self-test "

    private let device: InputDevice

    /// Opens an event node.
    /// - Parameter onFrame: Called on the loop's thread for each frame.
    /// - Throws: If the node is another device, or cannot be read or grabbed.
    package init(
        path: String, loop: EpollRunLoop, onFrame: @escaping (borrowing InputFrame) -> Void
    ) throws(DeviceError) {
        // The only rule, so that neither udev's properties nor a rule of the layout change the device.
        var rule = DeviceRule(label: "the self-test", match: .init(name: Pattern(Self.namePrefix + "*")))
        rule.use = true
        rule.grabs = true
        rule.calibration = .identity
        var registry = DeviceRegistry(rules: [rule])
        let node = Udev.device(at: path)
        let (info, libevdev) = registry.examine(node)
        if case .failed(let error) = info.use { throw error }
        guard info.settings.grabs, let libevdev else {
            throw .failed(path: path, call: "rehearse", reason: "not the touchscreen of a self-test")
        }
        device = InputDevice(
            info, libevdev, udevDevice: node, forwarding: nil, onFrame: onFrame, onLoss: { _, _ in })
        if let error = device.grabError {
            device.close()
            throw error
        }
        try device.start(on: loop)
    }

    /// Cancels contacts that are down and closes the node.
    package func close() { device.close() }
}
