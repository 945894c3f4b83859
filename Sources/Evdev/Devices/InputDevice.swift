import Basics
import EventLoop
import Glibc

/// An open device on a run loop: reads the queued events and passes on the frames.
///
/// Contacts and keys that are down are cancelled before it closes, whether by removal, a read error or `close()`.
final class InputDevice {
    let info: DeviceInfo
    let udevDevice: UdevDevice
    /// Why the device could not be grabbed although its rule requires it; nil otherwise.
    let grabError: DeviceError?

    // All state belongs to one thread, and no access spans a handler call: see `FramePipeline`.
    private var libevdev: Libevdev?
    private let pipeline: FramePipeline
    private var timer: RunLoopTimer?
    private var source: DescriptorSource?
    private var rest: SignalledSource?
    private var floodDetector = FloodDetector()
    private var isResynchronizing = false
    /// When the kernel last sent an event.
    private(set) var lastTime = InputTimestamp(microseconds: 0)
    private let onLoss: (InputDevice, DeviceError) -> Void
    /// Decides about the grab of a touchscreen whose rule has `forward`; nil for other devices.
    private let forwarding: PanelForwarding?
    private var panelGrab: PanelGrab?

    /// - Parameters:
    ///   - wasTouched: Whether a finger was down when the node was closed before.
    ///   - forwarding: Decides about the grab if the device's rule has `forward`.
    ///   - onFrame: Called on the loop's thread for each frame.
    ///   - onLoss: Called after the device closed itself because it was removed or failed.
    init(
        _ info: DeviceInfo, _ libevdev: Libevdev, udevDevice: UdevDevice, wasTouched: Bool = false,
        forwarding: PanelForwarding?,
        onFrame: @escaping (borrowing InputFrame) -> Void, onLoss: @escaping (InputDevice, DeviceError) -> Void
    ) {
        self.info = info
        self.udevDevice = udevDevice
        self.libevdev = libevdev
        let isForwarded = info.settings.forwards && info.role.touchProtocol != nil && forwarding != nil
        grabError = info.settings.grabs && !isForwarded ? libevdev.grab() : nil
        self.forwarding = isForwarded ? forwarding : nil
        self.onLoss = onLoss
        pipeline = FramePipeline(info, onFrame: onFrame)
        let now = InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000)
        if wasTouched, !info.description[EventType.key].contains(KeyCode.touch) {
            pipeline.adoptContacts(at: now, isCertain: false)
        }
        pipeline.awaitLift(since: now)
        guard isForwarded else { return }
        let grab = PanelGrab(info, libevdev)
        panelGrab = grab
        forwarding?.didOpen(grab)
    }

    /// As `Libevdev.isHeldByAnother`; false after the device is closed.
    var isHeldByAnother: Bool { libevdev?.isHeldByAnother ?? false }

    /// Whether a finger is down.
    var isTouched: Bool { pipeline.hasContacts }

    /// Sets the observer of its contacts; nil for none.
    func observe(_ observer: ContactObserver?) { pipeline.observer = observer }

    /// Starts to read the device whenever it is readable.
    /// - Throws: If the kernel refuses to watch the device, which is then closed.
    func start(on loop: EpollRunLoop) throws(DeviceError) {
        guard let libevdev, source == nil else { return }
        let source = DescriptorSource(name: info.path, descriptor: libevdev.descriptor) { [unowned self] _ in
            readAvailable()
        }
        let rest = SignalledSource(name: "\(info.path), the rest") { [unowned self] in readAvailable() }
        self.source = source
        self.rest = rest
        do {
            try loop.add(source)
        } catch {
            close()
            throw .failed(path: info.path, call: error.call, reason: error.reason)
        }
        loop.add(rest)
        // A key that was pressed before does not count; headphones that are plugged in do.
        if libevdev.hasHeadphones {
            let now = InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000)
            pipeline.feed(InputEvent(type: EventType.switches, code: SwitchCode.headphones, value: 1, time: now))
            pipeline.feed(InputEvent(type: EventType.synchronization, code: SynCode.report, value: 0, time: now))
        }
        guard pipeline.hasDeadlines else { return }
        let timer = RunLoopTimer(name: "\(info.path), filter", at: Deadline(nanoseconds: .max)) {
            [unowned self] timer in
            // Retained here, because a handler may close the device.
            let pipeline = pipeline
            pipeline.expire(at: InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000))
            timer.reschedule(at: Deadline(nanoseconds: pipeline.deadline?.nanoseconds ?? .max))
        }
        self.timer = timer
        loop.add(timer)
    }

    /// Cancels contacts and keys that are down and closes the node; nothing is delivered afterwards.
    func close() {
        guard let libevdev else { return }
        source?.invalidate()
        source = nil
        rest?.invalidate()
        rest = nil
        // A handler may close the device during a read and reopen it before the node is closed.
        libevdev.ungrab()
        self.libevdev = nil
        timer?.invalidate()
        timer = nil
        pipeline.cancelAll(at: lastTime)
        if let panelGrab { forwarding?.willClose(panelGrab) }
        panelGrab = nil
    }

    /// More than a panel with ten fingers queues in a quarter of a second.
    private static let eventsInTurn = 4096

    private func readAvailable() {
        var left = Self.eventsInTurn
        var event = InputEvent(type: 0, code: 0, value: 0, time: lastTime)
        // Retained here, because a handler may close the device during the read.
        guard let libevdev else { return }
        while self.libevdev != nil {
            if left == 0 {
                // libevdev has buffered the remaining events, so the descriptor would not become readable for them.
                rest?.signal()
                return
            }
            left -= 1
            switch isResynchronizing ? libevdev.nextDifference(into: &event) : libevdev.nextEvent(into: &event) {
            case .event where isResynchronizing && isUnreliable(event): break
            case .event:
                lastTime = event.time
                if let rate = floodDetector.excess(at: event.time) {
                    handleLoss(.flooding(path: info.path, eventsPerSecond: rate))
                    return
                }
                pipeline.feed(event)
            case .dropped:
                Counter.overruns.add()
                isResynchronizing = true
                if info.role.touchProtocol == .anonymous || info.role.touchProtocol == .slots && !libevdev.hasSlots {
                    pipeline.loseContacts(at: lastTime)
                }
            case .empty where isResynchronizing:
                isResynchronizing = false
                // The differences of a slot whose contact ended in the lost part are not its axes.
                for (slot, content) in libevdev.slots.enumerated() where content.trackingID < 0 {
                    pipeline.setAxes(content.axes, ofEmptySlot: slot)
                }
            case .empty:
                armTimer()
                return
            case .failed(let number):
                handleLoss(libevdev.readError(number))
            }
        }
    }

    private func handleLoss(_ error: DeviceError) {
        close()
        onLoss(self, error)
    }

    /// Whether a difference is meaningless: for protocol A the kernel keeps only the axes of the last contact.
    private func isUnreliable(_ event: InputEvent) -> Bool {
        info.role.touchProtocol == .anonymous && event.type == EventType.absolute && event.code >= AbsCode.touchMajor
    }

    /// Arms the timer for the pipeline's deadline, which is on the clock of the events.
    private func armTimer() {
        guard let timer, let due = pipeline.deadline else { return }
        timer.reschedule(at: Deadline(nanoseconds: due.nanoseconds))
    }
}

extension Counter {
    /// How often the kernel dropped events of a device, because they were read too late (`SYN_DROPPED`).
    package static let overruns = Counter()
}
