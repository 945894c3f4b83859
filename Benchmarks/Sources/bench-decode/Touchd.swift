import Evdev
import EventLoop

/// touchd: its device monitor on its run loop.
final class Touchd: Contender {
    private(set) var log = TouchLog()
    var isLogging = true
    private(set) var sum = 0.0
    private let loop: EpollRunLoop
    private var monitor: DeviceMonitor?
    /// Whether touchd uses the device.
    private(set) var isUsed = false

    /// - Parameter path: the one device it is to read.
    init(_ path: String) throws {
        loop = try EpollRunLoop()
        var others = DeviceRule(label: "others", match: .init())
        others.use = false
        var this = DeviceRule(label: "this", match: .init(path: Pattern(path)))
        this.use = true
        let monitor = DeviceMonitor(
            loop: loop, rules: [others, this],
            onFrame: { [unowned self] (frame: borrowing InputFrame) in record(frame) },
            onChange: { _ in })
        self.monitor = monitor
        try monitor.start()
        isUsed = monitor.devices.contains { $0.path == path && $0.use == .used }
    }

    deinit { monitor?.stop() }

    func dispatch(isCounted: Bool) {
        if isCounted { touchdDispatch(loop) } else { touchdWarmUp(loop) }
    }

    private func record(_ frame: borrowing InputFrame) {
        if isLogging { return keep(frame) }
        for contact in frame.contacts { sum += contact.position.x + contact.position.y }
    }

    @inline(never)
    private func keep(_ frame: borrowing InputFrame) {
        for contact in frame.contacts { log.record(contact) }
    }
}

/// One pass of the loop, in a separate function that callgrind finds by name.
@inline(never)
func touchdDispatch(_ loop: EpollRunLoop) {
    _ = loop.run(mode: .default, until: .now, returnAfterSourceHandled: true)
}

/// The same, which callgrind does not count.
@inline(never)
func touchdWarmUp(_ loop: EpollRunLoop) {
    // Another deadline, also past, or the compiler makes one function of both.
    _ = loop.run(mode: .default, until: Deadline(nanoseconds: 1), returnAfterSourceHandled: true)
}
