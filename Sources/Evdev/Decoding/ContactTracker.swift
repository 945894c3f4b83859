/// Tracks the contacts of a surface: those that began, moved and ended since the last report.
///
/// Every contact that began ends or is cancelled exactly once, for any sequence of events.
struct ContactTracker: ~Copyable {
    /// The changes since the last report: a report is simultaneous, so ends come first, then moves, then beginnings,
    /// each in the order of the slots' first events. A single-touch panel's changes are in the order of its events.
    var changes: [Contact] = []
    /// Whether `changes` must be put in order, the rank of the last one, and the array for the order.
    private var isUnordered = false
    private var lastRank = 0
    private var ordered: [Contact] = []

    /// Also receives each change; nil for no observer.
    var observer: ContactObserver?
    /// The observer's report: its time, and a number that differs from that of the report before.
    private var current = (time: InputTimestamp(microseconds: 0), number: UInt8(0))

    private let touchProtocol: DeviceRole.TouchProtocol?
    private let scale: ContactScale
    private var rejection: PalmRejection
    private var slots: [ContactSlot]
    private var currentSlot: Int
    /// The slots in the report, in the order of their first events: a list linked by `ContactSlot.nextTouched`.
    private var firstTouched = -1, lastTouched = -1
    private var blips: [Blip] = []
    private var lastID: UInt32 = 0
    private var single: SingleTouch
    private var anonymous: AnonymousContacts
    /// Until when the contacts of protocol A's next report began before the device was opened; nil if they did not.
    private var adoptsUntil: InputTimestamp?

    /// A press of a single-touch panel that began and ended within one report.
    private struct Blip {
        var slot: Int
        var trackingID: Int32
        var axes: ContactAxes
    }

    /// More slots than any panel has; a greater number is a driver bug and must not allocate memory.
    private static let greatestSlot = 1023

    init(
        _ description: DeviceDescription, _ touchProtocol: DeviceRole.TouchProtocol?, _ settings: DeviceSettings,
        policy: DecodingPolicy
    ) {
        self.touchProtocol = touchProtocol
        rejection = PalmRejection(description, touchProtocol, settings, policy: policy)
        scale = ContactScale(description, touchProtocol, settings)
        single = SingleTouch(description, settings.positionAxes, isLiftedLater: settings.liftDelay != nil)
        currentSlot = 0
        anonymous = AnonymousContacts(liftsAtZeroMajor: policy == .touches)
        if touchProtocol == .slots, let slot = description.axes[AbsCode.slot] {
            currentSlot = Int(slot.value)
            slots = Array(repeating: ContactSlot(), count: 1 + Int(min(max(slot.maximum, 0), 15)))
        } else {
            slots = [ContactSlot()]
            slots[0].axes = single.axes
            if single.trackingID >= 0 { adopt(slot: 0, trackingID: single.trackingID, axes: single.axes) }
        }
        adoptState(of: description)
    }

    /// Sets what the device held when its description was made.
    private mutating func adoptState(of description: DeviceDescription) {
        if touchProtocol == .slots {
            for (slot, content) in description.slots.enumerated() {
                adopt(slot: slot, trackingID: content.trackingID, axes: content.axes)
            }
        }
        let start = InputTimestamp(microseconds: 0)
        // Protocol A has no state to ask for, but a panel with BTN_TOUCH tells whether a finger is down.
        if description.pressedKeys.contains(KeyCode.touch) { adoptContacts(at: start, isCertain: true) }
        for pen in KeyCode.pens where description.pressedKeys.contains(pen) {
            _ = rejection.feed(InputEvent(type: EventType.key, code: pen, value: 1, time: start))
        }
    }

    /// Processes an event; returns false if it does not concern contacts.
    @inline(__always)
    mutating func feed(_ event: InputEvent) -> Bool {
        switch touchProtocol {
        case .slots: feedSlots(event)
        case .anonymous: feedAnonymous(event)
        case .single: feedSingle(event)
        case nil: false
        }
    }

