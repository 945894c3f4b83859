import Basics
import EventLoop

/// Finds the input devices, follows hotplug, and delivers the frames of the devices that touchd uses.
///
/// Belongs to the thread of its loop; its handlers are called there.
///
/// ```swift
/// let monitor = DeviceMonitor(
///     loop: loop,
///     onFrame: { frame in for contact in frame.contacts { print(contact.id, contact.phase, contact.position) } },
///     onChange: { change in print(change) })
/// try monitor.start()
/// loop.run()
/// ```
public final class DeviceMonitor {
    /// Returns the observer of a device's contacts, now and whenever a device is opened; nil, the default, for no
    /// observers.
    package var contactObserver: ((DeviceInfo) -> ContactObserver?)? {
        didSet {
            for device in open.values { device.observe(contactObserver?(device.info)) }
        }
    }

    /// Called for touchscreens whose rule has `forward`; set it before `start()`. While it is nil, they are read like
    /// any other.
    package var forwarding: PanelForwarding?

    private let loop: EpollRunLoop
    private let onFrame: (borrowing InputFrame) -> Void
    private let onChange: (DeviceChange) -> Void
    private let onResume: (Duration) -> Void
    private let onError: (DeviceError) -> Void
    private var registry: DeviceRegistry
    private var open: [String: InputDevice] = [:]
    private var known: [String: DeviceInfo] = [:]
    /// Nodes that no group may open yet: the kernel creates a node for root, and udev sets its group a moment later.
    /// The error is reported if it persists at the next try.
    private var unsettled: Set<String> = []
    private var udev: Udev?
    private var directory: DeviceDirectory?
    private var source: DescriptorSource?
    private var resume: ResumeSource?
    private var retries: OpeningRetries?
    /// The nodes that were closed with a finger down and may be opened again.
    private var touched: Set<String> = []
    /// How often all devices were closed; lets a loop over devices detect that a handler closed them.
    private var closings = 0

    /// Creates a monitor that does nothing until `start()`.
    /// - Parameters:
    ///   - loop: Reads the devices and the hotplug events.
    ///   - rules: The rules for devices.
    ///   - onFrame: Called for each frame of every device, in the order in which the kernel reported them.
    ///   - onChange: Called when a device is added, removed, ignored or cannot be read.
    ///   - onResume: Called after a suspend, with its duration, before all devices are reopened. A screen may stop
    ///     working in a suspend, or lose the events that end its contacts.
    ///   - onError: Called if the devices could not be reopened then; they stay open.
    public init(
        loop: EpollRunLoop, rules: [DeviceRule] = [], onFrame: @escaping (borrowing InputFrame) -> Void,
        onChange: @escaping (DeviceChange) -> Void, onResume: @escaping (Duration) -> Void = { _ in },
        onError: @escaping (DeviceError) -> Void = { _ in }
    ) {
        self.loop = loop
        registry = DeviceRegistry(rules: rules)
        self.onFrame = onFrame
        self.onChange = onChange
        self.onResume = onResume
        self.onError = onError
    }

    /// Opens the devices and starts to follow hotplug.
    ///
    /// Without udevd, for example in a container, inotify on /dev/input replaces it. A device that cannot be opened is
    /// retried after 1, 2, 4 … s and then once a minute.
    /// - Throws: If devices cannot be listed or followed. A device that cannot be opened is only reported to
    ///   `onChange`.
    public func start() throws(DeviceError) {
        guard udev == nil else { return }
        let udev = try Udev()
        let resume = try resumeSource()
        let source = DescriptorSource(name: "udev", descriptor: udev.descriptor) { [unowned self] _ in
            while let device = self.udev?.nextAnnouncement() { handle(device) }
        }
        do { try loop.add(source) } catch { throw .udevUnavailable(reason: "\(error)") }
        (self.udev, self.resume, self.source) = (udev, resume, source)
        retries = OpeningRetries(loop: loop) { [unowned self] device in retry(device) }
        if !Udev.isRunning {
            directory = try DeviceDirectory(loop: loop) { [unowned self] path, isPresent in
                if !isPresent {
                    remove(path)
                } else if open[path] == nil {
                    add(Udev.device(at: path))
                }
            }
        }
        for device in try Self.present(directory?.watchNodes() ?? []) { add(device) }
    }

