import CLibudev
import Evdev
import Foundation
import Player

/// Plays fingers and mice to the kernel: virtual uinput devices, by commands in a file or on standard input.
@main
enum UinputPlay {
    static func main() {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard arguments.count <= 1 else { throw PlayError.usage("uinput-play [FILE]") }
            try Player(UinputSource()).play(file: arguments.first)
        } catch {
            FileHandle.standardError.write(Data("uinput-play: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// The kernel's devices, and udev's reports of them after its rules have run: node created, permissions set, properties
/// known.
struct UinputSource: DeviceSource {
    private let monitor: OpaquePointer

    /// Starts listening to udev; its events are kept until they are awaited.
    init() throws(PlayError) {
        guard let context = udev_new(), let monitor = udev_monitor_new_from_netlink(context, "udev"),
            udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil) >= 0,
            udev_monitor_enable_receiving(monitor) >= 0
        else { throw PlayError(system: "cannot listen to udev") }
        self.monitor = monitor
    }

    func plug(_ description: DeviceDescription, awaitsUdev: Bool) throws(PlayError) -> UinputDevice {
        let device = try UinputDevice(description)
        if awaitsUdev { try wait(for: "add", of: device.node) }
        return device
    }

    func unplug(_ device: UinputDevice, awaitsUdev: Bool) throws(PlayError) {
        device.destroy()
        if awaitsUdev { try wait(for: "remove", of: device.node) }
    }

    /// Returns once udev has reported `action` for `node`.
    private func wait(for action: String, of node: String) throws(PlayError) {
        // Ten minutes are reached only if udev is missing: under emulation it takes a second or two.
        var descriptor = pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, 600_000) > 0 {
            guard let device = udev_monitor_receive_device(monitor) else { continue }
            defer { udev_device_unref(device) }
            guard let path = udev_device_get_devnode(device), let said = udev_device_get_action(device) else {
                continue
            }
            if String(cString: path) == node, String(cString: said) == action { return }
        }
        throw PlayError("udev said nothing of \(node): is systemd-udevd running?")
    }
}

/// A uinput device that exists until `destroy`; every event is one write.
final class UinputDevice: PlayedDevice {
    let node: String
    private var device: VirtualDevice?

    /// Creates the device; needs permission to write to `/dev/uinput`.
    init(_ description: DeviceDescription) throws(PlayError) {
        var description = description
        description.physicalPath = ""
        do throws(VirtualDeviceError) {
            device = try VirtualDevice(description)
        } catch {
            throw PlayError("cannot make a device through /dev/uinput: \(error)")
        }
        guard let node = device?.node else { throw PlayError("the kernel made no event node") }
        self.node = node
    }

    /// Unplugs the device with everything on it.
    func destroy() { device = nil }

    func send(type: Int32, code: Int32, value: Int32) throws(PlayError) {
        do throws(VirtualDeviceError) {
            try device?.write(type: UInt16(type), code: UInt16(code), value: value)
        } catch {
            throw PlayError("cannot write an event to \(node): \(error)")
        }
    }

    func waitUntilOpen() throws(PlayError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0, inotify_add_watch(watch, node, UInt32(IN_OPEN)) >= 0 else {
            throw PlayError(system: "cannot watch \(node)")
        }
        defer { close(watch) }
        // The watch starts before the check, so that an open in between is not missed.
        while !isOpenElsewhere() {
            var events = [UInt8](repeating: 0, count: 4096)
            guard read(watch, &events, events.count) > 0 else { throw PlayError(system: "cannot watch \(node)") }
        }
    }

    private func isOpenElsewhere() -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/proc/[0-9]*/fd/*", 0, nil, &found) == 0 else { return false }
        return (0..<Int(found.gl_pathc)).contains { index in
            guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { return false }
            return !path.hasPrefix("/proc/\(getpid())/")
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == node
        }
    }
}
