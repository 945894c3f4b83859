import EventLoop

/// Finds the input devices there are, hears of those that come and go, and delivers the frames of those touchd uses.
///
/// Belongs to the thread of its loop; its handlers are called there.
public final class DeviceMonitor {
    private let loop: EpollRunLoop
    private let onFrame: (borrowing InputFrame) -> Void
    private let onChange: (DeviceChange) -> Void
    private var registry: DeviceRegistry
    private var open: [String: InputDevice] = [:]
    private var known: [String: DeviceInfo] = [:]
    private var udev: Udev?
    private var directory: DeviceDirectory?
    private var source: DescriptorSource?

    /// Makes a monitor that does nothing until `start()`.
    /// - Parameters:
    ///   - loop: reads the devices and hears of changes.
    ///   - rules: what is done with which devices.
    ///   - onFrame: called for each frame of every device, in the order in which the kernel reported them.
    ///   - onChange: called when a device comes, goes, is left alone or cannot be read.
    public init(
        loop: EpollRunLoop, rules: [DeviceRule] = [], onFrame: @escaping (borrowing InputFrame) -> Void,
        onChange: @escaping (DeviceChange) -> Void
    ) {
        self.loop = loop
        registry = DeviceRegistry(rules: rules)
        self.onFrame = onFrame
        self.onChange = onChange
    }

    /// Opens the devices there are and begins to listen for others.
    ///
    /// Where no udevd runs, in a container say, inotify on /dev/input takes its place.
    /// - Throws: if there is no way to hear of devices; a device that cannot be opened is only told to `onChange`.
    public func start() throws(DeviceError) {
        guard udev == nil else { return }
        let udev = try Udev()
        self.udev = udev
        let source = DescriptorSource(name: "udev", descriptor: udev.descriptor) { [unowned self] _ in
            while let device = self.udev?.nextAnnouncement() { take(device) }
        }
        self.source = source
        loop.add(source)
        if !Udev.isRunning {
            directory = try DeviceDirectory(loop: loop) { [unowned self] path, isPresent in
                if !isPresent {
                    remove(path)
                } else if open[path] == nil {
                    add(Udev.device(at: path))
                }
            }
        }
        for device in try Self.present() { add(device) }
    }

    private static func present() throws(DeviceError) -> [UdevDevice] {
        let devices = try Udev.inputDevices()
        if Udev.isRunning { return devices }
        let paths = Set(devices.map(\.path))
        return devices + DeviceDirectory.nodes().filter { !paths.contains($0) }.map(Udev.device(at:))
    }

    /// Closes all devices; what is down on them is cancelled first.
    ///
    /// Nothing is delivered afterwards. `onChange` is not told: the devices are still there.
    public func stop() {
        source?.invalidate()
        source = nil
        udev = nil
        directory = nil
        for path in open.keys.sorted() { open.removeValue(forKey: path)?.close() }
        for path in known.keys { registry.release(path) }
        known = [:]
    }

    /// Opens every device again, and asks which there are, as after the machine was suspended.
    ///
    /// What is down is cancelled first. A device that is there before and after keeps its identity.
    public func reopen() throws(DeviceError) {
        guard udev != nil else { return }
        let before = Set(known.keys)
        for path in before.sorted() { remove(path) }
        for device in try Self.present() { add(device) }
    }

    /// Every device there is, used or not, in the order of the nodes' names.
    public var devices: [DeviceInfo] { known.values.sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Lists the devices there are, as `start()` would take them, and keeps nothing open.
    public static func survey(rules: [DeviceRule] = []) throws(DeviceError) -> [DeviceInfo] {
        var registry = DeviceRegistry(rules: rules)
        return try present().map { registry.examine($0).info }
    }

    private func take(_ device: UdevDevice) {
        switch device.action {
        case "remove": remove(device.path)
        case "add", "change": add(device)
        default: break
        }
    }

    private func add(_ device: UdevDevice) {
        if let present = open[device.path] {
            if present.udevProperties == device.properties { return }
            remove(device.path)
        }
        let (info, libevdev) = registry.examine(device)
        known[device.path] = info
        switch info.use {
        case .ignored: onChange(.ignored(info))
        case .failed: onChange(.failed(info))
        case .used:
            guard let libevdev else { return }
            let input = InputDevice(
                info, libevdev, udevProperties: device.properties, onFrame: onFrame,
                onLoss: { [unowned self] device, error in lose(device, error) })
            if info.settings.grabs, let error = libevdev.grab() { onChange(.failed(info.failing(error))) }
            open[device.path] = input
            onChange(.added(info))
            input.start(on: loop)
        }
    }

    private func remove(_ path: String) {
        let info = known.removeValue(forKey: path)
        registry.release(path)
        guard let device = open.removeValue(forKey: path), let info else { return }
        device.close()
        onChange(.removed(info))
    }

    private func lose(_ device: InputDevice, _ error: DeviceError) {
        guard open[device.info.path] === device else { return }
        open[device.info.path] = nil
        if case .unplugged = error {
            known[device.info.path] = nil
            registry.release(device.info.path)
            onChange(.removed(device.info))
            return
        }
        let info = device.info.failing(error)
        known[info.path] = info
        onChange(.failed(info))
    }
}