    private func resumeSource() throws(DeviceError) -> ResumeSource {
        do {
            return try loop.add(
                ResumeSource { [unowned self] slept in
                    onResume(slept)
                    // If udev cannot be queried, the devices stay open; later announcements still arrive.
                    do throws(DeviceError) { try reopen() } catch { onError(error) }
                })
        } catch {
            throw .resumeUnheard(reason: "\(error)")
        }
    }

    /// The present devices.
    /// - Parameter nodes: The nodes in /dev/input, which udev may not know without udevd.
    private static func present(_ nodes: [String]) throws(DeviceError) -> [UdevDevice] {
        let devices = try Udev.inputDevices()
        let paths = Set(devices.map(\.path))
        return devices + nodes.filter { !paths.contains($0) }.map(Udev.device(at:))
    }

    private static func nodes() throws(DeviceError) -> [String] {
        if Udev.isRunning { return [] }
        do {
            return try DeviceDirectory.nodes()
        } catch {
            throw .failed(path: DeviceDirectory.path, call: error.call, reason: ErrorText.of(error.errno))
        }
    }

    /// Closes all devices; cancels contacts and keys that are down first.
    ///
    /// Nothing is delivered afterwards. `onChange` is not called, because the devices are still present.
    public func stop() {
        source?.invalidate()
        source = nil
        udev = nil
        resume?.invalidate()
        resume = nil
        directory = nil
        retries?.removeAll()
        retries = nil
        closeAll()
        for path in known.keys { registry.release(path) }
        known = [:]
        touched = []
    }

    /// Closes every device, lists the devices again and reopens them, with other rules if given.
    ///
    /// For changed rules of a layout and after a suspend. Contacts and keys that are down are cancelled first. A device
    /// that stays present keeps its identity, even if the rules change its settings.
    ///
    /// `onChange` receives only differences: `.added` for a device that is newly used; `.removed` for one that was
    /// removed or is no longer used (followed by `.ignored` or `.failed` if it is present); `.ignored`, `.failed` and
    /// `.notGrabbed` if the state or its reason is new. A device that stays in use is not reported, even if its
    /// settings change: see `devices`.
    ///
    /// May be called from any handler of the monitor. On a monitor that has not been started, it only sets the rules.
    /// - Parameter rules: The new rules; nil keeps the current ones.
    /// - Throws: If devices cannot be listed; then no device is closed, and the rules are unchanged.
    public func reopen(rules: [DeviceRule]? = nil) throws(DeviceError) {
        if let udev {
            // The list already includes what was announced until now.
            var announced: [UdevDevice] = []
            while let device = udev.nextAnnouncement() { announced.append(device) }
            let devices: [UdevDevice]
            do {
                devices = try Self.present(Self.nodes())
            } catch {
                for device in announced { handle(device) }
                throw error
            }
            if let rules { registry.rules = rules }
            reopen(devices)
        } else if let rules {
            registry.rules = rules
        }
    }

    /// Replaces rules by the same rules with other labels, in the same order; closes no device.
    package func relabel(_ rules: [DeviceRule]) {
        precondition(
            rules.elementsEqual(registry.rules) { $0.hasSameSettings(as: $1) }, "other rules are for reopen(rules:)")
        let labels = Dictionary(zip(registry.rules, rules).map { ($0.label, $1.label) }) { $1 }
        registry.rules = rules
        known = known.mapValues { $0.relabelled(labels) }
    }

