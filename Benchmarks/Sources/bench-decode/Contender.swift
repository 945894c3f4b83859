import CLibinputTouch
import EventLoop
import Evdev

/// Reads a device as a kiosk's program would: waits by epoll, reads, and is called for each touch.
protocol Contender: AnyObject {
    /// touchd's loop waits for both: libinput leaves the waiting to its caller.
    var loop: EpollRunLoop { get }
    var log: TouchLog { get }
    /// Whether touches are kept; where their cost counts, they are only added up.
    var isLogging: Bool { get set }
}

extension Contender {
    /// Reads what the device has sent.
    func dispatch() { _ = loop.run(mode: .default, until: .now, returnAfterSourceHandled: true) }
}

/// touchd: its device monitor on its loop.
final class Touchd: Contender {
    let loop: EpollRunLoop
    private(set) var log = TouchLog()
    var isLogging = true
    private var sum = 0.0
    private var monitor: DeviceMonitor?

    /// - Parameter path: The one device to read. Nil if touchd does not use it.
    init?(_ path: String) throws {
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
        guard monitor.devices.contains(where: { $0.path == path && $0.use == .used }) else { return nil }
    }

    private func record(_ frame: borrowing InputFrame) {
        if isLogging { return keep(frame) }
        for contact in frame.contacts { sum += contact.position.x + contact.position.y }
    }

    @inline(never)
    private func keep(_ frame: borrowing InputFrame) {
        for contact in frame.contacts {
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

/// libinput, by its own context on the one device.
final class Libinput: Contender {
    let loop: EpollRunLoop
    private(set) var log = TouchLog()
    var isLogging = true
    private var sum = 0.0
    private let handle: OpaquePointer

    /// Nil if libinput does not take the device.
    init?(_ path: String) throws {
        guard let handle = libinput_touch_open(path) else { return nil }
        self.handle = handle
        loop = try EpollRunLoop()
        try loop.add(
            DescriptorSource(name: "libinput", descriptor: libinput_touch_descriptor(handle)) { [unowned self] _ in
                read()
            })
    }

    private func read() {
        libinput_touch_dispatch(
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
