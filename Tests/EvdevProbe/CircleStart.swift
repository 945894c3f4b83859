import Evdev

/// What is down and pressed when a recording of a random device begins.
struct CircleStart {
    /// The number of frames before.
    let frames: Int
    private let device: RandomDevice
    private let description: DeviceDescription
    private let isEarly: Bool
    private var contacts: Set<UInt32> = []
    private var buttons: Set<UInt16> = []

    /// - Parameters:
    ///   - description: What the recorder knows of the device.
    ///   - frames: The frames of the device until then.
    ///   - isEarly: Whether the device was read before.
    init(_ device: RandomDevice, _ description: DeviceDescription, after frames: [InputFrame], isEarly: Bool) {
        (self.device, self.description, self.isEarly) = (device, description, isEarly)
        self.frames = frames.count
        for frame in frames {
            for contact in frame.contacts {
                let isDown = contact.phase == .began || contact.phase == .moved
                if isDown { contacts.insert(contact.id) } else { contacts.remove(contact.id) }
            }
            for key in frame.keys {
                if key.action == .pressed { buttons.insert(key.code) } else { buttons.remove(key.code) }
            }
        }
    }

    /// What is not compared: a replay begins as if the device were opened then, so what is down already is not its.
    ///
    /// - Parameter isComplete: Whether the recording has the state of slots and keys, which other programs do not write.
    ///   Without it, contacts that begin with an axis from before are not compared.
    func omission(from events: [InputEvent], isComplete: Bool) -> TouchLog.Omission {
        var omission = TouchLog.Omission()
        let touchProtocol = DeviceRole(description).touchProtocol
        omission.slots = touchProtocol == .anonymous
        // Counted by the decoder, as the kernel has none.
        omission.trackingIDs = device.kind != .slots && device.kind != .anonymousWithIDs
        if isEarly { (omission.contacts, omission.buttons) = (contacts, buttons) }
        guard isEarly || !isComplete else { return omission }
        if touchProtocol == .anonymous, device.hasContacts { omission.until = Self.lift(in: events) }
        if touchProtocol == .slots {
            omission.ids = Set(device.ids.filter { $0 >= 0 })
            if !isComplete { omission.ids.formUnion(unknown(in: events)) }
        }
        return omission
    }

    /// When protocol A first lists no finger, in microseconds since the first event.
    private static func lift(in events: [InputEvent]) -> Int64 {
        var isListed = false
        for event in events {
            if event.type == EventType.absolute, event.code == AbsCode.positionX { isListed = true }
            guard event.type == EventType.synchronization, event.code == SynCode.report else { continue }
            if !isListed { return event.time.microseconds - events[0].time.microseconds }
            isListed = false
        }
        return .max
    }

    /// The contacts that begin with an axis from before, or beside a pen from before.
    private func unknown(in events: [InputEvent]) -> [Int32] {
        var unknown = device.written, isPenInRange = device.isPenInRange
        var slot = Int(description.axes[AbsCode.slot]?.value ?? 0)
        var began: [Int: Int32] = [:], down = device.ids, found: [Int32] = []
        for event in events {
            switch (event.type, event.code) {
            case (EventType.absolute, AbsCode.slot): slot = Int(event.value)
            case (EventType.absolute, AbsCode.trackingID): (began[slot], down[slot]) = (event.value, event.value)
            case (EventType.absolute, let code): unknown.remove(RandomDevice.place(of: code, in: slot))
            case (EventType.key, RandomDevice.pen): isPenInRange = false
            case (EventType.synchronization, SynCode.report):
                found += began.filter { began in unknown.contains { $0 >> 16 == began.key } }.values
                if isPenInRange { found += down }
                began = [:]
            default: break
            }
        }
        return found
    }
}