    private func reopen(_ devices: [UdevDevice]) {
        let grabErrors = open.compactMapValues(\.grabError)
        let closing = closings + 1
        closeAll()
        // Here and below: if a handler opens or closes all devices, stop.
        guard closing == closings else { return }
        registry.releaseAll(except: devices)
        let examined = devices.map { device in (device, registry.examine(device)) }
        let present = Set(examined.map { $1.info.id })
        let before = self.devices
        for device in before where !present.contains(device.id) {
            known[device.path] = nil
            touched.remove(device.path)
            if device.use == .used { onChange(.removed(device)) }
            guard closing == closings else { return }
        }
        for (device, (info, libevdev)) in examined {
            let was = before.first { $0.id == info.id }
            if let was, known[was.path] == was { known[was.path] = nil }
            known[info.path] = info
            if let was, was.use == .used, info.use != .used { onChange(.removed(was)) }
            guard closing == closings else { return }
            register(device, info, libevdev, was: was?.use, grabError: was.flatMap { grabErrors[$0.path] })
            guard closing == closings else { return }
        }
    }

    private func closeAll() {
        closings += 1
        unsettled = []
        retries?.removeAll()
        let devices = open
        open = [:]
        for path in devices.keys.sorted() {
            if devices[path]?.isTouched == true { touched.insert(path) }
            devices[path]?.close()
        }
    }

    /// All present devices, used or not, in the order in which they were first seen.
    public var devices: [DeviceInfo] { known.values.sorted { $0.id.rawValue < $1.id.rawValue } }

    /// When the kernel last sent an event of a device; nil for a device that is not open.
    package func lastEvent(of device: DeviceID) -> InputTimestamp? {
        open.values.first { $0.info.id == device }?.lastTime
    }

    /// Checks which of the used devices another process has grabbed, and updates `devices`.
    package func testGrabs() {
        for (path, device) in open { known[path]?.isHeld = device.isHeldByAnother }
    }

    /// Lists the devices as `start()` would use them; keeps none open.
    public static func survey(rules: [DeviceRule] = []) throws(DeviceError) -> [DeviceInfo] {
        var registry = DeviceRegistry(rules: rules)
        return try present((try? nodes()) ?? []).map { registry.examine($0).info }
    }

    private func handle(_ device: UdevDevice) {
        switch device.action {
        case "remove": remove(device.path)
        case "add", "change": add(device)
        default: break
        }
    }

    private func add(_ device: UdevDevice) {
        if let present = open[device.path] {
            if present.udevDevice.properties != device.properties { change(present, to: device) }
            return
        }
        // Its attributes may have changed, which is no news if the device is as it was.
        let was = unsettled.remove(device.path) == nil ? known[device.path]?.use : nil
        let (info, libevdev) = registry.examine(device)
        known[device.path] = info
        if was == nil, case .failed(.notPermitted(_, group: nil)) = info.use {
            unsettled.insert(device.path)
            retries?.insert(device)
        } else {
            register(device, info, libevdev, was: was, grabError: nil)
        }
    }

    /// Opens a device again, whose udev properties have changed. If it stays in use, it was never gone: it keeps its
    /// identity and its virtual touchscreen.
    private func change(_ present: InputDevice, to device: UdevDevice) {
        let path = device.path
        let closing = closings
        open[path] = nil
        if present.isTouched { touched.insert(path) }
        present.close()
        // A handler of the cancelled touches may have closed or removed it.
        guard closing == closings, udev != nil, let was = known[path] else { return }
        let (info, libevdev) = registry.examine(device)
        known[path] = info
        if info.use != .used { onChange(.removed(was)) }
        guard closing == closings, udev != nil else { return }
        register(device, info, libevdev, was: was.use, grabError: present.grabError)
    }

    private func retry(_ device: UdevDevice) {
        // A new node at the same path, for example after a replug: its announcement follows.
        if Udev.isProcessing(device.path) { return }
        let was = unsettled.remove(device.path) == nil ? known[device.path] : nil
        let (info, libevdev) = registry.examine(device)
        known[device.path] = info
        register(device, info, libevdev, was: was?.use, grabError: nil)
    }

