import CLinux
import EvdevFuzz
import Foundation
import Testing

@testable import Evdev

/// Which contacts of a device are touches: those that `SecondDecoder` sees, without palms, what hovers, fingers beside
/// a pen, and fingers that were down when the device was opened.
///
/// A contact lives from the first report that holds its id to the first that does not. The next one may have the same
/// id. A refused contact is refused as long as it lives.
private struct DeliveryModel {
    private struct Life { var id: Int32, isRefused = false, isTouch = false }

    let palms: PalmHandling
    /// How many touches have begun.
    private(set) var begun = 0
    private var lives: [Int32: Life] = [:]

    init(palms: PalmHandling, downAtOpening: [SecondDecoder.Contact]) {
        self.palms = palms
        for contact in downAtOpening { lives[contact.key] = Life(id: contact.id, isRefused: true) }
    }

    /// Ends the contacts that `SYN_DROPPED` ended.
    mutating func cut(_ decoder: SecondDecoder) {
        for key in decoder.endedByCut { lives[key] = nil }
    }

    /// Processes a report; returns the contacts that are touches.
    mutating func report(_ decoder: SecondDecoder, isPenInRange: Bool) -> [SecondDecoder.Contact] {
        let before = lives
        lives = [:]
        func isPalm(_ contact: SecondDecoder.Contact) -> Bool {
            palms != .allow && decoder.marks[contact.key]?.tool == Int32(MT_TOOL_PALM)
        }
        let isRefusingAll = isPenInRange || palms == .cancelAll && decoder.contacts.contains(where: isPalm)
        return decoder.contacts.filter { contact in
            var life = before[contact.key].flatMap { $0.id == contact.id ? $0 : nil } ?? Life(id: contact.id)
            let isPen = decoder.marks[contact.key]?.tool == Int32(MT_TOOL_PEN)
            if isPalm(contact) || isRefusingAll && !isPen { life.isRefused = true }
            let isTouch = !life.isRefused && decoder.marks[contact.key]?.distance ?? 0 <= 0
            if isTouch, !life.isTouch { begun += 1 }
            life.isTouch = isTouch
            lives[contact.key] = life
            return isTouch
        }
    }
}

@Suite("Palms, pens, hovering and ids that are used again")
struct DeliveredContactsTests {
    /// The number of recordings of each kind; `make test-reference` sets a greater one.
    static let count = ProcessInfo.processInfo.environment["TOUCHD_RECORDINGS"].flatMap { Int($0) } ?? 1500

    @Test("agree with a model of the kernel's text", arguments: [SecondDecoder.Kind.slots, .lists])
    func recordings(_ kind: SecondDecoder.Kind) {
        var touches = 0
        for seed in 0..<UInt64(Self.count) {
            var panel = Panel(kind, seed: seed)
            for report in 0..<40 {
                if let difference = panel.playReport() {
                    Issue.record("recording \(seed), report \(report): \(difference)")
                    return
                }
            }
            touches += panel.model.begun
        }
        #expect(touches > Self.count * 2)
    }
}

