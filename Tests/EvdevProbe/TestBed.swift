import CUmockdev
import Glibc

/// umockdev's sysfs, udev and device nodes, which stand for the machine's own in a program run by `umockdev-wrapper`.
final class TestBed {
    struct Failure: Error { var message: String }

    private let bed: UnsafeMutablePointer<UMockdevTestbed>

    init() throws {
        guard let bed = umockdev_testbed_new() else { throw Failure(message: "umockdev made no test bed") }
        self.bed = bed
    }

    deinit { g_object_unref(bed) }

    /// Makes a device; a monitor that listens hears of it.
    func plug(_ device: MockDevice) throws {
        var error: UnsafeMutablePointer<GError>?
        guard umockdev_testbed_add_from_string(bed, device.text, &error) != 0 else { throw Self.failure(error) }
        let path = "/tmp/evdev-probe-\(getpid()).ioctl"
        try device.ioctls.write(toFile: path)
        defer { unlink(path) }
        guard umockdev_testbed_load_ioctl(bed, device.path, path, &error) != 0 else { throw Self.failure(error) }
    }

    /// Takes a device away, as udev tells it.
    func unplug(_ device: MockDevice) {
        umockdev_testbed_uevent(bed, device.systemPath, "remove")
        umockdev_testbed_remove_device(bed, device.systemPath)
    }

    /// Announces a device once more with nothing changed, as `udevadm trigger` has udev do.
    func trigger(_ device: MockDevice) { umockdev_testbed_uevent(bed, device.systemPath, "change") }

    /// The end of the node to which its events are written; it belongs to the test bed.
    func descriptor(of device: MockDevice) -> Int32 { umockdev_testbed_get_dev_fd(bed, device.path) }

    /// Moves a device's node away, where no program finds it, or back; nothing tells of either.
    func hide(_ device: MockDevice, _ isHidden: Bool) throws {
        guard let root = umockdev_testbed_get_root_dir(bed) else { throw Self.failure(nil) }
        defer { g_free(root) }
        let node = String(cString: root) + device.path
        let (from, to) = isHidden ? (node, node + ".hidden") : (node + ".hidden", node)
        guard rename(from, to) == 0 else {
            throw Failure(message: "\(from): \(String(cString: strerror(errno)))")
        }
    }

    /// Changes who may open a device's node; nothing tells of it.
    func setMode(_ mode: mode_t, of device: MockDevice) throws {
        guard let root = umockdev_testbed_get_root_dir(bed) else { throw Self.failure(nil) }
        defer { g_free(root) }
        let node = String(cString: root) + device.path
        guard chmod(node, mode) == 0 else { throw Failure(message: "\(node): \(String(cString: strerror(errno)))") }
    }

    private static func failure(_ error: UnsafeMutablePointer<GError>?) -> Failure {
        Failure(message: error.map { String(cString: $0.pointee.message) } ?? "umockdev failed")
    }
}

extension String {
    fileprivate func write(toFile path: String) throws {
        guard let file = fopen(path, "w") else { throw TestBed.Failure(message: "\(path): cannot be written") }
        fputs(self, file)
        fclose(file)
    }
}
