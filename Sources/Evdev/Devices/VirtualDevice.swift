import CLibevdev
import Glibc

/// A device that the kernel makes for this program through uinput: whoever reads its node gets what is written to it, as
/// from any other device. It is there from `init` to the end of the object, which unplugs it.
///
/// Programs need permission to write to `/dev/uinput`, which on most systems root alone has.
public final class VirtualDevice {
    /// With what the names of all devices that touchd makes begin.
    public static let namePrefix = "touchd virtual "

    /// Leaves such devices alone where touchd reads devices: what one touchd writes must not come back to it or another.
    ///
    /// It has to be the last of the rules, so that no other undoes it.
    public static var deviceRule: DeviceRule {
        var rule = DeviceRule(label: "touchd's own device", match: .init(name: Pattern(namePrefix + "*")))
        rule.use = false
        return rule
    }

    /// Why there is no such device, or nothing can be written to it.
    public enum Failure: Error, Equatable, Sendable {
        /// This user may not write to `/dev/uinput`.
        case notPermitted
        /// There is no `/dev/uinput`: the kernel's module is not loaded, or this is a container.
        case noUinput
        /// The kernel or libevdev refused; the text is the system's.
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

    /// Makes a device that says of itself what a description says, but for the place where it is plugged in.
    ///
    /// Takes the kernel a few milliseconds; udev needs some more until others may open the node.
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

    /// The event node, `/dev/input/event…`; nil where the kernel does not tell.
    public var node: String? { libevdev_uinput_get_devnode(uinput).map { String(cString: $0) } }

    /// Writes one event; a frame is ended by `EV_SYN`, `SYN_REPORT`.
    ///
    /// It does not wait: the kernel queues for readers, and drops what they do not read.
    public func write(type: UInt16, code: UInt16, value: Int32) throws(Failure) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else { throw Failure(errno: -result) }
    }
}
