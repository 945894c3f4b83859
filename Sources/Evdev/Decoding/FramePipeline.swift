/// The path of a device's events to the reader: the decoder, then the filter.
///
/// A handler may do anything while it has a frame, even close the device: no state of the pipeline is accessed then.
package final class FramePipeline {
    private var decoder: Decoder
    private var jumps: JumpFilter?
    private var filter: NoiseFilter?
    /// The frame passed to handlers, with its arrays' capacity; empty while a handler has it.
    private var spare: InputFrame
    /// The same for a frame of held moves.
    private var spareForHeld: InputFrame
    /// A frame that waits while handlers have what happened before it.
    private var waiting: InputFrame
    private var isWaiting = false
    private let device: DeviceID
    /// The time of the last frame that the filter passed or delayed; no frame is earlier than the one before.
    private var lastTime = InputTimestamp(microseconds: .min)
    private let liftsLater: Bool
    private let onFrame: (borrowing InputFrame) -> Void

    package init(_ info: DeviceInfo, onFrame: @escaping (borrowing InputFrame) -> Void) {
        device = info.id
        spare = InputFrame(device: info.id, timestamp: InputTimestamp(microseconds: 0))
        (spareForHeld, waiting) = (spare, spare)
        self.onFrame = onFrame
        decoder = Decoder(
            device: info.id, description: info.description, role: info.role, settings: info.settings)
        filter =
            info.settings.filter.isOff ? nil : NoiseFilter(info.settings.filter, in: info.settings.region)
        if info.settings.filter.jump > 0 { jumps = JumpFilter(info.settings.filter) }
        liftsLater = info.settings.liftDelay != nil
    }

    /// Receives the contacts before the filter; nil for no observer.
    package var observer: ContactObserver? {
        get { decoder.contacts.observer }
        set { decoder.contacts.observer = newValue }
    }

    /// The number of decoded `SYN_REPORT` events.
    package var reports: Int { decoder.reports }
    /// When `expire(at:)` has a frame even without an event; nil for never.
    package var deadline: InputTimestamp? {
        guard hasDeadlines else { return nil }
        return .earliest(.earliest(filter?.deadline, jumps?.deadline), decoder.liftDeadline)
    }
    /// Whether a contact is down.
    var hasContacts: Bool { decoder.contacts.hasContacts }
    /// Whether a deadline is possible.
    var hasDeadlines: Bool { filter != nil || liftsLater }

    func adoptContacts(at time: InputTimestamp, isCertain: Bool) {
        decoder.contacts.adoptContacts(at: time, isCertain: isCertain)
    }

    /// Lets the lift delay of the adopted contacts begin.
    func awaitLift(since time: InputTimestamp) {
        if liftsLater { decoder.awaitLift(since: time) }
    }

    func setAxes(_ axes: ContactAxes, ofEmptySlot slot: Int) {
        decoder.contacts.setAxes(axes, ofEmptySlot: slot)
    }

    package func feed(_ event: InputEvent) {
        // A lift that was due before this event, but the loop was too busy to report.
        if liftsLater { liftDue(at: event.time) }
        decoder.feed(event)
        // Only synchronization events complete frames.
        if event.type == EventType.synchronization { deliver() }
    }

    private func liftDue(at now: InputTimestamp) {
        decoder.lift(at: now)
        deliver()
    }

    package func cancelAll(at time: InputTimestamp) {
        while let (contact, time) = filter?.nextLifted(at: InputTimestamp(microseconds: .max)) {
            deliver(contact, at: time)
        }
        decoder.cancelAll(at: max(time, lastTime))
        deliver()
    }

    package func loseContacts(at time: InputTimestamp) {
        decoder.loseContacts(at: time)
        deliver()
    }

    /// Begins, moves and ends the contacts whose delay in the filters is over, and lifts those whose lift delay is over.
    package func expire(at now: InputTimestamp) {
        if liftsLater { liftDue(at: now) }
        if jumps != nil {
            var frame = emptyFrame(&spareForHeld)
            jumps?.expire(at: now, into: &frame)
            deliver(held: &frame)
        }
        releaseDue(at: now)
    }

    private func releaseDue(at now: InputTimestamp) {
        while let (contact, time) = filter?.nextDelayed(at: now) { deliver(contact, at: time) }
    }

    private func deliver(_ contact: Contact, at time: InputTimestamp) {
        lastTime = max(lastTime, time)
        onFrame(InputFrame(device: device, timestamp: lastTime, contacts: [contact]))
    }

    private func deliver(held frame: inout InputFrame) {
        if !frame.contacts.isEmpty {
            releaseDue(at: frame.timestamp)
            filter?.apply(to: &frame)
        }
        if !frame.contacts.isEmpty {
            lastTime = max(lastTime, frame.timestamp)
            frame.timestamp = lastTime
            onFrame(frame)
            frame.contacts.removeAll(keepingCapacity: true)
        }
        swap(&frame, &spareForHeld)
    }

    private func deliver() {
        guard isWaiting || decoder.hasFrame else { return }
        var frame = emptyFrame(&spare)
        while nextFrame(into: &frame) {
            if filter != nil {
                filter?.apply(to: &frame)
                if frame.isEmpty { continue }
                lastTime = max(lastTime, frame.timestamp)
            }
            onFrame(frame)
        }
        swap(&frame, &spare)
    }

    /// Takes the next frame, after it has delivered what the filters held until then.
    private func nextFrame(into frame: inout InputFrame) -> Bool {
        if !isWaiting {
            guard decoder.nextFrame(into: &frame) else { return false }
            observer?.decoded(frame)
            if filter == nil { return true }
            let time = frame.timestamp
            var held = emptyFrame(&spareForHeld)
            jumps?.exchange(&frame, for: &held)
            // A handler may close the device: this frame is then delivered before the contacts are cancelled.
            swap(&frame, &waiting)
            isWaiting = true
            deliver(held: &held)
            releaseDue(at: time)
            guard isWaiting else { return false }
        }
        swap(&frame, &waiting)
        isWaiting = false
        return true
    }

    /// Takes an empty frame with its arrays' capacity; swapped, because copying a large frame is expensive.
    private func emptyFrame(_ spare: inout InputFrame) -> InputFrame {
        var frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
        swap(&frame, &spare)
        return frame
    }
}