    // MARK: Protocol B

    @inline(__always)
    private mutating func feedSlots(_ event: InputEvent) -> Bool {
        guard event.type == EventType.absolute else {
            return event.type == EventType.key && rejection.feed(event)
        }
        guard AbsCode.slot...AbsCode.multitouchLast ~= event.code else {
            // ABS_X and similar axes repeat the slots' values for single-touch readers.
            return true
        }
        setAxis(event.code, to: event.value)
        return true
    }

    private mutating func setAxis(_ code: UInt16, to value: Int32) {
        if code == AbsCode.slot {
            currentSlot = Int(value)
        } else if (0...Self.greatestSlot).contains(currentSlot) {
            if currentSlot >= slots.count { reach(currentSlot) }
            if code == AbsCode.trackingID {
                touch(currentSlot)
                setTrackingID(value, ofSlot: currentSlot)
            } else if slots[currentSlot].setAxis(code, to: value) {
                appendTouched(currentSlot)
            }
        }
    }

    private mutating func setTrackingID(_ id: Int32, ofSlot slot: Int) {
        let before = slots[slot].trackingID
        // In multi-touch, an id that changed again before SYN_REPORT is not a contact. BTN_TOUCH is a key, and each
        // press counts.
        if touchProtocol == .single, before >= 0, before != id, before != slots[slot].settledTrackingID {
            blips.append(Blip(slot: slot, trackingID: before, axes: slots[slot].axes))
        }
        slots[slot].trackingID = max(id, -1)
    }

    /// Sets the contact that a slot held when the device was opened. It began before, so it is not reported until
    /// another contact replaces it.
    mutating func adopt(slot: Int, trackingID: Int32, axes: ContactAxes) {
        guard (0...Self.greatestSlot).contains(slot) else { return }
        reach(slot)
        slots[slot].trackingID = trackingID
        slots[slot].axes = axes
        slots[slot].settledTrackingID = trackingID
        slots[slot].refused = trackingID >= 0 ? trackingID : nil
    }

    /// Sets the axes of a slot that holds no contact; its next contact inherits them.
    mutating func setAxes(_ axes: ContactAxes, ofEmptySlot slot: Int) {
        guard touchProtocol == .slots, slots.indices.contains(slot), slots[slot].trackingID < 0 else { return }
        slots[slot].axes = axes
    }

    /// Treats the contacts of a device without slots as some that began before the device was opened.
    ///
    /// - Parameters:
    ///   - time: The time of opening.
    ///   - isCertain: Whether the device says that a finger is down. Otherwise the finger may have been lifted while the
    ///     device was closed, and only the reports right after the opening are its.
    mutating func adoptContacts(at time: InputTimestamp, isCertain: Bool) {
        if touchProtocol == .anonymous {
            adoptsUntil = isCertain ? InputTimestamp(microseconds: .max) : time.adding(microseconds: 500_000)
        }
        guard touchProtocol == .single, single.isLiftedLater else { return }
        single.touch()
        adopt(slot: 0, trackingID: single.trackingID, axes: single.axes)
    }

    // MARK: Protocol A

    @inline(__always)
    private mutating func feedAnonymous(_ event: InputEvent) -> Bool {
        if event.type == EventType.key, event.code != KeyCode.touch { return rejection.feed(event) }
        return anonymous.feed(event)
    }

    /// Assigns the contacts of a report to their slots.
    private mutating func placeAnonymous() {
        guard anonymous.closeReport() else { return }
        let adopts = adoptsUntil.map { current.time <= $0 } ?? false
        adoptsUntil = nil
        if anonymous.hasFirstArea, anonymous.liftsAtZeroMajor {
            // The panel has areas, so a report without one was the lift of a finger that was down at opening.
            for slot in slots.indices { end(.cancelled, slot) }
        }
        for index in anonymous.listed.indices {
            let contact = anonymous.listed[index]
            touch(contact.slot)
            slots[contact.slot].axes = contact.axes
            setTrackingID(contact.trackingID, ofSlot: contact.slot)
            if adopts { slots[contact.slot].refused = contact.trackingID }
        }
        for index in anonymous.lifted.indices {
            let slot = anonymous.lifted[index]
            // Another contact of this report may already use the slot.
            if !slots[slot].isTouched { touch(slot); setTrackingID(-1, ofSlot: slot) }
        }
        anonymous.discardReport()
    }

