import Evdev

/// The last contacts of one touchscreen, in memory that is allocated once.
///
/// Kept is what the decoder took for contacts, in the device's own units: before rotation, calibration and filter. A
/// contact is given out only once it was revealed and as long as it was not concealed, so that what nobody judged stays
/// where it is: a contact that the filter kept from the views, or that came while touches were ignored.
///
/// It is the whole contact that is concealed, from its beginning to its end. Of one that came into a private view the rest
/// would say where it went in and where it came out, and a contact without its end would stay down in every replay.
package final class DeviceHistory: ContactObserver {
    /// Whether a contact may be given out.
    private struct Verdict {
        enum Word: UInt8 { case none, revealed, concealed }

        var contact: UInt32
        var word: Word
    }

    /// How many samples are kept: 48 bytes each, and 8 for a contact's verdict, are 896 KiB. One finger that drags on a panel
    /// of 100 Hz makes so many in 164 s; 5 min of usual taps are a few thousand.
    static let capacity = 1 << 14
    private static let mask = capacity - 1

    /// The device, as it was opened last.
    private(set) var info: DeviceInfo

    // One thread has all of this, and no access spans a call of anybody else's.
    @exclusivity(unchecked) private var samples: [ContactSample] = []
    /// The place of the oldest sample, once there is no room for more.
    @exclusivity(unchecked) private var oldest = 0
    /// By the lowest bits of the contact's number.
    @exclusivity(unchecked) private var verdicts: [Verdict]
    /// The contacts that were down when the oldest sample came, as they were then: a finger that never lifts reports nothing.
    @exclusivity(unchecked) private var downBefore: [ContactSample] = []
    /// How many samples wait for the time of their report.
    @exclusivity(unchecked) private var unstamped = 0
    @exclusivity(unchecked) private var report: UInt8 = 0
    /// What is added to the decoder's numbers, which begin anew when the device is opened anew.
    @exclusivity(unchecked) private var offset: UInt32 = 0
    @exclusivity(unchecked) private var lastContact: UInt32 = 0

    /// As `TouchHistory.isPrivate`.
    @exclusivity(unchecked) var isPrivate: ((Contact, DeviceID) -> Bool)?

    init(_ info: DeviceInfo) {
        self.info = info
        samples.reserveCapacity(Self.capacity)
        downBefore.reserveCapacity(64)
        verdicts = Array(repeating: Verdict(contact: 0, word: .none), count: Self.capacity)
    }

    /// Takes on a decoder that counts its contacts from 1, or one that was at work before.
    func begin(_ info: DeviceInfo) {
        self.info = info
        offset = lastContact
    }

    // MARK: What the decoder says

    /// Takes what a contact did; its time comes with `stamp(_:)`.
    package func append(_ phase: Contact.Phase, _ number: UInt32, slot: Int, _ axes: ContactAxes) {
        let contact = offset &+ number
        if phase == .began {
            lastContact = max(lastContact, contact)
            verdicts[Int(contact) & Self.mask] = Verdict(contact: contact, word: .none)
        } else if word(of: contact) == .concealed {
            return
        }
        let sample = ContactSample(
            time: 0, axes: axes, contact: contact, slot: Int16(truncatingIfNeeded: slot), phase: phase, report: 0)
        if samples.count < Self.capacity {
            samples.append(sample)
        } else {
            follow(samples[oldest], in: &downBefore)
            samples[oldest] = sample
            oldest = (oldest + 1) & Self.mask
        }
        unstamped += 1
    }

    /// Says when what was appended since the last call happened.
    package func stamp(_ time: InputTimestamp) {
        guard unstamped > 0 else { return }
        report &+= 1
        // The newest lies before the oldest, or at the end while there is room.
        let end = samples.count < Self.capacity ? samples.count : oldest + Self.capacity
        for place in end - min(unstamped, samples.count)..<end {
            let index = place & Self.mask
            samples[index].time = time.microseconds
            samples[index].report = report
        }
        unstamped = 0
    }

    /// Conceals the contacts that come to a private place, before the filter holds a report back or views get only the last of
    /// several moves.
    package func decoded(_ frame: borrowing InputFrame) {
        guard let isPrivate else { return }
        for index in frame.contacts.indices {
            let contact = frame.contacts[index]
            guard contact.phase == .began || contact.phase == .moved else { continue }
            if isPrivate(contact, frame.device) { conceal(contact.id) }
        }
    }

    // MARK: What is judged

    /// Has a contact given out, unless it is concealed.
    func reveal(_ number: UInt32) { judge(number, .revealed) }

    /// Keeps a contact from being given out, whatever is said of it later; what it does from now on is not kept.
    func conceal(_ number: UInt32) {
        judge(number, .concealed)
        downBefore.removeAll { $0.contact == offset &+ number }
    }

    private func judge(_ number: UInt32, _ word: Verdict.Word) {
        let contact = offset &+ number, index = Int(contact) & Self.mask
        guard verdicts[index].contact == contact, verdicts[index].word != .concealed else { return }
        verdicts[index].word = word
    }

    /// Nil for a contact that began before this did, or so long ago that another has its place.
    private func word(of contact: UInt32) -> Verdict.Word? {
        let verdict = verdicts[Int(contact) & Self.mask]
        return verdict.contact == contact ? verdict.word : nil
    }

    // MARK: What is given out

    /// What the revealed contacts did from a moment on, in microseconds on the devices' clock, and those that were down then.
    func recording(since start: Int64) -> KeptRecording {
        var down = downBefore, kept: [ContactSample] = []
        for place in oldest..<oldest + samples.count {
            let sample = samples[place & Self.mask]
            if sample.time < start {
                follow(sample, in: &down)
            } else if word(of: sample.contact) == .revealed {
                kept.append(sample)
            }
        }
        down.removeAll { word(of: $0.contact) != .revealed }
        return KeptRecording(info, down: down, samples: kept)
    }

    /// Keeps a list of the contacts that are down, each as it was last.
    private func follow(_ sample: ContactSample, in down: inout [ContactSample]) {
        let index = down.firstIndex { $0.contact == sample.contact }
        let isDown = sample.phase == .began || sample.phase == .moved
        switch (index, isDown) {
        case (let index?, true): down[index] = sample
        case (let index?, false): down.remove(at: index)
        case (nil, true):
            if let word = word(of: sample.contact), word != .concealed { down.append(sample) }
        case (nil, false): break
        }
    }
}