    /// Opens or ignores a device and reports the differences.
    private func register(
        _ device: UdevDevice, _ info: DeviceInfo, _ libevdev: Libevdev?, was use: DeviceInfo.Use?,
        grabError: DeviceError?
    ) {
        if case .failed(let error) = info.use, error.mayPass {
            retries?.insert(device)
        } else {
            retries?.remove(info.path)
        }
        switch info.use {
        case .ignored: if use != info.use { onChange(.ignored(info)) }
        case .failed: if use != info.use { onChange(.failed(info)) }
        case .used:
            guard let libevdev else { return }
            let input = InputDevice(
                info, libevdev, udevDevice: device, wasTouched: touched.remove(device.path) != nil,
                forwarding: forwarding, onFrame: onFrame,
                onLoss: { [unowned self] device, error in handleLoss(device, error) })
            open[device.path] = input
            input.observe(contactObserver?(info))
            if let error = input.grabError {
                if use != .used || error != grabError { onChange(.notGrabbed(info, error)) }
            } else if use != .used {
                onChange(.added(info))
            }
            do { try input.start(on: loop) } catch { handleLoss(input, error) }
        }
    }

    private func remove(_ path: String) {
        unsettled.remove(path)
        touched.remove(path)
        let info = known.removeValue(forKey: path)
        registry.release(path)
        retries?.remove(path)
        guard let device = open.removeValue(forKey: path), let info else { return }
        device.close()
        onChange(.removed(info))
    }

    private func handleLoss(_ device: InputDevice, _ error: DeviceError) {
        guard open[device.info.path] === device else { return }
        open[device.info.path] = nil
        if case .unplugged = error {
            known[device.info.path] = nil
            registry.release(device.info.path)
            onChange(.removed(device.info))
            return
        }
        var info = known[device.info.path] ?? device.info
        info.use = .failed(error)
        info.isHeld = false
        known[info.path] = info
        if error.mayPass { retries?.insert(device.udevDevice) }
        onChange(.failed(info))
    }
}

/// Retries nodes that could not be opened: after 1, 2, 4 … seconds, and then once a minute.
///
/// The kernel does not report that a node has become openable. Causes are a late change of its group or mode, or a
/// freed descriptor. Belongs to the thread of its loop.
final class OpeningRetries {
    private var nodes: [String: UdevDevice] = [:]
    private var delays = RetryDelays()
    private var timer: RunLoopTimer?

    /// - Parameter retry: Called for each due node, in order of their names; it may insert and remove any.
    init(loop: EpollRunLoop, retry: @escaping (UdevDevice) -> Void) {
        let timer = RunLoopTimer(name: "devices that were not opened", tolerance: .milliseconds(100)) {
            [weak self] timer in
            // Retained here, because a retry may stop the monitor.
            guard let self else { return }
            for path in nodes.keys.sorted() {
                if let node = nodes[path] { retry(node) }
            }
            if !nodes.isEmpty { timer.reschedule(after: delays.next()) }
        }
        self.timer = timer
        loop.add(timer)
    }

    deinit { timer?.invalidate() }

    /// Adds a node; a new one restarts the delays for all nodes.
    func insert(_ node: UdevDevice) {
        guard nodes.updateValue(node, forKey: node.path) == nil else { return }
        delays.restart()
        timer?.reschedule(after: delays.next())
    }

    /// Removes a node.
    func remove(_ path: String) {
        guard nodes.removeValue(forKey: path) != nil, nodes.isEmpty else { return }
        timer?.cancel()
    }

    /// Removes all nodes.
    func removeAll() {
        nodes = [:]
        timer?.cancel()
    }
}

extension DeviceError {
    /// Whether the device may become openable without an announcement.
    ///
    /// A removed device is announced when it returns, and a flooding device is ignored until it is replugged.
    var mayPass: Bool {
        switch self {
        case .notPermitted, .failed: true
        case .unplugged, .notGrabbed, .flooding, .udevUnavailable, .resumeUnheard: false
        }
    }
}
