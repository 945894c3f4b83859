import CLibinputTouch
import Evdev
import EventLoop

/// Reads a device as a kiosk's program would: waits by epoll, reads, and is called for each touch.
protocol Contender: AnyObject {
    /// Takes what the device has sent.
    /// - Parameter isCounted: whether callgrind is to find it: both are done by a function of each kind.
    func dispatch(isCounted: Bool)
    var log: TouchLog { get }
    /// Whether touches are kept; where their cost counts, they are only added up.
    var isLogging: Bool { get set }
}

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
            loop: loop, rules: [others, this], onFrame: { [unowned self] (frame: borrowing InputFrame) in take(frame) },
            onChange: { _ in })
        self.monitor = monitor
        try monitor.start()
        isUsed = monitor.devices.contains { $0.path == path && $0.use == .used }
    }

    deinit { monitor?.stop() }

    func dispatch(isCounted: Bool) {
        if isCounted { touchdDispatch(loop) } else { touchdWarmUp(loop) }
    }

    private func take(_ frame: borrowing InputFrame) {
        for contact in frame.contacts {
            guard isLogging else {
                sum += contact.position.x + contact.position.y
                continue
            }
            let point = TouchLog.Point(x: contact.position.x * 1_000_000, y: contact.position.y * 1_000_000)
            switch contact.phase {
            case .began: log.began(contact.slot, at: point)
            case .moved: log.moved(contact.slot, to: point)
            case .ended: log.ended(contact.slot, .lifted)
            case .cancelled: log.ended(contact.slot, .cancelled)
            }
        }
    }
}

/// One pass of the loop, in a function of its own that callgrind finds by its name.
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

/// libinput, by its own context on the one device.
final class Libinput: Contender {
    private(set) var log = TouchLog()
    var isLogging = true
    private(set) var sum = 0.0
    private let handle: OpaquePointer

    /// Nil if libinput does not take the device.
    init?(_ path: String) {
        guard let handle = libinput_touch_open(path) else { return nil }
        self.handle = handle
    }

    deinit { libinput_touch_close(handle) }

    func dispatch(isCounted: Bool) {
        let take = isCounted ? libinput_touch_dispatch : libinput_touch_warm_up
        _ = take(
            handle,
            { data, phase, slot, x, y in
                // The pointer is the one given below, which lives through the call.
                guard let data else { return }
                let reader = Unmanaged<Libinput>.fromOpaque(data).takeUnretainedValue()
                guard reader.isLogging else {
                    reader.sum += x + y
                    return
                }
                switch phase {
                case TOUCH_DOWN: reader.log.began(slot, at: TouchLog.Point(x: x, y: y))
                case TOUCH_MOTION: reader.log.moved(slot, to: TouchLog.Point(x: x, y: y))
                case TOUCH_UP: reader.log.ended(slot, .lifted)
                default: reader.log.ended(slot, .cancelled)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
