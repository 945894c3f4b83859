import Basics
import CLibudev
import Glibc

/// An input event node with its udev properties.
struct UdevDevice {
    /// `/dev/input/event3`.
    let path: String
    /// The path in sysfs, which identifies the port.
    let systemPath: String
    /// udev's properties of the node and of its parent input device.
    ///
    /// Properties of a single announcement are omitted, so that a listed and an announced device compare equal.
    let properties: [String: String]
    /// `add`, `remove`, `change`, …; nil for a device that was listed, not announced.
    let action: String?

    /// Properties of an announcement, not of the device (udev(7), the kernel's ABI/testing/sysfs-uevent).
    private static let volatile: Set<String> = [
        "ACTION", "SEQNUM", "SYNTH_UUID", "USEC_INITIALIZED", "UDEV_DATABASE_VERSION",
    ]

    /// Properties that udev treats as sets and writes in any order, with their separators.
    private static let unordered: [(name: String, separator: Character)] = [
        ("DEVLINKS", " "), ("TAGS", ":"), ("CURRENT_TAGS", ":"),
    ]

    /// A node without udev properties.
    fileprivate init(path: String) {
        (self.path, systemPath, properties, action) = (path, "", [:], nil)
    }

    /// Copies the needed properties; returns nil if the device is not an event node.
    fileprivate init?(_ device: OpaquePointer) {
        guard let node = udev_device_get_devnode(device).map({ String(cString: $0) }), node.contains("/event") else {
            return nil
        }
        path = node
        systemPath = udev_device_get_syspath(device).map { String(cString: $0) } ?? ""
        action = udev_device_get_action(device).map { String(cString: $0) }
        var properties: [String: String] = [:]
        for start in [device, udev_device_get_parent(device)].compactMap({ $0 }).reversed() {
            var entry = udev_device_get_properties_list_entry(start)
            while let current = entry {
                if let name = udev_list_entry_get_name(current).map({ String(cString: $0) }),
                    let value = udev_list_entry_get_value(current),
                    !Self.volatile.contains(name), !name.hasPrefix("SYNTH_ARG_")
                {
                    properties[name] = String(cString: value)
                }
                entry = udev_list_entry_get_next(current)
            }
        }
        for (name, separator) in Self.unordered {
            guard let value = properties[name] else { continue }
            let items = value.split(separator: separator, omittingEmptySubsequences: false).sorted()
            // ":a:b:" has an empty item at each end.
            let inner = items.filter { !$0.isEmpty }.joined(separator: String(separator))
            properties[name] = items.first?.isEmpty == true ? "\(separator)\(inner)\(separator)" : inner
        }
        self.properties = properties
    }
}

/// The connection to udev: lists input devices and receives hotplug events.
final class Udev {
    private let context: OpaquePointer
    private let monitor: OpaquePointer
    /// Readable when `nextAnnouncement()` has a result.
    let descriptor: Int32

    /// Starts to listen. Called before devices are listed, so that none is missed.
    init() throws(DeviceError) {
        guard let context = udev_new() else { throw .udevUnavailable(reason: ErrorText.of(errno)) }
        guard let monitor = udev_monitor_new_from_netlink(context, "udev") else {
            let reason = ErrorText.of(errno)
            udev_unref(context)
            throw .udevUnavailable(reason: reason)
        }
        self.context = context
        self.monitor = monitor
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
        let status = udev_monitor_enable_receiving(monitor)
        descriptor = udev_monitor_get_fd(monitor)
        if status < 0 { throw .udevUnavailable(reason: ErrorText.of(-status)) }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(context)
    }

    /// Whether udevd is running; without it, libudev's monitor receives nothing.
    static var isRunning: Bool { access("/run/udev/control", F_OK) == 0 }

    /// A node with its properties from the kernel or udev's database.
    static func device(at path: String) -> UdevDevice {
        withDevice(at: path, UdevDevice.init) ?? UdevDevice(path: path)
    }

    private static func withDevice<Result>(at path: String, _ body: (OpaquePointer) -> Result?) -> Result? {
        guard let context = udev_new() else { return nil }
        defer { udev_unref(context) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard let device = udev_device_new_from_subsystem_sysname(context, "input", name) else { return nil }
        defer { udev_device_unref(device) }
        return body(device)
    }

    /// The next announcement; nil if the queue is empty.
    func nextAnnouncement() -> UdevDevice? {
        while let device = udev_monitor_receive_device(monitor) {
            defer { udev_device_unref(device) }
            if let copy = UdevDevice(device) { return copy }
        }
        return nil
    }

    /// Whether udevd is still processing a new node, so that its group and properties are not set yet. It announces the
    /// node afterwards.
    static func isProcessing(_ path: String) -> Bool { withDevice(at: path, isProcessing) ?? false }

    private static func isProcessing(_ device: OpaquePointer) -> Bool {
        guard isRunning, udev_device_get_is_initialized(device) == 0, let node = udev_device_get_devnode(device) else {
            return false
        }
        // A node that can be opened already is used at once: some programs make nodes without udev's database.
        return access(node, R_OK) != 0
    }

    /// The present event nodes, in order of their numbers, without those that udevd will announce.
    static func inputDevices() throws(DeviceError) -> [UdevDevice] {
        guard let context = udev_new() else { throw .udevUnavailable(reason: ErrorText.of(errno)) }
        defer { udev_unref(context) }
        guard let enumeration = udev_enumerate_new(context) else {
            throw .udevUnavailable(reason: ErrorText.of(errno))
        }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "input")
        udev_enumerate_add_match_sysname(enumeration, "event*")
        let status = udev_enumerate_scan_devices(enumeration)
        if status < 0 { throw .udevUnavailable(reason: ErrorText.of(-status)) }
        var devices: [UdevDevice] = []
        var entry = udev_enumerate_get_list_entry(enumeration)
        while let current = entry {
            if let path = udev_list_entry_get_name(current), let device = udev_device_new_from_syspath(context, path) {
                if !isProcessing(device), let copy = UdevDevice(device) { devices.append(copy) }
                udev_device_unref(device)
            }
            entry = udev_list_entry_get_next(current)
        }
        return devices.sorted { $0.path.count == $1.path.count ? $0.path < $1.path : $0.path.count < $1.path.count }
    }
}
