/// Decodes the events of a live device or a recording into frames: a state machine that processes event by event.
///
///     decoder.feed(event)
///     while decoder.nextFrame(into: &frame) { handle(frame) }
///
/// Frames are produced only after a `SYN_REPORT`, except for the ends that `SYN_DROPPED` interrupts. Most reports produce
/// one frame, or none if nothing changed. A frame contains a contact at most once, so a tap on a single-touch panel
/// within one report produces two frames with the same time. The rules are those of the kernel's
/// `Documentation/input/multi-touch-protocol.rst` and `event-codes.rst`. Where these leave a choice: the tracking id of
/// a slot counts at `SYN_REPORT` alone, so an id that -1 interrupts is the same contact, and one that came and went is
/// none; libinput decides so too (`fallback_flush_mt_down` refuses a second press of a slot, and a slot that ends before
/// it began has no seat slot). Once its buffers have grown to the device's needs, the decoder allocates nothing.
package struct Decoder: ~Copyable {
    /// The number of decoded `SYN_REPORT` events.
    package private(set) var reports = 0
    /// The device of the frames.
    package let device: DeviceID

    /// Whether `nextFrame(into:)` has a frame to return.
    package private(set) var hasFrame = false

    var contacts: ContactTracker
    private var pointer: PointerMotionTracker
    private var keys: KeyTracker
    private var accelerometer: AccelerometerTracker?
    private var isSkipping = false
    /// Whether the device has ended a report itself, with `SYN_REPORT` 0, as drivers do.
    private var endsReportsWithZero = false
    /// Whether the report has a key that the kernel repeats.
    private var hasRepeat = false
    private var time = InputTimestamp(microseconds: 0)
    private var nextContact = 0
    private let liftDelay: Int64?
    /// The time of the last report with a contact down that silence ends; nil without one.
    private var lastReport: InputTimestamp?

    /// Creates a decoder for one device.
    /// - Parameters:
    ///   - device: The identity in its frames.
    ///   - description: The device's capabilities and the current values of its axes.
    ///   - role: The device's role.
    ///   - settings: The settings from rules.
    ///   - policy: The contacts to report.
    package init(
        device: DeviceID, description: DeviceDescription, role: DeviceRole,
        settings: DeviceSettings = DeviceSettings(), policy: DecodingPolicy = .touches
    ) {
        self.device = device
        contacts = ContactTracker(description, role.touchProtocol, settings, policy: policy)
        pointer = PointerMotionTracker(description, role, settings)
        liftDelay = settings.liftDelay
        keys = KeyTracker(description, role)
        accelerometer = role.kind == .accelerometer ? AccelerometerTracker(description) : nil
    }

    /// Processes the next event.
    ///
    /// After `SYN_DROPPED`, everything up to and including the next `SYN_REPORT` is ignored, because it is incomplete.
    /// Of the earlier events in the same report, ends count and beginnings do not, because their further state is
    /// unknown. A live reader never passes `SYN_DROPPED`; it passes the differences to the kernel's state.
    package mutating func feed(_ event: InputEvent) {
        switch event.type {
        case EventType.synchronization: synchronize(event)
        case _ where isSkipping: break
        case EventType.absolute:
            if !contacts.feed(event) {
                accelerometer?.feed(event)
                pointer.feed(event)
            }
        case EventType.key:
            if event.value == 2 { hasRepeat = true }
            if !contacts.feed(event) { keys.feed(event) }
        case EventType.switches where event.code == SwitchCode.headphones:
            keys.feed(
                InputEvent(type: EventType.key, code: KeyCode.headphones, value: event.value, time: event.time))
        case EventType.relative: pointer.feed(event)
        default: break
        }
    }

    private mutating func synchronize(_ event: InputEvent) {
        switch event.code {
        case SynCode.dropped:
            isSkipping = true
            contacts.beginReport(at: event.time)
            contacts.discardIncomplete()
            keys.discardPresses()
            publish(at: event.time)
        case SynCode.multitouchReport where !isSkipping:
            _ = contacts.feed(event)
        case SynCode.report:
            reports += 1
            if isSkipping {
                isSkipping = false
            } else {
                // On removal and suspend the kernel releases what is held (input_dev_release_keys) and ends the report
                // with value 1: no finger was lifted. It also ends the report of a repeated key so, which may have begun
                // with a driver's events.
                let isByKernel = event.value != 0 && endsReportsWithZero && !hasRepeat
                contacts.beginReport(at: event.time)
                contacts.closeReport(lifting: isByKernel ? .cancelled : .ended)
                if isByKernel { keys.cancelReleases() }
                publish(at: event.time)
            }
            if liftDelay != nil { awaitLift(since: event.time) }
            if event.value == 0 { endsReportsWithZero = true }
            hasRepeat = false
        default: break
        }
    }

    /// Cancels every contact that is down and every key that is pressed; `nextFrame(into:)` returns the frame.
    ///
    /// A contact that stays down is ignored until it is lifted.
    package mutating func cancelAll(at time: InputTimestamp) {
        contacts.beginReport(at: time)
        contacts.cancelAll(refusing: true)
        keys.cancelAll()
        publish(at: time)
    }

    /// When to lift the contacts whose lift the device does not report; nil without one.
    var liftDeadline: InputTimestamp? {
        guard let liftDelay, let lastReport else { return nil }
        return lastReport.adding(microseconds: liftDelay)
    }

    /// Lets the lift delay of the contacts that are down begin.
    mutating func awaitLift(since time: InputTimestamp) { lastReport = contacts.hasContacts ? time : nil }

    /// Lifts those contacts if their time has come.
    mutating func lift(at now: InputTimestamp) {
        guard let due = liftDeadline, due <= now else { return }
        lastReport = nil
        contacts.beginReport(at: due)
        contacts.lift()
        publish(at: due)
    }

    /// Cancels every contact that is down, because events were lost and the state cannot be queried. A contact that is
    /// still down begins again with its next change.
    mutating func loseContacts(at time: InputTimestamp) {
        contacts.beginReport(at: time)
        contacts.cancelAll(refusing: false)
        publish(at: time)
    }

    /// Returns the next frame, in order of time.
    /// - Parameter frame: Overwritten; its arrays keep their capacity.
    /// - Returns: False if there is no frame; `frame` is then unchanged.
    package mutating func nextFrame(into frame: inout InputFrame) -> Bool {
        guard hasFrame else { return false }
        frame.device = device
        frame.timestamp = time
        // Usually there is one contact; removeLast() is cheaper than removeAll().
        if frame.contacts.count == 1 { frame.contacts.removeLast() }
        if !frame.contacts.isEmpty { frame.contacts.removeAll(keepingCapacity: true) }
        if !frame.keys.isEmpty { frame.keys.removeAll(keepingCapacity: true) }
        frame.pointer = nil
        frame.scroll = nil
        frame.acceleration = nil
        collectContacts(into: &frame)
        if nextContact == contacts.changes.count {
            pointer.collect(into: &frame, at: time)
            keys.collect(into: &frame)
            frame.acceleration = accelerometer?.collect()
            if nextContact > 0 { contacts.changes.removeAll(keepingCapacity: true) }
            nextContact = 0
            hasFrame = false
        }
        return true
    }

    private mutating func collectContacts(into frame: inout InputFrame) {
        if nextContact == 0, !contacts.hasRepeats {
            // The common case, each contact once: swapping the arrays avoids a copy.
            swap(&frame.contacts, &contacts.changes)
            return
        }
        while nextContact < contacts.changes.count {
            let id = contacts.changes[nextContact].id
            if frame.contacts.contains(where: { $0.id == id }) { return }
            frame.contacts.append(contacts.changes[nextContact])
            nextContact += 1
        }
    }

    private mutating func publish(at time: InputTimestamp) {
        self.time = time
        hasFrame =
            !contacts.changes.isEmpty || pointer.hasChanges || keys.hasChanges || accelerometer?.hasChanges == true
    }
}

