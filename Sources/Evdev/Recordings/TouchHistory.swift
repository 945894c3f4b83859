/// The last minutes of every touchscreen, for a recording on request after an error.
///
/// Pass `opened(_:)` to a `DeviceMonitor` or the history to a `RecordingPlayer`, and reveal or conceal each contact:
/// see `DeviceHistory`. Keyboards, keypads and mice are not recorded: their events would reveal what was typed, or
/// where a mouse clicked on a keypad, even without locations.
///
/// Belongs to the thread of its monitor's loop.
package final class TouchHistory {
    /// The maximum length of a recording.
    package let span: Duration

    /// The maximum number of recorded touchscreens, so that repeated hotplug does not fill memory.
    private static let deviceLimit = 16
    private var devices: [DeviceID: DeviceHistory] = [:]

    private let isPrivate: ((Contact, DeviceID) -> Bool)?

    /// Creates an empty history.
    ///
    /// - Parameters:
    ///   - span: The maximum length of a recording.
    ///   - isPrivate: Whether a contact that began or moved is at a private location; it is then concealed. Called for
    ///     every report of a touchscreen, before the filter.
    package init(span: Duration, isPrivate: ((Contact, DeviceID) -> Bool)? = nil) {
        self.span = span
        self.isPrivate = isPrivate
    }

    /// The observer for a device's decoder; nil if the device is not recorded.
    package func opened(_ info: DeviceInfo) -> ContactObserver? {
        guard info.role.kind == .touchscreen, info.role.touchProtocol != nil else { return nil }
        if let known = devices[info.id], known.info.description.hasSameUnits(as: info.description) {
            known.begin(info)
            return known.observer
        }
        guard devices[info.id] != nil || devices.count < Self.deviceLimit else { return nil }
        let device = DeviceHistory(info, isPrivate: isPrivate)
        devices[info.id] = device
        return device.observer
    }

    /// The touchscreens with recorded contacts, in order of their identities; includes removed ones.
    package var sources: [DeviceInfo] { devices.values.map(\.info).sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Allows the export of a contact unless it is concealed; `contact` is the number in frames.
    package func reveal(_ contact: UInt32, of device: DeviceID) { devices[device]?.reveal(contact) }

    /// Prevents the export of a contact permanently, including its earlier samples.
    package func conceal(_ contact: UInt32, of device: DeviceID) { devices[device]?.conceal(contact) }

    /// A device's last minutes; nil if it is not recorded.
    ///
    /// - Parameter now: The current time, on the devices' clock.
    package func recording(of device: DeviceID, at now: InputTimestamp) -> KeptRecording? {
        devices[device]?.recording(since: now.microseconds - Int64(span / .microseconds(1)))
    }
}

extension DeviceDescription {
    /// Whether it describes the same kind of panel, and not another one at the same port; ignores the current values of
    /// axes.
    fileprivate func hasSameUnits(as other: DeviceDescription) -> Bool {
        name == other.name && vendor == other.vendor && product == other.product && axes.count == other.axes.count
            && axes.allSatisfy { code, axis in
                guard let its = other.axes[code] else { return false }
                return (axis.minimum, axis.maximum) == (its.minimum, its.maximum)
            }
    }
}

/// The last contacts of one touchscreen, in memory that is allocated once.
///
/// It keeps the contacts of the decoder, in device units: before rotation, calibration and filter. A contact is
/// exported only after it was revealed and while it is not concealed. So a contact that nobody judged is never
/// exported, such as one that the filter rejected or that came while touches were ignored.
///
/// A contact is concealed as a whole, from its beginning to its end. Otherwise the rest of a contact that entered a
/// private view would show where it entered and left. A contact without its end would stay down in every replay.
final class DeviceHistory {
    /// Whether a contact may be exported.
    private struct Verdict {
        enum Visibility: UInt8 { case none, revealed, concealed }

        var contact: UInt32
        var visibility: Visibility
    }

    /// The maximum number of samples. At 48 bytes each, and 8 for a contact's verdict, they take 896 KiB. One finger
    /// that drags on a panel of 100 Hz fills them in 164 s; 5 min of usual taps produce a few thousand.
    static let capacity = 1 << 14
    private static let mask = capacity - 1

    /// The device, as last opened.
    private(set) var info: DeviceInfo

    // All state belongs to one thread, and no access spans a call to other code.
    private var samples: [ContactSample] = []
    /// The index of the oldest sample, once the buffer is full.
    private var oldest = 0
    /// Indexed by the lowest bits of the contact's number.
    private var verdicts: [Verdict]
    /// The contacts that were down before the oldest sample, with their state then: a finger that rests reports
    /// nothing.
    private var downBefore: [ContactSample] = []
    /// Added to the decoder's numbers, which restart when the device is reopened.
    private var offset: UInt32 = 0
    private var lastContact: UInt32 = 0

    private let isPrivate: ((Contact, DeviceID) -> Bool)?

    init(_ info: DeviceInfo, isPrivate: ((Contact, DeviceID) -> Bool)?) {
        self.info = info
        self.isPrivate = isPrivate
        samples.reserveCapacity(Self.capacity)
        downBefore.reserveCapacity(64)
        verdicts = Array(repeating: Verdict(contact: 0, visibility: .none), count: Self.capacity)
    }

    /// Continues with a new decoder, which counts its contacts from 1.
    func begin(_ info: DeviceInfo) {
        self.info = info
        offset = lastContact
    }

    // MARK: Decoder input

    /// Receives the contacts of the device's decoder.
    var observer: ContactObserver {
        ContactObserver(append: { [self] in append($0, $1, slot: $2, $3, $4) }, decoded: { [self] in decoded($0) })
    }

    /// Records a contact's change.
    private func append(
        _ phase: Contact.Phase, _ number: UInt32, slot: Int, _ axes: ContactAxes,
        _ report: (time: InputTimestamp, number: UInt8)
    ) {
        let contact = offset &+ number
        if phase == .began {
            lastContact = max(lastContact, contact)
            verdicts[Int(contact) & Self.mask] = Verdict(contact: contact, visibility: .none)
        } else if visibility(of: contact) == .concealed {
            return
        }
        let sample = ContactSample(
            time: report.time.microseconds, axes: axes, contact: contact, slot: Int16(truncatingIfNeeded: slot),
            phase: phase, report: report.number)
        if samples.count < Self.capacity {
            samples.append(sample)
        } else {
            follow(samples[oldest], in: &downBefore)
            samples[oldest] = sample
            oldest = (oldest + 1) & Self.mask
        }
    }

    /// Conceals the contacts that enter a private location. Called before the filter, which may delay a report, and
    /// before views, which may get only the last of several moves.
    private func decoded(_ frame: borrowing InputFrame) {
        guard let isPrivate else { return }
        for index in frame.contacts.indices {
            let contact = frame.contacts[index]
            guard contact.phase == .began || contact.phase == .moved else { continue }
            if isPrivate(contact, frame.device) { conceal(contact.id) }
        }
    }

    // MARK: Verdicts

    /// Allows the export of a contact unless it is concealed.
    func reveal(_ number: UInt32) { mark(number, .revealed) }

    /// Prevents the export of a contact, regardless of later verdicts; its further samples are not recorded.
    func conceal(_ number: UInt32) {
        mark(number, .concealed)
        downBefore.removeAll { $0.contact == offset &+ number }
    }

    private func mark(_ number: UInt32, _ visibility: Verdict.Visibility) {
        let contact = offset &+ number, index = Int(contact) & Self.mask
        guard verdicts[index].contact == contact, verdicts[index].visibility != .concealed else { return }
        verdicts[index].visibility = visibility
    }

    /// Nil for a contact that began before the history did, or whose entry was reused.
    private func visibility(of contact: UInt32) -> Verdict.Visibility? {
        let verdict = verdicts[Int(contact) & Self.mask]
        return verdict.contact == contact ? verdict.visibility : nil
    }

    // MARK: Export

    /// The samples of revealed contacts since `start`, in microseconds on the devices' clock, and the contacts that
    /// were down then.
    func recording(since start: Int64) -> KeptRecording {
        var down = downBefore, kept: [ContactSample] = []
        for place in oldest..<oldest + samples.count {
            let sample = samples[place & Self.mask]
            if sample.time < start {
                follow(sample, in: &down)
            } else if visibility(of: sample.contact) == .revealed {
                kept.append(sample)
            }
        }
        down.removeAll { visibility(of: $0.contact) != .revealed }
        return KeptRecording(info, down: down, samples: kept)
    }

    /// Updates a list of the contacts that are down, each with its latest sample.
    private func follow(_ sample: ContactSample, in down: inout [ContactSample]) {
        let index = down.firstIndex { $0.contact == sample.contact }
        let isDown = sample.phase == .began || sample.phase == .moved
        switch (index, isDown) {
        case (let index?, true): down[index] = sample
        case (let index?, false): down.remove(at: index)
        case (nil, true):
            if let visibility = visibility(of: sample.contact), visibility != .concealed { down.append(sample) }
        case (nil, false): break
        }
    }
}
