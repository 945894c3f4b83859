import CLibevdev
import Glibc

/// A virtual device created through uinput: readers of its node receive the events written to it. It exists until the
/// object is deinitialized.
///
/// Requires write permission for `/dev/uinput`, which on most systems only root has.
public final class VirtualDevice {
    /// The prefix of the names of all devices that touchd creates.
    public static let namePrefix = "touchd virtual "

    /// Ignores such devices when touchd reads devices, so that written events do not return to this or another touchd.
    ///
    /// It must be the last rule, so that no other rule overrides it.
    public static var deviceRule: DeviceRule {
        var rule = DeviceRule(label: "touchd's own device", match: .init(name: Pattern(namePrefix + "*")))
        rule.use = false
        return rule
    }

    /// Why the device could not be created or written to.
    public enum Failure: Error, Equatable, Sendable {
        /// This user may not write to `/dev/uinput`.
        case notPermitted
        /// `/dev/uinput` does not exist: the kernel module is not loaded, or this is a container.
        case noUinput
        /// The kernel or libevdev returned an error; `reason` is the system's error text.
        case refused(reason: String)

        fileprivate init(errno number: Int32) {
            switch number {
            case EACCES, EPERM: self = .notPermitted
            case ENOENT, ENODEV: self = .noUinput
            default: self = .refused(reason: String(cString: strerror(number)))
            }
        }
    }

    private let uinput: OpaquePointer

    /// Creates a device with the capabilities of a description; the port is not copied.
    ///
    /// The kernel takes a few milliseconds; udev takes longer until other users may open the node.
    public init(_ description: DeviceDescription) throws(Failure) {
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
        var made: OpaquePointer?
        let result = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &made)
        guard result == 0, let made else { throw Failure(errno: -result) }
        uinput = made
    }

    deinit { libevdev_uinput_destroy(uinput) }

    /// The event node, `/dev/input/event…`; nil if the kernel does not report it.
    public var node: String? { libevdev_uinput_get_devnode(uinput).map { String(cString: $0) } }

    /// Writes one event; `EV_SYN`, `SYN_REPORT` ends a frame.
    ///
    /// Does not block: the kernel queues events for readers and drops those that they do not read.
    public func write(type: UInt16, code: UInt16, value: Int32) throws(Failure) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else { throw Failure(errno: -result) }
    }
}
