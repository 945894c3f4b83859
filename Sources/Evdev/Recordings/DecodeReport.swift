/// Writes what a recording's contacts do as lines of JSON, one for each report that has news.
///
/// A line is `{"time": 0.012345, "frame": 3, "began": [{"slot": 0, "id": 45, "x": 10, "y": 20}], "moved": [], "ended": []}`
///
/// The time is in seconds since the first event and the frame the number of its `SYN_REPORT` from 0. Slots and ids are
/// the kernel's, positions are in the device's units, the last ones for a contact that ended; each list is in the order
/// of the slots. All contacts are in it, also palms and those that hover.
public struct DecodeReport: ~Copyable {
    private var decoder: Decoder
    private var frame: InputFrame
    private var began: [Contact] = []
    private var moved: [Contact] = []
    private var ended: [Contact] = []
    private var positions: [UInt32: RawPoint] = [:]

    /// Makes a report for one device; touchpads and tablets are followed too.
    public init(description: DeviceDescription, role: DeviceRole) {
        let device = DeviceID(rawValue: 1)
        decoder = Decoder(device: device, description: description, role: role, policy: .everything)
        frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
    }

    /// Takes the next event; answers a line, without its end, if the event completes a report in which contacts began,
    /// moved or ended.
    public mutating func feed(_ event: InputEvent) -> String? {
        let number = decoder.reports
        decoder.feed(event)
        guard decoder.hasFrame else { return nil }
        while decoder.nextFrame(into: &frame) {
            for contact in frame.contacts { sort(contact) }
        }
        if began.isEmpty, moved.isEmpty, ended.isEmpty { return nil }
        defer {
            began.removeAll(keepingCapacity: true)
            moved.removeAll(keepingCapacity: true)
            ended.removeAll(keepingCapacity: true)
        }
        return "{\"time\": \(Self.seconds(event.time)), \"frame\": \(number), \"began\": \(Self.list(began)), "
            + "\"moved\": \(Self.list(moved)), \"ended\": \(Self.list(ended))}"
    }

    private mutating func sort(_ contact: Contact) {
        switch contact.phase {
        case .began: began.append(contact)
        // A contact whose pressure alone changed has not moved.
        case .moved where positions[contact.id] == contact.raw: return
        case .moved: moved.append(contact)
        case .ended, .cancelled:
            ended.append(contact)
            positions[contact.id] = nil
            return
        }
        positions[contact.id] = contact.raw
    }

    private static func list(_ contacts: [Contact]) -> String {
        let entries = contacts.sorted { ($0.slot, $0.id) < ($1.slot, $1.id) }.map {
            "{\"slot\": \($0.slot), \"id\": \($0.trackingID), \"x\": \($0.raw.x), \"y\": \($0.raw.y)}"
        }
        return "[" + entries.joined(separator: ", ") + "]"
    }

    private static func seconds(_ time: InputTimestamp) -> String {
        let sign = time.microseconds < 0 ? "-" : ""
        let (seconds, microseconds) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let fraction = String(microseconds)
        return sign + "\(seconds)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
