import Evdev
import EventLoop
import Forwarding
import Glibc

/// A touchscreen that the kernel creates for this test, found through udev and read like any other.
///
/// It is grabbed before the first finger comes down, so that no other program, such as the kiosk's browser, receives
/// its events. The running service ignores it by its name.
final class KernelScreen: TestScreen {
    let way = "through the kernel"
    let isReal = true
    /// Its event node, which changes each time it is plugged in.
    private(set) var node = ""

    private let kiosk: SimulatedKiosk
    private let loop: EpollRunLoop
    private let description: DeviceDescription
    private var device: VirtualDevice?
    private var monitor: DeviceMonitor?
    private var failure: DeviceError?
    private let forwards: Bool
    /// Why its touches cannot be forwarded; nil without an error.
    private(set) var forwardingFailure: String?
    private lazy var forwarder = PanelForwarder(
        application: kiosk.application, loop: loop,
        report: { [unowned self] in if case .failed(_, let reason) = $0 { forwardingFailure = reason } })

    /// The name of the virtual touchscreen that forwards its touches.
    var forwardedName: String { description.name + " (touchd)" }

    /// Creates the screen and waits until it can be read.
    /// - Parameter forwards: Whether its touches are forwarded through a virtual touchscreen, by the layout's rules.
    init(_ kiosk: SimulatedKiosk, loop: EpollRunLoop, forwards: Bool = false) throws(KernelScreenError) {
        self.kiosk = kiosk
        self.loop = loop
        self.forwards = forwards
        var description = TestScreenModel.description
        // Not mistaken for the screen of another self-test that runs at the same time.
        description.name += " \(getpid())"
        self.description = description
        kiosk.application.attach(to: loop)
        do {
            try plugIn()
        } catch {
            monitor?.stop()
            kiosk.application.detach()
            throw error
        }
    }

    isolated deinit {
        monitor?.stop()
        if forwards { forwarder.removeAll() }
    }

    func plugIn() throws(KernelScreenError) {
        // It runs before the node exists and across a replug: a node that it finds at its start may still be in udev's
        // queue, and is opened again when udev announces it.
        try startMonitor()
        kiosk.device = nil
        failure = nil
        do {
            device = try VirtualDevice(description)
        } catch {
            throw .uinput(error)
        }
        node = device?.node ?? ""
        guard run(until: { kiosk.device != nil || failure != nil }, for: .seconds(20)) else {
            throw .notFound(node: node)
        }
        if let failure { throw .device(failure) }
    }

    private func startMonitor() throws(KernelScreenError) {
        guard monitor == nil else { return }
        let monitor = DeviceMonitor(
            loop: loop, rules: Self.rules(for: description.name, forwards: forwards),
            onFrame: { [kiosk] frame in kiosk.application.enqueue(frame) },
            onChange: { [unowned self] in changed($0) })
        self.monitor = monitor
        if forwards {
            forwarder.follow(forwardsByDefault: kiosk.document.forward.isDefault, cooldown: 0)
            monitor.forwarding = forwarder.callbacks
        }
        do {
            try monitor.start()
        } catch {
            throw .device(error)
        }
    }

    func send(type: UInt16, code: UInt16, value: Int32) throws {
        try device?.write(type: type, code: code, value: value)
    }

    func wait(until condition: () -> Bool) -> Bool { run(until: condition, for: .seconds(10)) }

    func pass(_ seconds: Double) { _ = run(until: { false }, for: .seconds(seconds)) }

    func unplug() {
        device = nil
        // When the kernel reports that it is gone, its touches are cancelled; no reports follow.
        _ = run(until: { kiosk.device == nil }, for: .seconds(5))
    }

    private func run(until condition: () -> Bool, for limit: Duration) -> Bool {
        let deadline = Deadline.after(limit)
        while !condition() {
            if deadline.isPast { return false }
            _ = loop.run(until: deadline, returnAfterSourceHandled: true)
        }
        return true
    }

    private func changed(_ change: DeviceChange) {
        switch change {
        case .added(let info) where info.description.name == description.name: kiosk.device = info.id
        case .notGrabbed(let info, let error) where info.description.name == description.name: failure = error
        case .failed(let info) where info.description.name == description.name:
            if case .failed(let error) = info.use { failure = error }
            remove(info)
        case .removed(let info) where info.description.name == description.name: remove(info)
        default: break
        }
    }

    private func remove(_ info: DeviceInfo) {
        kiosk.application.enqueueRemoval(
            of: info.id, at: InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000))
        kiosk.application.drainEvents()
        if forwards { forwarder.remove(info.id) }
        if kiosk.device == info.id { kiosk.device = nil }
    }

    /// All other devices are ignored, whatever the layout's rules are.
    static func rules(for name: String, forwards: Bool = false) -> [DeviceRule] {
        var others = DeviceRule(label: "the self-test", match: .init())
        others.use = false
        var own = DeviceRule(label: "the self-test's own screen", match: .init(name: Pattern(name)))
        own.use = true
        own.grabs = true
        own.forwards = forwards
        return [others, own]
    }
}
