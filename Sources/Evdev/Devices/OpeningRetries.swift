import EventLoop

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