/// Tracks the three axes of an accelerometer.
///
/// With `INPUT_PROP_ACCELEROMETER` the resolution of an axis is in units per g (`event-codes.rst`). If a device leaves
/// it at 0, the axis' maximum is taken as 2 g, the default range of such sensors.
struct AccelerometerTracker: Sendable {
    private var values: (x: Int32, y: Int32, z: Int32)
    private let unitsPerG: (x: Double, y: Double, z: Double)
    private(set) var hasChanges = false

    init(_ description: DeviceDescription) {
        func axis(_ code: UInt16) -> AxisInfo { description.axes[code] ?? AxisInfo(minimum: -2, maximum: 2) }
        func scale(_ axis: AxisInfo) -> Double {
            axis.resolution > 0 ? Double(axis.resolution) : max(Double(axis.maximum) / 2, 1)
        }
        let (x, y, z) = (axis(AbsCode.x), axis(AbsCode.y), axis(AbsCode.z))
        values = (x.value, y.value, z.value)
        unitsPerG = (scale(x), scale(y), scale(z))
    }

    mutating func feed(_ event: InputEvent) {
        switch event.code {
        case AbsCode.x: values.x = event.value
        case AbsCode.y: values.y = event.value
        case AbsCode.z: values.z = event.value
        default: return
        }
        hasChanges = true
    }

    mutating func collect() -> Acceleration? {
        guard hasChanges else { return nil }
        hasChanges = false
        return Acceleration(
            x: Double(values.x) / unitsPerG.x, y: Double(values.y) / unitsPerG.y, z: Double(values.z) / unitsPerG.z)
    }
}
