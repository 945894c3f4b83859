import CLinux
import Evdev
import Recordings
import Testing

/// touchd's decoder and an independent one give the same contacts after every report.
@Suite("A second decoder agrees")
struct SecondDecoderTests {
    @Test("for every bundled recording of contacts", arguments: Expectation.all.filter { $0.hasContacts })
    func recordings(_ expected: Expectation) throws {
        let recording = try #require(expected.recording)
        var reader = try RecordingReader(
            path: Expectation.folder + recording, description: expected.description.map { Expectation.folder + $0 })
        let hasIDs = reader.description.axes[UInt16(ABS_MT_TRACKING_ID)] != nil
        let kind: SecondDecoder.Kind =
            switch DeviceRole(reader.description).touchProtocol {
            case .slots: .slots
            case .anonymous: hasIDs ? .listsWithIDs : .lists
            default: .singleTouch
            }
        // A pen without BTN_TOUCH is down by its pressure, which the kernel's text does not cover.
        guard kind != .singleTouch || reader.description[UInt16(EV_KEY)].contains(UInt16(BTN_TOUCH)) else { return }
        let comparison = Comparison(kind, reader.description)
        while let event = try reader.next() { comparison.feed(event) }
        #expect(comparison.difference == nil)
        #expect(comparison.reports > 0)
    }

    @Test("for 4,000 random streams with SYN_DROPPED", arguments: SecondDecoder.Kind.allCases)
    func streams(_ kind: SecondDecoder.Kind) {
        var states = 0
        for seed in 0..<1000 as Range<UInt64> {
            var stream = RandomStream(kind, seed: seed)
            let comparison = Comparison(kind, stream.description)
            for _ in 0..<20 { for event in stream.report() { comparison.feed(event) } }
            if let difference = comparison.difference {
                Issue.record("stream \(seed): \(difference)")
                return
            }
            states += comparison.states
        }
        // Streams without contacts would agree too; a single-touch panel has at most one contact in a report.
        #expect(states > 8000)
    }
}

/// Feeds both decoders and compares the contacts after each report.
private final class Comparison {
    private(set) var difference: String?
    private(set) var reports = 0
    /// The number of compared contacts.
    private(set) var states = 0
    private let kind: SecondDecoder.Kind
    private var second: SecondDecoder
    private var first: Decoder
    private var frame = InputFrame(device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 0))
    private var down: [UInt32: Contact] = [:]

    init(_ kind: SecondDecoder.Kind, _ description: DeviceDescription) {
        self.kind = kind
        second = SecondDecoder(kind, description)
        first = Decoder(
            device: DeviceID(rawValue: 1), description: description, role: DeviceRole(description), policy: .everything)
    }

    func feed(_ event: InputEvent) {
        first.feed(event)
        while first.nextFrame(into: &frame) {
            for contact in frame.contacts {
                down[contact.id] = contact.phase == .ended || contact.phase == .cancelled ? nil : contact
            }
        }
        guard second.feed(event) else { return }
        let seen = down.values.map(comparable).sorted()
        reports += 1
        states += seen.count
        guard difference == nil, seen != second.contacts else { return }
        difference = "report \(reports): touchd has \(seen), the second decoder \(second.contacts)"
    }

    private func comparable(_ contact: Contact) -> SecondDecoder.Contact {
        let id = contact.trackingID
        let (x, y) = (contact.raw.x, contact.raw.y)
        return switch kind {
        case .slots: SecondDecoder.Contact(key: contact.slot, id: id, x: x, y: y)
        case .listsWithIDs: SecondDecoder.Contact(key: id, id: id, x: x, y: y)
        case .lists, .singleTouch: SecondDecoder.Contact(key: 0, id: 0, x: x, y: y)
        }
    }
}

/// Reports as a driver could send them, including errors: ids that change within a report, contacts without a
/// coordinate, reports cut by `SYN_DROPPED`.
private struct RandomStream {
    let description: DeviceDescription
    private let kind: SecondDecoder.Kind
    private var random: SplitMix
    private var time: Int64 = 0
    private var nextID: Int32 = 0

    init(_ kind: SecondDecoder.Kind, seed: UInt64) {
        self.kind = kind
        random = SplitMix(seed: seed)
        var description = DeviceDescription(name: "made up")
        let axes: [Int32] =
            switch kind {
            case .slots: [ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
            case .listsWithIDs: [ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
            case .lists: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
            case .singleTouch: [ABS_X, ABS_Y]
            }
        for code in axes {
            description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: code == ABS_MT_SLOT ? 9 : 999))
        }
        description[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH))
        description.properties.insert(UInt16(INPUT_PROP_DIRECT))
        self.description = description
    }

    mutating func report() -> [InputEvent] {
        time += 10_000
        var codes: [(Int32, Int32, Int32)] = []
        for _ in 0..<pick(7) { codes += step() }
        if pick(12) == 0 { codes.insert((EV_SYN, SYN_DROPPED, 0), at: Int(pick(Int32(codes.count) + 1))) }
        codes.append((EV_SYN, SYN_REPORT, 0))
        return codes.map {
            InputEvent(type: UInt16($0), code: UInt16($1), value: $2, time: InputTimestamp(microseconds: time))
        }
    }

    private mutating func step() -> [(Int32, Int32, Int32)] {
        switch kind {
        case .slots:
            switch pick(6) {
            case 0, 1: return [(EV_ABS, ABS_MT_SLOT, pick(5))]
            case 2: return [(EV_ABS, ABS_MT_TRACKING_ID, pick(2) == 0 ? -1 : newID())]
            case 3: return [(EV_ABS, ABS_MT_TRACKING_ID, newID()), (EV_ABS, ABS_MT_POSITION_X, pick(1000))]
            case 4: return [(EV_ABS, ABS_MT_POSITION_X, pick(1000))]
            default: return [(EV_ABS, ABS_MT_POSITION_Y, pick(1000))]
            }
        case .lists, .listsWithIDs:
            if pick(15) == 0 { return [(EV_KEY, BTN_TOUCH, pick(2))] }
            var contact: [(Int32, Int32, Int32)] = []
            if kind == .listsWithIDs {
                // An id may be left out, or repeat that of an earlier report; never twice in one report.
                nextID += pick(3) + 1
                contact.append((EV_ABS, ABS_MT_TRACKING_ID, nextID % 40))
            }
            if pick(15) > 0 { contact.append((EV_ABS, ABS_MT_POSITION_X, pick(1000))) }
            if pick(15) > 0 { contact.append((EV_ABS, ABS_MT_POSITION_Y, pick(1000))) }
            return contact + [(EV_SYN, SYN_MT_REPORT, 0)]
        case .singleTouch:
            switch pick(3) {
            case 0: return [(EV_KEY, BTN_TOUCH, pick(3))]
            case 1: return [(EV_ABS, ABS_X, pick(1000))]
            default: return [(EV_ABS, ABS_Y, pick(1000))]
            }
        }
    }

    private mutating func newID() -> Int32 {
        nextID += 1
        return nextID
    }

    private mutating func pick(_ count: Int32) -> Int32 { Int32.random(in: 0..<count, using: &random) }
}
