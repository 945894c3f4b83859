import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Glibc
import MockedInput

/// uinput devices, and a monitor that is notified as they come and go.
final class Scene {
    let monitor: DeviceMonitor
    private let loop: EpollRunLoop
    private let heard = Heard()

    /// The monitor's reports, by node and by device.
    private final class Heard {
        var changes: [String: [DeviceChange]] = [:]
        var seen: [DeviceID: Seen] = [:]
    }

    /// Starts the monitor.
    init(
        rules: [DeviceRule] = [], onFrame: @escaping () -> Void = {},
        onChange: @escaping (DeviceChange) -> Void = { _ in }, onResume: @escaping (Duration) -> Void = { _ in }
    ) throws {
        loop = try EpollRunLoop()
        monitor = DeviceMonitor(
            loop: loop, rules: rules,
            onFrame: { [heard] frame in
                heard.seen[frame.device]?.record(frame)
                onFrame()
            },
            onChange: { [heard] change in
                heard.changes[change.info.path, default: []].append(change)
                switch change {
                case .added(let info), .notGrabbed(let info, _): heard.seen[info.id] = heard.seen[info.id] ?? Seen()
                default: break
                }
                onChange(change)
            },
            onResume: onResume)
        try monitor.start()
    }

    deinit { monitor.stop() }

    /// The monitor's reports for a node.
    func changes(of path: String) -> [DeviceChange] { heard.changes[path] ?? [] }

    /// Waits until the monitor reports a device, and returns its description.
    func awaitArrival(of path: String) throws -> DeviceInfo {
        try wait("\(path) never came") { !changes(of: path).isEmpty }
        return changes(of: path)[0].info
    }

    /// Waits until the monitor has reported the removal of a device that it used.
    func awaitRemoval(of path: String) throws {
        try wait("\(path) never went") { if case .removed? = changes(of: path).last { true } else { false } }
    }

    /// The events received from a device that the monitor uses.
    func seen(of device: DeviceInfo) throws -> Seen {
        guard let seen = heard.seen[device.id] else {
            throw TestBed.Failure(message: "\(device.path) is not used: \(device.use)")
        }
        return seen
    }

    /// Makes the loop read all waiting events.
    func read() {
        while loop.run(mode: .default, until: .now, returnAfterSourceHandled: true) == .handledSource {}
    }

    /// Runs the loop until a condition holds; only a failure reaches the timeout.
    func wait(_ failure: String, until condition: () -> Bool) throws {
        let limit = Deadline.after(.seconds(600))
        while !condition() {
            if loop.run(mode: .default, until: limit, returnAfterSourceHandled: true) != .handledSource {
                throw TestBed.Failure(message: failure)
            }
        }
    }
}

extension DeviceChange {
    var info: DeviceInfo {
        switch self {
        case .added(let info), .notGrabbed(let info, _), .ignored(let info), .failed(let info), .removed(let info): info
        }
    }
}

/// Opens an event node as another program does.
func openNode(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw TestBed.Failure.last(path) }
    return descriptor
}

/// A device created by the kernel through uinput: its events pass through all steps of a real one's.
extension VirtualDevice {
    /// A touchscreen with ten fingers.
    static func panel() throws -> VirtualDevice {
        var panel = DeviceDescription(name: "probe panel", bus: 3, vendor: 1, product: 2)
        panel.properties.insert(InputProperty.direct)
        panel[EventType.key].insert(KeyCode.touch)
        for (code, maximum) in [
            (AbsCode.slot, 9), (AbsCode.trackingID, 65535), (AbsCode.positionX, 999), (AbsCode.positionY, 999),
        ] as [(UInt16, Int32)] {
            panel.insertAxis(code, AxisInfo(minimum: 0, maximum: maximum))
        }
        return try VirtualDevice(panel)
    }

    var path: String { node ?? "no node" }

    /// Sends a report of `EV_ABS` events.
    func report(_ events: [(code: UInt16, value: Int32)]) throws {
        for event in events { try write(type: EventType.absolute, code: event.code, value: event.value) }
        try write(type: EventType.synchronization, code: SynCode.report, value: 0)
    }
}
