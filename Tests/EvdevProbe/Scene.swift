import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import MockedInput

/// uinput devices, and a monitor that is notified as they come and go.
final class Scene {
    private let loop: EpollRunLoop
    private let monitor: DeviceMonitor
    private let heard: Heard

    /// The monitor's reports, by node and by device.
    private final class Heard {
        var changes: [String: DeviceChange] = [:]
        var seen: [DeviceID: Seen] = [:]
    }

    /// Starts the monitor before any device is plugged in.
    init() throws {
        loop = try EpollRunLoop()
        let heard = Heard()
        self.heard = heard
        monitor = DeviceMonitor(
            loop: loop, onFrame: { heard.seen[$0.device]?.record($0) },
            onChange: { change in
                switch change {
                case .added(let info), .notGrabbed(let info, _):
                    heard.changes[info.path] = change
                    heard.seen[info.id] = Seen()
                case .ignored(let info), .failed(let info), .removed(let info): heard.changes[info.path] = change
                }
            })
        try monitor.start()
    }

    deinit { monitor.stop() }

    /// Waits until the monitor reports a device, and returns its description.
    func awaitArrival(of path: String) throws -> DeviceInfo {
        try wait("never came") { [heard] in heard.changes[path] == nil ? path : nil }
        switch heard.changes[path] {
        case .added(let info), .notGrabbed(let info, _), .ignored(let info), .failed(let info), .removed(let info):
            return info
        case nil: throw TestBed.Failure(message: "\(path) never came")
        }
    }

    /// Waits until the monitor has reported the removal of devices that it used.
    func awaitRemoval(of paths: [String]) throws {
        try wait("never went") { [heard] in
            paths.first {
                if case .removed = heard.changes[$0] { return false }
                return true
            }
        }
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

    /// Runs the loop until no path is missing; only a failure reaches the timeout.
    private func wait(_ failure: String, while missing: () -> String?) throws {
        let limit = Deadline.after(.seconds(600))
        while let path = missing() {
            if loop.run(mode: .default, until: limit, returnAfterSourceHandled: true) != .handledSource {
                throw TestBed.Failure(message: "\(path) \(failure)")
            }
        }
    }
}
