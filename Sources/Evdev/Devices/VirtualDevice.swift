import Basics
import CLibevdev
import CLinux
import EventLoop
import Glibc

/// A virtual device created through uinput: readers of its node receive the events written to it. It exists until the
/// object is deinitialized.
///
/// Requires write permission for `/dev/uinput`, which on most systems only root has.
public final class VirtualDevice {
    /// The prefix of the names of all devices that touchd creates.
    public static let namePrefix = "touchd virtual "

    /// The prefix of the ports of all touchscreens through which touchd forwards touches; their names end in
    /// ` (touchd)`, which a panel's own name may do as well.
    public static let portPrefix = "touchd/"

    /// Ignore such devices when touchd reads devices, so that written events do not return to this or another touchd.
    ///
    /// They must be the last rules, so that no other rule overrides them.
    public static var deviceRules: [DeviceRule] {
        [
            DeviceRule.Match(name: Pattern(namePrefix + "*")),
            DeviceRule.Match(physicalPath: Pattern(portPrefix + "*")),
        ].map { match in
            var rule = DeviceRule(label: "touchd's own device", match: match)
            rule.use = false
            return rule
        }
    }

    private let uinput: OpaquePointer
    /// The open `/dev/uinput`, for writing several events in one call.
    package let descriptor: Int32

    /// Creates a device with the capabilities and the port of a description.
    ///
    /// The kernel takes a few milliseconds; udev takes longer until other users may open the node.
    public init(_ description: DeviceDescription) throws(VirtualDeviceError) {
        guard let model = libevdev_new() else { throw .refused(reason: "out of memory") }
        defer { libevdev_free(model) }
        libevdev_set_name(model, description.name)
        libevdev_set_id_bustype(model, Int32(description.bus))
        libevdev_set_id_vendor(model, Int32(description.vendor))
        libevdev_set_id_product(model, Int32(description.product))
        libevdev_set_id_version(model, Int32(description.version))
        for property in description.properties.codes { libevdev_enable_property(model, UInt32(property)) }
        for type in [EventType.key, EventType.relative] {
            for code in description[type].codes { libevdev_enable_event_code(model, UInt32(type), UInt32(code), nil) }
        }
        for (code, axis) in description.axes {
            var range = input_absinfo(
                value: axis.value, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution)
            libevdev_enable_event_code(model, UInt32(EventType.absolute), UInt32(code), &range)
        }
        let descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { throw VirtualDeviceError(errno: errno) }
        // Kernels without the request create the device without a port.
        if !description.physicalPath.isEmpty { _ = set_uinput_port(descriptor, description.physicalPath) }
        var made: OpaquePointer?
        let result = libevdev_uinput_create_from_device(model, descriptor, &made)
        guard result == 0, let made else {
            close(descriptor)
            throw VirtualDeviceError(errno: -result)
        }
        self.descriptor = descriptor
        uinput = made
    }

    deinit {
        libevdev_uinput_destroy(uinput)
        close(descriptor)
    }

    /// The event node, `/dev/input/event…`; nil if the kernel does not report it.
    public var node: String? { libevdev_uinput_get_devnode(uinput).map { String(cString: $0) } }

    /// Writes one event; `EV_SYN`, `SYN_REPORT` ends a frame.
    ///
    /// Does not block: the kernel queues events for readers and drops those that they do not read.
    public func write(type: UInt16, code: UInt16, value: Int32) throws(VirtualDeviceError) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else { throw VirtualDeviceError(errno: -result) }
    }
}

/// Why the device could not be created or written to.
public enum VirtualDeviceError: Error, Equatable, Sendable {
    /// This user may not write to `/dev/uinput`.
    case notPermitted
    /// The kernel has uinput, but this service may not use the node: `PrivateDevices=` hides it, or `DeviceAllow=` lacks
    /// it.
    case hidden
    /// `/dev/uinput` does not exist: the kernel module is not loaded, or this is a container.
    case noUinput
    /// The kernel or libevdev returned an error; `reason` is the system's error text.
    case refused(reason: String)

    init(errno number: Int32) {
        switch number {
        case EACCES: self = .notPermitted
        // The device cgroup's error; the file mode's is EACCES.
        case EPERM: self = .hidden
        case ENOENT where access("/sys/class/misc/uinput", F_OK) == 0: self = .hidden
        case ENOENT, ENODEV: self = .noUinput
        default: self = .refused(reason: ErrorText.of(number))
        }
    }
}

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
        device.start(on: loop)
    }

    /// Cancels contacts that are down and closes the node.
    package func close() { device.close() }
}
