/// Turns a device's events into frames: a state machine that is fed one event at a time, whether a live device or a
/// recording has it.
///
/// ```swift
/// decoder.feed(event)
/// while decoder.nextFrame(into: &frame) { handle(frame) }
/// ```
///
/// Frames come only after a `SYN_REPORT`. Most reports make one frame or, if nothing changed, no frame. A contact is in a
/// frame at most once, so a tap of a single-touch panel inside one report makes two frames of the same time. Contacts keep
/// the order in which the report first named their slots. The rules are those of the kernel's
/// `Documentation/input/multi-touch-protocol.rst` and `event-codes.rst`. Once its buffers have grown to what a device
/// needs, the decoder allocates nothing.
public struct Decoder: ~Copyable {
    /// What a reader wants of contacts that are no fingers on the glass.
    public struct Policy: Sendable, Equatable {
        /// What a palm (`ABS_MT_TOOL_TYPE` 2) does.
        public var palms: PalmHandling
        /// Contacts of fingers are cancelled when a pen (`BTN_TOOL_PEN`) comes into range, and ignored while it stays.
        public var ignoresTouchWithPen: Bool
        /// A contact in the air (`ABS_MT_DISTANCE` above 0) does not touch.
        public var ignoresHover: Bool

        /// A contact of protocol A without a tracking id is lifted by `ABS_MT_TOUCH_MAJOR` 0, as old drivers mean it and
        /// libmtdev reads it; the kernel's text does not mention it. A contact with an id always is.
        public var liftsAtZeroMajor: Bool

        /// Makes a policy.
        public init(palms: PalmHandling, ignoresTouchWithPen: Bool, ignoresHover: Bool, liftsAtZeroMajor: Bool) {
            self.palms = palms
            self.ignoresTouchWithPen = ignoresTouchWithPen
            self.ignoresHover = ignoresHover
            self.liftsAtZeroMajor = liftsAtZeroMajor
        }

        /// Only what touches the glass, as a view wants it.
        public static let touches = Policy(
            palms: .cancel, ignoresTouchWithPen: true, ignoresHover: true, liftsAtZeroMajor: true)
        /// Every contact a device reports, as someone who examines the device wants it.
        public static let everything = Policy(
            palms: .allow, ignoresTouchWithPen: false, ignoresHover: false, liftsAtZeroMajor: false)
    }

    /// The number of `SYN_REPORT`s seen.
    public private(set) var reports = 0
    /// The device whose frames these are.
    public let device: DeviceID

    /// Whether `nextFrame(into:)` has a frame to give.
    public private(set) var hasFrame = false

    let role: DeviceRole
    var contacts: ContactTracker
    private var pointer: PointerMotionTracker
    private var keys: KeyTracker
    private var accelerometer: AccelerometerTracker?
    private var isSkipping = false
    /// Whether the device has ended a report itself: with `SYN_REPORT` 0, as drivers do.
    private var endsReportsWithZero = false
    private var time = InputTimestamp(microseconds: 0)
    private var nextContact = 0
    private let liftDelay: Int64?

    /// Makes a decoder for one device.
    /// - Parameters:
    ///   - device: the identity that its frames bear.
    ///   - description: what the device can send, and its axes' values at this moment.
    ///   - role: what the device is.
    ///   - settings: what rules say of the device; nil if there are none.
    ///   - policy: which contacts count.
    public init(
        device: DeviceID, description: DeviceDescription, role: DeviceRole,
        settings: DeviceSettings? = nil, policy: Policy = .touches
    ) {
        self.device = device
        self.role = role
        contacts = ContactTracker(description, role.touchProtocol, settings, policy: policy)
        pointer = PointerMotionTracker(description, role, settings)
        liftDelay = settings?.liftDelay
        keys = KeyTracker(description, role)
        accelerometer = role.kind == .accelerometer ? AccelerometerTracker(description) : nil
    }

