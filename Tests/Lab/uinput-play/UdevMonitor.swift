import CLibudev
import Glibc
import Player

/// Receives udev's events for input devices after its rules have run: node created, permissions set, properties known.
final class UdevMonitor {
    private let context: OpaquePointer
    private let monitor: OpaquePointer

    /// Starts listening; events are kept until `wait` reads them.
    init() throws(PlayError) {
        guard let context = udev_new(), let monitor = udev_monitor_new_from_netlink(context, "udev") else {
            throw .system(what: "cannot listen to udev", reason: String(cString: strerror(errno)))
        }
        self.context = context
        self.monitor = monitor
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
        guard udev_monitor_enable_receiving(monitor) >= 0 else {
            throw .system(what: "cannot listen to udev", reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(context)
    }

    /// Returns once udev has reported `action` (`add`, `remove`) for `node`.
    func wait(for action: String, of node: String) throws(PlayError) {
        // Reached only if udev is missing: under emulation it takes a second or two.
        let timeout = 600
        var descriptor = pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, Int32(timeout * 1000)) > 0 {
            guard let device = udev_monitor_receive_device(monitor) else { continue }
            defer { udev_device_unref(device) }
            guard let path = udev_device_get_devnode(device), let said = udev_device_get_action(device) else {
                continue
            }
            if String(cString: path) == node, String(cString: said) == action { return }
        }
        throw .silentUdev(node: node, seconds: timeout)
    }
}