/// A made-up panel with few ids, its decoder and the two models.
private struct Panel: ~Copyable {
    private(set) var model: DeliveryModel
    private let kind: SecondDecoder.Kind
    private var second: SecondDecoder
    private var decoder: Decoder
    private var frame = InputFrame(device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 0))
    private var random: SplitMix
    private var time: Int64 = 0
    private var isPenInRange = false, isSkipping = false
    private var down: [UInt32: Contact] = [:]
    private var begun = 0
    /// The contacts of protocol A that the panel holds now.
    private var held: [Int32] = []

    init(_ kind: SecondDecoder.Kind, seed: UInt64) {
        self.kind = kind
        random = SplitMix(seed: seed)
        var description = DeviceDescription.madeUp(
            keys: [BTN_TOUCH],
            axes: [ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE],
            range: AxisInfo(minimum: 0, maximum: 999), isDirect: true)
        if kind == .slots { description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 4)) }
        var settings = DeviceSettings()
        settings.palms = PalmHandling.allCases.randomElement(using: &random) ?? .cancel
        decoder = Decoder(
            device: DeviceID(rawValue: 1), description: description, role: DeviceRole(description), settings: settings)
        second = SecondDecoder(kind)
        model = DeliveryModel(palms: settings.palms, downAtOpening: [])
        guard Bool.random(using: &random) else { return }
        // Two fingers are down while the device is opened.
        if kind == .slots {
            var axes = ContactAxes()
            (axes.x, axes.y) = (3, 4)
            for slot in 0..<2 as Range<Int32> { decoder.contacts.adopt(slot: Int(slot), trackingID: slot, axes: axes) }
            second.adopt(slots: [0, 1], x: 3, y: 4)
        } else {
            held = [0, 1]
            decoder.contacts.adoptContacts(at: frame.timestamp, isCertain: true)
        }
        model = DeliveryModel(
            palms: settings.palms,
            downAtOpening: ([0, 1] as [Int32]).map { SecondDecoder.Contact(key: $0, id: $0, x: 3, y: 4) })
    }

    /// Plays a report; returns the first difference.
    mutating func playReport() -> String? {
        time += 10_000
        var events = kind == .slots ? (0..<pick(6)).flatMap { _ in slotEvents() } : listEvents()
        if pick(12) == 0 { events.append((EV_KEY, BTN_TOOL_PEN, isPenInRange ? 0 : 1)) }
        if kind == .slots, pick(20) == 0 {
            events.insert((EV_SYN, SYN_DROPPED, 0), at: Int(pick(Int32(events.count) + 1)))
        }
        for (type, code, value) in events + [(EV_SYN, SYN_REPORT, 0)] {
            let event = InputEvent(
                type: UInt16(type), code: UInt16(code), value: value, time: InputTimestamp(microseconds: time))
            if type == EV_SYN { isSkipping = code == SYN_DROPPED || isSkipping && code != SYN_REPORT }
            if code == BTN_TOOL_PEN, type == EV_KEY, !isSkipping { isPenInRange = value != 0 }
            decoder.feed(event)
            while decoder.nextFrame(into: &frame) {
                if let late = frame.contacts.lastIndex(where: { $0.phase == .ended || $0.phase == .cancelled }),
                    let early = frame.contacts.firstIndex(where: { $0.phase == .began }), early < late
                {
                    return "a beginning comes before an end"
                }
                for contact in frame.contacts {
                    begun += contact.phase == .began ? 1 : 0
                    down[contact.id] = contact.phase == .ended || contact.phase == .cancelled ? nil : contact
                }
            }
            let isCounted = second.feed(event)
            if type == EV_SYN, code == SYN_DROPPED { model.cut(second) }
            guard isCounted else { continue }
            let expected = model.report(second, isPenInRange: isPenInRange)
            let seen = down.values.map { contact in
                let key = kind == .slots ? contact.slot : contact.trackingID
                return SecondDecoder.Contact(key: key, id: contact.trackingID, x: contact.raw.x, y: contact.raw.y)
            }.sorted()
            if seen != expected { return "touchd has \(seen), the model \(expected)" }
            if begun != model.begun { return "touchd has begun \(begun) touches, the model \(model.begun)" }
        }
        return nil
    }

    private mutating func slotEvents() -> [(Int32, Int32, Int32)] {
        switch pick(9) {
        case 0, 1: [(EV_ABS, ABS_MT_SLOT, pick(4))]
        case 2, 3: [(EV_ABS, ABS_MT_TRACKING_ID, -1)]
        case 4: [(EV_ABS, ABS_MT_TRACKING_ID, pick(4)), (EV_ABS, ABS_MT_POSITION_X, pick(1000))]
        case 5: [(EV_ABS, ABS_MT_POSITION_X, pick(1000))]
        case 6: [(EV_ABS, ABS_MT_POSITION_Y, pick(1000))]
        case 7: [(EV_ABS, ABS_MT_TOOL_TYPE, pick(3) == 0 ? pick(3) : 0)]
        default: [(EV_ABS, ABS_MT_DISTANCE, max(pick(4) - 2, 0))]
        }
    }

    private mutating func listEvents() -> [(Int32, Int32, Int32)] {
        if time > 10_000 {
            if pick(3) == 0, !held.isEmpty { held.remove(at: Int(pick(Int32(held.count)))) }
            let id = pick(4)
            if pick(2) == 0, !held.contains(id) { held.append(id) }
        }
        let contacts = held.flatMap { id -> [(Int32, Int32, Int32)] in
            [
                (EV_ABS, ABS_MT_TRACKING_ID, id), (EV_ABS, ABS_MT_TOOL_TYPE, pick(9) == 0 ? Int32(MT_TOOL_PALM) : 0),
                (EV_ABS, ABS_MT_DISTANCE, max(pick(7) - 5, 0)), (EV_ABS, ABS_MT_POSITION_X, pick(1000)),
                (EV_ABS, ABS_MT_POSITION_Y, pick(1000)), (EV_SYN, SYN_MT_REPORT, 0),
            ]
        }
        if contacts.isEmpty { return [(EV_SYN, SYN_MT_REPORT, 0)] }
        return contacts
    }

    private mutating func pick(_ count: Int32) -> Int32 { Int32.random(in: 0..<count, using: &random) }
}