    /// Cancels every contact except those of pens, and ignores them until they are lifted.
    private mutating func refuseFingers() {
        for slot in slots.indices where slots[slot].trackingID >= 0 && slots[slot].axes.tool != ToolType.pen {
            slots[slot].refused = slots[slot].trackingID
            if slots[slot].contact != nil, slots[slot].shownTrackingID == slots[slot].trackingID {
                end(.cancelled, slot)
            }
        }
    }

    // MARK: Single touch

    private mutating func feedSingle(_ event: InputEvent) -> Bool {
        let before = single.trackingID
        guard single.feed(event) else { return false }
        touch(0)
        if single.trackingID != before { setTrackingID(single.trackingID, ofSlot: 0) }
        slots[0].axes = single.axes
        return true
    }

    /// Ends all contacts, whose lift the device does not report. If one of them is still down, as a finger that rests, it
    /// begins again with its next change.
    mutating func lift() {
        guard touchProtocol != .single else {
            single.lift()
            touch(0)
            setTrackingID(single.trackingID, ofSlot: 0)
            return closeReport()
        }
        for slot in slots.indices {
            slots[slot].refused = nil
            end(.ended, slot)
        }
    }

    // MARK: Reports

    /// Sets the report to which the following changes belong.
    mutating func beginReport(at time: InputTimestamp) { current = (time, current.number &+ 1) }

    /// Computes the changes of a report.
    ///
    /// - Parameter lifting: The phase of contacts that are gone: `ended`, or `cancelled` if no finger was lifted.
    mutating func closeReport(lifting: Contact.Phase = .ended) {
        if touchProtocol == .anonymous { placeAnonymous() }
        if rejection.refusesFingers(of: slots) { refuseFingers() }
        var slot = firstTouched
        (firstTouched, lastTouched) = (-1, -1)
        while slot >= 0 {
            let next = slots[slot].nextTouched
            closeReport(ofSlot: slot, lifting)
            slot = next
        }
        if !blips.isEmpty { blips.removeAll(keepingCapacity: true) }
        if isUnordered { orderChanges() }
    }

    private mutating func orderChanges() {
        isUnordered = false
        for rank in 0...2 {
            for index in changes.indices where changes[index].phase.rank == rank {
                ordered.append(changes[index])
            }
        }
        swap(&changes, &ordered)
        ordered.removeAll(keepingCapacity: true)
    }

    /// Whether a slot holds a contact, reported or not.
    var hasContacts: Bool { slots.contains { $0.trackingID >= 0 } }

    /// Whether a contact changed more than once since the changes were read.
    var hasRepeats: Bool {
        for index in changes.indices.dropFirst() {
            for earlier in 0..<index where changes[earlier].id == changes[index].id { return true }
        }
        return false
    }

    private mutating func closeReport(ofSlot slot: Int, _ lifting: Contact.Phase) {
        if slots[slot].holdsShownContact, blips.isEmpty, rejection.accepts(slots[slot].axes, whileDown: true) {
            // The common case: the known contact is still down and may have moved.
            if slots[slot].closeMove() { reportMove(slot) }
            return
        }
        slots[slot].isTouched = false
        if slots[slot].contact != nil { update(inSlot: slot, lifting) }
        for blip in blips where blip.slot == slot && rejection.accepts(blip.axes) {
            lastID += 1
            report(.began, lastID, blip.trackingID, slot, blip.axes)
            report(.ended, lastID, blip.trackingID, slot, blip.axes)
        }
        slots[slot].settledTrackingID = slots[slot].trackingID
        // A refusal ends with its contact, because the next one may have the same id.
        if slots[slot].refused != slots[slot].trackingID { slots[slot].refused = nil }
        let state = slots[slot]
        guard state.contact == nil, state.trackingID >= 0, state.refused == nil else { return }
        if rejection.isNoFinger(state.axes) {
            slots[slot].refused = state.trackingID
        } else if rejection.accepts(state.axes) {
            lastID += 1
            slots[slot].contact = lastID
            slots[slot].shownTrackingID = state.trackingID
            slots[slot].shownAxes = state.axes
            report(.began, lastID, state.trackingID, slot, state.axes)
        }
    }

