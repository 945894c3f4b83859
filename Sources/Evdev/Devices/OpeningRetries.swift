import EventLoop

/// Nodes that could not be opened, and when they are tried again: after 1, 2, 4 … seconds, and then once a minute.
///
/// Nothing tells that a node may be opened at last, that its group or mode was set late say, or that there are descriptors
/// again. Belongs to the thread of its loop.
final class OpeningRetries {
    private var nodes: [String: UdevDevice] = [:]
    private var delays = RetryDelays()
    private var timer: RunLoopTimer?

    /// - Parameter retry: called with each node when it is due, in the order of their names; it may insert and remove any.
    init(loop: EpollRunLoop, retry: @escaping (UdevDevice) -> Void) {
        let timer = RunLoopTimer(name: "devices that were not opened", tolerance: .milliseconds(100)) {
            [weak self] timer in
            // Held here, since what comes of a try may stop the monitor.
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

    /// Has a node tried again; one that was not waiting yet has all of them tried soon.
    func insert(_ node: UdevDevice) {
        guard nodes.updateValue(node, forKey: node.path) == nil else { return }
        delays.restart()
        timer?.reschedule(after: delays.next())
    }

    /// Has a node not tried any more.
    func remove(_ path: String) {
        guard nodes.removeValue(forKey: path) != nil, nodes.isEmpty else { return }
        timer?.cancel()
    }

    /// Has no node tried any more.
    func removeAll() {
        nodes = [:]
        timer?.cancel()
    }
}

extension DeviceError {
    /// Whether the device may be opened later though nothing of it is announced.
    ///
    /// One that is unplugged is announced when it returns, and one that floods is left alone until it is plugged in again.
    var mayPass: Bool {
        switch self {
        case .notPermitted, .failed: true
        case .unplugged, .notGrabbed, .flooding, .udevUnavailable, .resumeUnheard: false
        }
    }
}
