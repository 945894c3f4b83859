import CUmockdev
import Glibc

/// umockdev's sysfs, udev and device nodes, which replace the machine's own in a program run by `umockdev-wrapper`.
final class TestBed {
    struct Failure: Error { var message: String }

    private let bed: UnsafeMutablePointer<UMockdevTestbed>

    init() throws {
        guard let bed = umockdev_testbed_new() else { throw Failure(message: "umockdev made no test bed") }
        self.bed = bed
    }

    deinit { g_object_unref(bed) }

    /// Creates a device and notifies monitors.
    func plug(_ device: MockDevice) throws {
        var error: UnsafeMutablePointer<GError>?
        guard umockdev_testbed_add_from_string(bed, device.text, &error) != 0 else { throw Self.failure(error) }
        let path = "/tmp/evdev-probe-\(getpid()).ioctl"
        try device.ioctls.write(toFile: path)
        defer { unlink(path) }
        guard umockdev_testbed_load_ioctl(bed, device.path, path, &error) != 0 else { throw Self.failure(error) }
    }

    /// Removes a device and notifies monitors.
    func unplug(_ device: MockDevice) {
        umockdev_testbed_uevent(bed, device.systemPath, "remove")
        umockdev_testbed_remove_device(bed, device.systemPath)
    }

    /// Announces a device again without changes, like `udevadm trigger`.
    func trigger(_ device: MockDevice) { umockdev_testbed_uevent(bed, device.systemPath, "change") }

    /// The end of the node for writing its events; the test bed owns it.
    func descriptor(of device: MockDevice) -> Int32 { umockdev_testbed_get_dev_fd(bed, device.path) }

    /// Moves a device's node away or back, without an event.
    func hide(_ device: MockDevice, _ isHidden: Bool) throws {
        guard let root = umockdev_testbed_get_root_dir(bed) else { throw Self.failure(nil) }
        defer { g_free(root) }
        let node = String(cString: root) + device.path
        let (from, to) = isHidden ? (node, node + ".hidden") : (node + ".hidden", node)
        guard rename(from, to) == 0 else {
            throw Failure(message: "\(from): \(String(cString: strerror(errno)))")
        }
    }

    /// Changes the mode of a device's node, without an event.
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
