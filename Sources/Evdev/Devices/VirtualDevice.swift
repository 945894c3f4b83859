import CLibevdev
import CLinux
import Glibc

/// A virtual device created through uinput: readers of its node receive the events written to it. It exists until the
/// object is deinitialized.
///
/// Requires write permission for `/dev/uinput`, which on most systems only root has.
package final class VirtualDevice {
    /// The prefix of the names of all devices that touchd creates.
    package static let namePrefix = "touchd virtual "

    /// The prefix of the ports of all touchscreens through which touchd forwards touches; their names end in
    /// ` (touchd)`, which a panel's own name may do as well.
    package static let portPrefix = "touchd/"

    /// Ignore such devices when touchd reads devices, so that written events do not return to this or another touchd.
    ///
    /// They must be the last rules, so that no other rule overrides them.
    package static var deviceRules: [DeviceRule] {
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
    package init(_ description: DeviceDescription) throws(VirtualDeviceError) {
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
    package var node: String? { libevdev_uinput_get_devnode(uinput).map { String(cString: $0) } }

    /// Writes one event; `EV_SYN`, `SYN_REPORT` ends a frame.
    ///
    /// Does not block: the kernel queues events for readers and drops those that they do not read.
    package func write(type: UInt16, code: UInt16, value: Int32) throws(VirtualDeviceError) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else { throw VirtualDeviceError(errno: -result) }
    }
}
