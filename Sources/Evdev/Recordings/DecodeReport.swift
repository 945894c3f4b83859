/// The contacts of a recording, frame by frame; includes palms and hovering contacts.
package struct DecodeReport: ~Copyable {
    private var decoder: Decoder
    private var frame: InputFrame
    private var latest = DecodedFrame()
    private var positions: [UInt32: RawPoint] = [:]

    /// Creates a report for one device; touchpads and tablets are decoded too.
    package init(description: DeviceDescription, role: DeviceRole) {
        let device = DeviceID(rawValue: 1)
        decoder = Decoder(device: device, description: description, role: role, policy: .everything)
        frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
    }

    /// Processes the next event; returns a frame if the event completes a report in which contacts began, moved or
    /// ended.
    package mutating func feed(_ event: InputEvent) -> DecodedFrame? {
        let number = decoder.reports
        decoder.feed(event)
        guard decoder.hasFrame else { return nil }
        while decoder.nextFrame(into: &frame) {
            for contact in frame.contacts { sort(contact) }
        }
        guard !latest.isEmpty else { return nil }
        defer { latest = DecodedFrame() }
        latest.time = event.time
        latest.number = number
        return latest
    }

    private mutating func sort(_ contact: Contact) {
        switch contact.phase {
        case .began: latest.began.append(contact)
        // A contact that only changed its pressure has not moved.
        case .moved where positions[contact.id] == contact.raw: return
        case .moved: latest.moved.append(contact)
        case .ended, .cancelled:
            latest.ended.append(contact)
            positions[contact.id] = nil
            return
        }
        positions[contact.id] = contact.raw
    }
}