    /// Takes the next event.
    ///
    /// After `SYN_DROPPED` everything up to and including the next `SYN_REPORT` is ignored, because it is incomplete. Of
    /// the events before it in the same report, ends count and beginnings do not: nobody knows what became of them. A live
    /// reader never feeds `SYN_DROPPED`; it feeds the differences to the kernel's state.
    public mutating func feed(_ event: InputEvent) {
        switch event.type {
        case EventType.synchronization: synchronize(event)
        case _ where isSkipping: break
        case EventType.absolute:
            if !contacts.feed(event) {
                accelerometer?.feed(event)
                pointer.feed(event)
            }
        case EventType.key:
            if !contacts.feed(event) { keys.feed(event) }
        case EventType.relative: pointer.feed(event)
        default: break
        }
    }

    /// Says what a slot holds at the moment the device is opened, see `ContactTracker.adopt`.
    mutating func adopt(slot: Int, trackingID: Int32, axes: ContactAxes) {
        contacts.adopt(slot: slot, trackingID: trackingID, axes: axes)
    }

    private mutating func synchronize(_ event: InputEvent) {
        switch event.code {
        case SynCode.dropped:
            isSkipping = true
            contacts.discardIncomplete()
            keys.discardPresses()
        case SynCode.multitouchReport where !isSkipping:
            _ = contacts.feed(event)
        case SynCode.report:
            reports += 1
            if isSkipping {
                isSkipping = false
            } else {
                // The kernel lets go of what is held when it takes a device away or suspends it
                // (input_dev_release_keys), and ends that report with 1: nobody lifted a finger.
                let isByKernel = event.value != 0 && endsReportsWithZero
                contacts.closeReport(lifting: isByKernel ? .cancelled : .ended)
                if isByKernel { keys.cancelReleases() }
                publish(at: event.time)
            }
            if event.value == 0 { endsReportsWithZero = true }
        default: break
        }
    }

    /// Cancels every contact that is down and every key that is pressed; their frame comes from `nextFrame(into:)`.
    ///
    /// A contact that stays on the glass afterwards is not heard of again until it is lifted.
    public mutating func cancelAll(at time: InputTimestamp) {
        contacts.cancelAll(refusing: true)
        keys.cancelAll()
        publish(at: time)
    }

    /// When a finger is to be lifted that the device never says is; nil if there is none.
    var liftDeadline: InputTimestamp? {
        guard let liftDelay, let last = contacts.awaitsLiftSince else { return nil }
        let (sum, overflow) = last.microseconds.addingReportingOverflow(liftDelay)
        return InputTimestamp(microseconds: overflow ? .max : sum)
    }

    /// Lifts that finger if it is due.
    mutating func lift(at now: InputTimestamp) {
        guard let due = liftDeadline, due <= now else { return }
        contacts.lift()
        publish(at: due)
    }

    /// Cancels every contact that is down, since events were lost that cannot be asked for; one that is still on the
    /// glass begins anew with its next change.
    mutating func loseContacts(at time: InputTimestamp) {
        contacts.cancelAll(refusing: false)
        publish(at: time)
    }

    /// Gives the next frame that is due, in the order of time.
    /// - Parameter frame: overwritten; its arrays keep their capacity.
    /// - Returns: false if no frame is due, and then the frame is as it was.
    public mutating func nextFrame(into frame: inout InputFrame) -> Bool {
        guard hasFrame else { return false }
        frame.device = device
        frame.timestamp = time
        // One finger's, mostly, which is cheaper to take out than all.
        if frame.contacts.count == 1 { frame.contacts.removeLast() }
        if !frame.contacts.isEmpty { frame.contacts.removeAll(keepingCapacity: true) }
        if !frame.keys.isEmpty { frame.keys.removeAll(keepingCapacity: true) }
        frame.pointer = nil
        frame.scroll = nil
        frame.acceleration = nil
        takeContacts(into: &frame)
        if nextContact == contacts.changes.count {
            pointer.take(into: &frame, at: time)
            keys.take(into: &frame)
            frame.acceleration = accelerometer?.take()
            if nextContact > 0 { contacts.changes.removeAll(keepingCapacity: true) }
            nextContact = 0
            hasFrame = false
        }
        return true
    }

    private mutating func takeContacts(into frame: inout InputFrame) {
        if nextContact == 0, !contacts.hasRepeats {
            // Each contact once, as nearly always: the arrays change places, and nothing is copied.
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
        contacts.observer?.stamp(time)
        hasFrame =
            !contacts.changes.isEmpty || pointer.hasNews || keys.hasNews || accelerometer?.hasNews == true
    }
}
