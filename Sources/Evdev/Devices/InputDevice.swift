import EventLoop

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
            device: info.id, description: info.description, role: info.role, calibration: info.calibration)
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
        self.source = source
        loop.add(source)
    }

    /// Cancels what is down and closes the node; nothing is delivered afterwards.
    func close() {
        guard libevdev != nil else { return }
        source?.invalidate()
        source = nil
        libevdev = nil
        decoder.cancelAll(at: lastTime)
        deliver()
    }

    private func readAvailable() {
        var isResynchronizing = false
        // Held here, since a handler may close the device while this reads it.
        while let libevdev {
            switch isResynchronizing ? libevdev.nextDifference() : libevdev.nextEvent() {
            case .event(let event) where isResynchronizing && isUnknowable(event): break
            case .event(let event):
                lastTime = event.time
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
                close()
                onLoss(self, .failed(path: info.path, call: "read", reason: Libevdev.text(number)))
            }
        }
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
