/// What a device's events go through before a reader has them: the decoder, then the filter.
///
/// A handler may do anything, closing the device included, while it has a frame: nothing here is in use then.
package final class FramePipeline {
    // All of this belongs to one thread, and nothing is held across a handler, so that what Swift would check at each
    // access, for a third of the instructions that a frame takes, holds by construction.
    @exclusivity(unchecked) private var decoder: Decoder
    @exclusivity(unchecked) private var filter: ContactFilterState?
    /// The frame that is handed out, with its arrays' room; an empty one while a handler has it.
    @exclusivity(unchecked) private var spare: InputFrame
    private let device: DeviceID
    /// The time of the last frame; what the filter begins late is later than the last event.
    @exclusivity(unchecked) private var lastTime = InputTimestamp(microseconds: .min)
    private let liftsLater: Bool
    private let onFrame: (borrowing InputFrame) -> Void

    package init(_ info: DeviceInfo, onFrame: @escaping (borrowing InputFrame) -> Void) {
        device = info.id
        spare = InputFrame(device: info.id, timestamp: InputTimestamp(microseconds: 0))
        self.onFrame = onFrame
        decoder = Decoder(
            device: info.id, description: info.description, role: info.role, settings: info.settings)
        filter =
            info.settings.filter.isOff ? nil : ContactFilterState(info.settings.filter, in: info.settings.region)
        liftsLater = info.settings.liftDelay != nil
    }

    /// Receives the contacts before the filter; nil for nobody.
    package var observer: (any ContactObserver)? {
        get { decoder.contacts.observer }
        set { decoder.contacts.observer = newValue }
    }

    /// The number of `SYN_REPORT`s seen.
    package var reports: Int { decoder.reports }
    /// When `expire(at:)` has something to tell though no event comes; nil if it has not.
    package var deadline: InputTimestamp? {
        guard hasDeadlines else { return nil }
        return [filter?.deadline, decoder.liftDeadline].compactMap { $0 }.min()
    }
    /// Whether there may ever be a deadline.
    var hasDeadlines: Bool { filter != nil || liftsLater }

    func adopt(slot: Int, trackingID: Int32, axes: ContactAxes) {
        decoder.adopt(slot: slot, trackingID: trackingID, axes: axes)
    }

    package func feed(_ event: InputEvent) {
        // A finger that was lifted before this came, though the loop was too busy to say so.
        if liftsLater { liftDue(at: event.time) }
        decoder.feed(event)
        // Only what ends a report makes frames.
        if event.type == EventType.synchronization { deliver() }
    }

    private func liftDue(at now: InputTimestamp) {
        decoder.lift(at: now)
        deliver()
    }

    package func cancelAll(at time: InputTimestamp) {
        decoder.cancelAll(at: max(time, lastTime))
        deliver()
    }

    package func loseContacts(at time: InputTimestamp) {
        decoder.loseContacts(at: time)
        deliver()
    }

    /// Begins the contacts that the filter held back for long enough, and lifts the finger that no report will lift.
    package func expire(at now: InputTimestamp) {
        if liftsLater { liftDue(at: now) }
        beginDue(at: now)
    }

    private func beginDue(at now: InputTimestamp) {
        while let due = filter?.deadline, due <= now {
            var frame = InputFrame(device: device, timestamp: due)
            filter?.apply(to: &frame)
            lastTime = max(lastTime, due)
            if !frame.isEmpty { onFrame(frame) }
        }
    }

    private func deliver() {
        guard decoder.hasFrame else { return }
        // They change places, since a frame that is large costs much to copy.
        var frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
        swap(&frame, &spare)
        while decoder.nextFrame(into: &frame) {
            observer?.decoded(frame)
            if filter != nil {
                beginDue(at: frame.timestamp)
                filter?.apply(to: &frame)
                if frame.isEmpty { continue }
            }
            onFrame(frame)
        }
        swap(&frame, &spare)
    }
}
