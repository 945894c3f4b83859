import CLibevdev
import CLinux
import Evdev
import Glibc
import MockedInput

/// A described device created by the kernel through uinput: its events pass through all steps of a real one's.
final class UinputDevice {
    /// uinput cannot create this device.
    struct Refusal: Error { var reason: String }

    let path: String
    private let handle: OpaquePointer

    init(_ description: DeviceDescription) throws {
        guard let device = libevdev_new() else { throw TestBed.Failure(message: "out of memory") }
        defer { libevdev_free(device) }
        libevdev_set_name(device, description.name)
        libevdev_set_id_bustype(device, Int32(description.bus))
        libevdev_set_id_vendor(device, Int32(description.vendor))
        libevdev_set_id_product(device, Int32(description.product))
        for property in description.properties.codes { libevdev_enable_property(device, UInt32(property)) }
        for type in [EV_KEY, EV_REL, EV_MSC] {
            for code in description[UInt16(type)].codes {
                libevdev_enable_event_code(device, UInt32(type), UInt32(code), nil)
            }
        }
        for (code, axis) in description.axes {
            // The recorded events have passed the kernel's noise filter, so they must not be filtered again.
            var info = input_absinfo(
                value: axis.value, minimum: axis.minimum, maximum: axis.maximum, fuzz: 0, flat: axis.flat,
                resolution: axis.resolution)
            libevdev_enable_event_code(device, UInt32(EV_ABS), UInt32(code), &info)
        }
        var made: OpaquePointer?
        let status = libevdev_uinput_create_from_device(device, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &made)
        guard status == 0, let made, let node = libevdev_uinput_get_devnode(made) else {
            throw Refusal(reason: "\(String(cString: strerror(-status))) (errno \(-status))")
        }
        handle = made
        path = String(cString: node)
    }

    deinit { libevdev_uinput_destroy(handle) }

    func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        libevdev_uinput_write_event(handle, UInt32(type), UInt32(code), value)
    }

    func send(_ code: Int32, _ value: Int32) { send(UInt16(EV_ABS), UInt16(code), value) }
    func report() { send(UInt16(EV_SYN), UInt16(SYN_REPORT), 0) }

    /// The kernel's tracking ids in the slots, -1 for an empty one.
    func trackingIDs() throws -> [Int32] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        var device: OpaquePointer?
        guard libevdev_new_from_fd(descriptor, &device) == 0, let device else {
            throw TestBed.Failure(message: "\(path) cannot be asked")
        }
        defer { libevdev_free(device) }
        return (0..<UInt32(max(libevdev_get_num_slots(device), 0))).map {
            libevdev_get_slot_value(device, $0, UInt32(ABS_MT_TRACKING_ID))
        }
    }
}