    private mutating func reportMove(_ slot: Int) {
        guard let contact = slots[slot].contact else { return }
        report(.moved, contact, slots[slot].trackingID, slot, slots[slot].axes)
    }

    private mutating func update(inSlot slot: Int, _ lifting: Contact.Phase) {
        let state = slots[slot]
        if state.trackingID != state.shownTrackingID {
            end(lifting, slot)
        } else if rejection.isNoFinger(state.axes) {
            slots[slot].refused = state.trackingID
            end(.cancelled, slot)
        } else if !rejection.accepts(state.axes, whileDown: true) {
            end(.ended, slot)
        } else if slots[slot].closeMove() {
            reportMove(slot)
        }
    }

    /// Ends a report that `SYN_DROPPED` interrupted: ended contacts end now, but new ones never begin, because their
    /// state is unknown.
    ///
    /// The axes are kept, because the kernel does not resend them.
    mutating func discardIncomplete() {
        anonymous.discardReport()
        blips.removeAll(keepingCapacity: true)
        if touchProtocol == .single, single.trackingID != slots[0].settledTrackingID { single.lift() }
        var slot = firstTouched
        while slot >= 0 {
            if slots[slot].trackingID != slots[slot].settledTrackingID {
                slots[slot].trackingID = -1
                slots[slot].settledTrackingID = -1
                slots[slot].refused = nil
                end(.ended, slot)
            }
            slot = slots[slot].nextTouched
        }
    }

    /// Cancels the reported contacts; contacts that are down but not yet reported stay unreported.
    ///
    /// - Parameter refusing: Whether a contact that stays down is ignored until it is lifted; otherwise it begins again
    ///   with its next change.
    mutating func cancelAll(refusing: Bool) {
        anonymous.discardReport()
        blips.removeAll(keepingCapacity: true)
        for slot in slots.indices {
            slots[slot].settledTrackingID = slots[slot].trackingID
            if refusing, slots[slot].trackingID >= 0 { slots[slot].refused = slots[slot].trackingID }
            if slots[slot].contact != nil { end(.cancelled, slot) }
        }
    }

    private mutating func end(_ phase: Contact.Phase, _ slot: Int) {
        guard let contact = slots[slot].contact else { return }
        slots[slot].contact = nil
        report(phase, contact, slots[slot].shownTrackingID, slot, slots[slot].shownAxes)
    }

    private mutating func report(
        _ phase: Contact.Phase, _ contact: UInt32, _ trackingID: Int32, _ slot: Int, _ axes: ContactAxes
    ) {
        let rank = phase.rank
        if rank < lastRank, !changes.isEmpty, touchProtocol != .single { isUnordered = true }
        lastRank = rank
        changes.append(scale.contact(phase, id: contact, trackingID: trackingID, slot: slot, axes: axes))
        observer?.append(phase, contact, slot, axes, current)
    }

    private mutating func touch(_ slot: Int) {
        reach(slot)
        if !slots[slot].isTouched {
            slots[slot].isTouched = true
            appendTouched(slot)
        }
    }

    private mutating func appendTouched(_ slot: Int) {
        if lastTouched < 0 { firstTouched = slot } else { slots[lastTouched].nextTouched = slot }
        slots[slot].nextTouched = -1
        lastTouched = slot
    }

    private mutating func reach(_ slot: Int) {
        while slots.count <= slot { slots.append(ContactSlot()) }
    }
}
