import CLibevdev
import Evdev
import Glibc
import Player

/// A uinput device that exists from `init` to `destroy`; every event is one write.
final class VirtualDevice: PlayedDevice {
    let node: String

    private var uinput: OpaquePointer?

    /// Creates the device; needs permission to write to `/dev/uinput`.
    init(_ description: DeviceDescription) throws(PlayError) {
        guard let model = libevdev_new() else { throw .system(what: "libevdev_new", reason: "out of memory") }
        defer { libevdev_free(model) }
        libevdev_set_name(model, description.name)
        libevdev_set_id_bustype(model, Int32(description.bus))
        libevdev_set_id_vendor(model, Int32(description.vendor))
        libevdev_set_id_product(model, Int32(description.product))
        libevdev_set_id_version(model, Int32(description.version))
        for property in description.properties.codes { libevdev_enable_property(model, UInt32(property)) }
        for type in [EV_KEY, EV_REL, EV_MSC, EV_SW, EV_LED].map({ UInt16($0) }) {
            for code in description[type].codes { libevdev_enable_event_code(model, UInt32(type), UInt32(code), nil) }
        }
        for (code, axis) in description.axes {
            var information = input_absinfo(
                value: axis.value, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution)
            libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &information)
        }
        let managed = LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue
        let result = libevdev_uinput_create_from_device(model, managed, &uinput)
        guard result == 0 else {
            throw .system(what: "cannot make a device through /dev/uinput", reason: String(cString: strerror(-result)))
        }
        guard let path = libevdev_uinput_get_devnode(uinput) else {
            throw .system(what: "libevdev_uinput_get_devnode", reason: "the kernel made no event node")
        }
        node = String(cString: path)
    }

    deinit { destroy() }

    /// Unplugs the device with everything on it.
    func destroy() {
        if let uinput { libevdev_uinput_destroy(uinput) }
        uinput = nil
    }

    func send(type: Int32, code: Int32, value: Int32) throws(PlayError) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else {
            throw .system(what: "cannot write an event to \(node)", reason: String(cString: strerror(-result)))
        }
    }

    func waitUntilOpen() throws(PlayError) { try NodeOpening(node: node).wait() }
}
