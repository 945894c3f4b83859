import EventLoop
import Glibc

/// An open device on a run loop: reads what the kernel has queued and gives on the frames.
///
/// Whatever ends it, unplugging, a read error or `close()`, what is down on it is cancelled first.
final class InputDevice {
    let info: DeviceInfo
    let udevProperties: [String: String]
    /// How often the kernel's buffer overflowed and the state was asked for anew.
    private(set) var resynchronizations = 0

    private var libevdev: Libevdev?
    private var decoder: Decoder
    private var frame: InputFrame
    private var source: DescriptorSource?
    private var rest: SignalledSource?
    private var meter = EventMeter()
    private var isResynchronizing = false
    private var lastTime = InputTimestamp(microseconds: 0)
    private let onFrame: (borrowing InputFrame) -> Void
    private let onLoss: (InputDevice, DeviceError) -> Void

    /// - Parameters:
    ///   - onFrame: called on the loop's thread for each frame.
    ///   - onLoss: called after the device closed itself because it is gone or broken.
    init(
        _ info: DeviceInfo, _ libevdev: Libevdev, udevProperties: [String: String],
        onFrame: @escaping (borrowing InputFrame) -> Void, onLoss: @escaping (InputDevice, DeviceError) -> Void
    ) {
        self.info = info
        self.udevProperties = udevProperties
        self.libevdev = libevdev
        self.onFrame = onFrame
        self.onLoss = onLoss
        decoder = Decoder(
            device: info.id, description: info.description, role: info.role, settings: info.settings)
        frame = InputFrame(device: info.id, timestamp: lastTime)
        for slot in libevdev.slots {
            decoder.adopt(slot: slot.slot, trackingID: slot.trackingID, axes: slot.axes)
        }
    }

    /// Has the loop read the device whenever it has something.
    func start(on loop: EpollRunLoop) {
        guard let libevdev, source == nil else { return }
        let source = DescriptorSource(name: info.path, descriptor: libevdev.descriptor) { [unowned self] _ in
            readAvailable()
        }
        let rest = SignalledSource(name: "\(info.path), the rest") { [unowned self] in readAvailable() }
        self.source = source
        self.rest = rest
        loop.add(source)
        loop.add(rest)
    }

    /// Cancels what is down and closes the node; nothing is delivered afterwards.
    func close() {
        guard libevdev != nil else { return }
        source?.invalidate()
        source = nil
        rest?.invalidate()
        rest = nil
        libevdev = nil
        decoder.cancelAll(at: lastTime)
        deliver()
    }

    /// More than a panel of ten fingers queues while the loop is away for a quarter of a second.
    private static let eventsInTurn = 4096

    private func readAvailable() {
        var left = Self.eventsInTurn
        // Held here, since a handler may close the device while this reads it.
        while let libevdev {
            if left == 0 {
                // libevdev holds what it has read, so the descriptor alone would not bring the loop back here.
                rest?.signal()
                return
            }
            left -= 1
            switch isResynchronizing ? libevdev.nextDifference() : libevdev.nextEvent() {
            case .event(let event) where isResynchronizing && isUnknowable(event): break
            case .event(let event):
                lastTime = event.time
                if let rate = meter.excess(at: event.time) {
                    lose(.flooding(path: info.path, eventsPerSecond: rate))
                    return
                }
                decoder.feed(event)
                deliver()
            case .dropped:
                resynchronizations += 1
                isResynchronizing = true
                if info.role.touchProtocol == .anonymous {
                    decoder.loseContacts(at: lastTime)
                    deliver()
                }
            case .empty where isResynchronizing:
                isResynchronizing = false
            case .empty:
                return
            case .failed(let number):
                lose(
                    number == ENODEV
                        ? .unplugged(path: info.path)
                        : .failed(path: info.path, call: "read", reason: Libevdev.text(number)))
            }
        }
    }

    private func lose(_ error: DeviceError) {
        close()
        onLoss(self, error)
    }

    /// Whether a difference means nothing: the kernel keeps no state of protocol A's contacts, only the last one's axes.
    private func isUnknowable(_ event: InputEvent) -> Bool {
        info.role.touchProtocol == .anonymous && event.type == EventType.absolute && event.code >= AbsCode.touchMajor
    }

    /// The frame is held by this call alone while a handler has it, so that a handler may close the device.
    private func deliver() {
        guard decoder.hasFrame else { return }
        var frame = InputFrame(device: info.id, timestamp: lastTime)
        swap(&frame, &self.frame)
        while decoder.nextFrame(into: &frame) { onFrame(frame) }
        swap(&frame, &self.frame)
    }
}
