import CLinux
import CUmockdev
import Glibc

/// umockdev's sysfs, udev and device nodes, which replace the machine's own in a program run by `umockdev-wrapper`.
package final class TestBed {
    package struct Failure: Error, CustomStringConvertible {
        package var message: String
        package var description: String { message }

        package init(message: String) { self.message = message }

        /// What the last call could not be done with, and its error.
        package static func last(_ subject: String) -> Self {
            Self(message: "\(subject): \(String(cString: strerror(errno)))")
        }
    }

    /// The folder for `UMOCKDEV_DIR`.
    package let root: String
    private let bed: UnsafeMutablePointer<UMockdevTestbed>
    private let listeners: String?
    private var nodes: [Int: MockEvdev] = [:]

    /// Creates an empty test bed.
    ///
    /// - Parameter listeners: A folder whose folders are each the `UMOCKDEV_DIR` of a program, with the test bed's `sys`, `dev`
    ///   and `ioctl` in it. umockdev names a program's socket for uevents after its descriptor, so two programs with one
    ///   folder would take it from each other.
    package init(listeners: String? = nil) throws {
        guard let bed = umockdev_testbed_new(), let root = umockdev_testbed_get_root_dir(bed) else {
            throw Failure(message: "umockdev made no test bed")
        }
        self.bed = bed
        self.root = String(cString: root)
        self.listeners = listeners
        g_free(root)
        // Programs can be started before the first device.
        for folder in ["dev", "dev/input"] { mkdir("\(self.root)/\(folder)", 0o755) }
    }

    deinit { g_object_unref(bed) }

    /// Creates a device and notifies monitors.
    ///
    /// - Parameters:
    ///   - group: The group that may read the node, apart from root; nil for the user of this program.
    ///   - hasSlots: Whether the kernel knows of the slots that the device announces.
    ///   - hasClocks: Whether a program can choose the clock of its events.
    @discardableResult
    package func plug(
        _ device: MockDevice, group: gid_t? = nil, hasSlots: Bool = true, hasClocks: Bool = true
    ) throws -> MockEvdev {
        let node = MockEvdev(device.description, hasSlots: hasSlots, hasClocks: hasClocks)
        guard let handler = umockdev_ioctl_base_new() else { throw Failure(message: "umockdev_ioctl_base_new failed") }
        // As long as this program: umockdev's thread can be in a handler at any time.
        let context = Unmanaged.passRetained(node).toOpaque()
        Signals.connect(handler, context)
        var error: UnsafeMutablePointer<GError>?
        // Before monitors are notified, because a program opens the node then.
        guard umockdev_testbed_attach_ioctl(bed, device.path, handler, &error) != 0 else { throw Self.failure(error) }
        guard umockdev_testbed_add_from_string(bed, device.text, &error) != 0 else { throw Self.failure(error) }
        try node.connect(to: umockdev_testbed_get_dev_fd(bed, device.path))
        if let group { try node.permit(group: group, mode: 0o660) }
        nodes[device.number] = node
        if listeners != nil { announce(device, "add") }
        return node
    }

    /// Removes a device and notifies monitors.
    package func unplug(_ device: MockDevice) {
        // As in the kernel, the node is gone before its readers learn of it. Otherwise a program could open it again.
        unlink(root + device.path)
        nodes.removeValue(forKey: device.number)?.unplug()
        announce(device, "remove")
        var error: UnsafeMutablePointer<GError>?
        umockdev_testbed_detach_ioctl(bed, device.path, &error)
        umockdev_testbed_remove_device(bed, device.systemPath)
    }

    /// Announces a device again without changes, like `udevadm trigger`.
    package func trigger(_ device: MockDevice) { announce(device, "change") }

    private func announce(_ device: MockDevice, _ action: String) {
        let links = linkListeners()
        umockdev_testbed_uevent(bed, device.systemPath, action)
        for link in links { unlink(link) }
    }

    /// Links the listeners' sockets into the test bed, where umockdev looks for them. Hard links: umockdev ends the
    /// program if a socket is missing, as at the end of a symbolic link it could be at any time.
    private func linkListeners() -> [String] {
        guard let listeners else { return [] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(listeners)/*/event[0-9]*", 0, nil, &found) == 0 else { return [] }
        var links: [String] = []
        for index in 0..<Int(found.gl_pathc) {
            guard let path = found.gl_pathv[index].map({ String(cString: $0) }), !path.hasPrefix(root + "/") else {
                continue
            }
            // No program has descriptors with such numbers.
            let name = "\(root)/event\(9_000_000 + index)"
            if link(path, name) == 0 { links.append(name) }
        }
        return links
    }

    /// The end of a device's node for bytes that no `MockEvdev` answers for; the test bed owns it.
    package func descriptor(of device: MockDevice) -> Int32 { umockdev_testbed_get_dev_fd(bed, device.path) }

    /// Moves a device's node away or back, without an event.
    package func hide(_ device: MockDevice, _ isHidden: Bool) throws {
        let node = root + device.path
        let (from, to) = isHidden ? (node, node + ".hidden") : (node + ".hidden", node)
        guard rename(from, to) == 0 else { throw Failure.last(from) }
    }

    /// Changes the mode of a device's node, without an event.
    package func setMode(_ mode: mode_t, of device: MockDevice) throws {
        let node = root + device.path
        guard chmod(node, mode) == 0 else { throw Failure.last(node) }
    }

    private static func failure(_ error: UnsafeMutablePointer<GError>?) -> Failure {
        Failure(message: error.map { String(cString: $0.pointee.message) } ?? "umockdev failed")
    }
}
