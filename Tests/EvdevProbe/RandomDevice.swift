import CLinux
import Evdev
import EvdevFuzz

/// A made-up device of a random kind, whose fingers and buttons do random things.
///
/// It writes what a driver writes: all axes of a contact in each report, of which the kernel passes on what changed.
struct RandomDevice {
    enum Kind: CaseIterable { case slots, anonymous, anonymousWithIDs, single, pressure, pointer, mouse }

    /// The eraser: a device with `BTN_TOOL_PEN` is a tablet.
    static let pen = UInt16(BTN_TOOL_RUBBER)

    /// An event without its time.
    struct Event: Hashable {
        var type: UInt16
        var code: UInt16
        var value: Int32

        init(_ type: Int32, _ code: Int32, _ value: Int32) {
            (self.type, self.code, self.value) = (UInt16(type), UInt16(code), value)
        }
    }

    let kind: Kind
    let description: DeviceDescription
    private var buttons: Set<UInt16> = []
    /// The tracking ids in the slots, or of the listed fingers; -1 for none.
    private(set) var ids: [Int32]
    /// The axes of slots that have ever had another value than 0, each as `place(of:in:)`.
    private(set) var written: Set<Int> = []
    private var axes: [[Int32: Int32]]
    /// Whether a pen is in range, which takes the fingers of protocol B away.
    private(set) var isPenInRange = false
    private var isTouched = false
    private var nextID: Int32 = 0
    private var random: SplitMix

    init(_ kind: Kind, random: inout SplitMix) {
        self.kind = kind
        var description = DeviceDescription(name: "circle \(kind)", bus: 3, vendor: 1, product: 2, version: 3)
        description.physicalPath = "circle"
        func insert(_ codes: [Int32], to maximum: Int32, fuzz: Int32 = 0) {
            for code in codes {
                description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: maximum, fuzz: fuzz))
            }
        }
        func sometimes(_ codes: [Int32]) -> [Int32] { codes.filter { _ in Bool.random(using: &random) } }
        var keys: [Int32] = sometimes([BTN_TOUCH])
        let fuzz: Int32 = Bool.random(using: &random) ? 8 : 0
        switch kind {
        case .slots:
            insert([ABS_MT_SLOT], to: Int32.random(in: 0...4, using: &random))
            insert([ABS_MT_TRACKING_ID], to: 65535)
            insert([ABS_MT_POSITION_X, ABS_MT_POSITION_Y], to: 99, fuzz: fuzz)
            insert(sometimes([ABS_MT_TOUCH_MAJOR, ABS_MT_TOUCH_MINOR, ABS_MT_ORIENTATION]), to: 9)
            insert(sometimes([ABS_MT_PRESSURE, ABS_MT_DISTANCE]), to: 9)
            insert(sometimes([ABS_MT_TOOL_TYPE]), to: MT_TOOL_PALM)
            if Bool.random(using: &random) { insert([ABS_X, ABS_Y], to: 99) }
            keys += sometimes([Int32(Self.pen)])
        case .anonymous, .anonymousWithIDs:
            insert([ABS_MT_POSITION_X, ABS_MT_POSITION_Y], to: 65535)
            insert(sometimes([ABS_MT_TOUCH_MAJOR]), to: 9)
            if kind == .anonymousWithIDs { insert([ABS_MT_TRACKING_ID], to: 65535) }
        case .single:
            keys = [BTN_TOUCH]
            insert([ABS_X, ABS_Y], to: 99, fuzz: fuzz)
            insert(sometimes([ABS_PRESSURE]), to: 9)
        case .pressure:
            keys = []
            insert([ABS_X, ABS_Y], to: 99, fuzz: fuzz)
            insert([ABS_PRESSURE], to: 9)
        case .pointer:
            keys = [BTN_LEFT, BTN_RIGHT]
            insert([ABS_X, ABS_Y], to: 99, fuzz: fuzz)
            for code in [REL_WHEEL, REL_WHEEL_HI_RES] { description[UInt16(EV_REL)].insert(UInt16(code)) }
        case .mouse:
            keys = [BTN_LEFT, BTN_RIGHT]
            for code in [REL_X, REL_Y, REL_WHEEL, REL_HWHEEL] { description[UInt16(EV_REL)].insert(UInt16(code)) }
        }
        for key in keys { description[UInt16(EV_KEY)].insert(UInt16(key)) }
        if kind != .pointer, kind != .mouse { description.properties.insert(InputProperty.direct) }
        self.description = description
        let count = kind == .slots ? Int(description.axes[AbsCode.slot]?.maximum ?? 0) + 1 : 3
        ids = Array(repeating: -1, count: count)
        axes = Array(repeating: [:], count: count)
        self.random = SplitMix(seed: random.next())
    }

    /// Whether a finger is down.
    var hasContacts: Bool { ids.contains { $0 >= 0 } }

    static func place(of code: UInt16, in slot: Int) -> Int { slot << 16 | Int(code) }

    /// The events of the next report, with its end.
    mutating func report() -> [Event] {
        var events: [Event] =
            switch kind {
            case .slots: slots()
            case .anonymous, .anonymousWithIDs: list()
            case .single, .pressure: single()
            case .pointer: position() + [Event(EV_REL, REL_WHEEL, chance(4) ? 1 : 0)] + press()
            case .mouse: [REL_X, REL_Y, REL_WHEEL, REL_HWHEEL].map { Event(EV_REL, $0, pick(-3...3)) } + press()
            }
        events.append(Event(EV_SYN, SYN_REPORT, 0))
        return events
    }

    private mutating func slots() -> [Event] {
        var events: [Event] = []
        for slot in ids.indices where chance(2) {
            events.append(Event(EV_ABS, ABS_MT_SLOT, Int32(slot)))
            changeFinger(slot)
            events.append(Event(EV_ABS, ABS_MT_TRACKING_ID, ids[slot]))
            if ids[slot] >= 0 { events += values(of: slot) }
        }
        if chance(6) { isPenInRange = description[UInt16(EV_KEY)].contains(Self.pen) && !isPenInRange }
        events.append(Event(EV_KEY, Int32(Self.pen), isPenInRange ? 1 : 0))
        return events + touchKey() + (chance(2) ? position() : [])
    }

    private mutating func list() -> [Event] {
        for finger in ids.indices where chance(3) { changeFinger(finger) }
        var events: [Event] = []
        for finger in ids.indices where ids[finger] >= 0 {
            if kind == .anonymousWithIDs { events.append(Event(EV_ABS, ABS_MT_TRACKING_ID, ids[finger])) }
            events += values(of: finger) + [Event(EV_SYN, SYN_MT_REPORT, 0)]
        }
        if events.isEmpty { events.append(Event(EV_SYN, SYN_MT_REPORT, 0)) }
        return events + touchKey()
    }

    /// A finger comes down, is lifted, or moves.
    private mutating func changeFinger(_ finger: Int) {
        var changesAll = false
        if ids[finger] < 0 {
            changesAll = chance(2)
            ids[finger] = nextID
            nextID += 1
        } else if chance(3) {
            ids[finger] = -1
        }
        guard ids[finger] >= 0 else { return }
        for code in axisCodes where changesAll || chance(2) {
            let value: Int32 =
                switch Int32(code) {
                // Coarse, so that a finger often comes down at a coordinate of the slot's last one.
                case ABS_MT_POSITION_X, ABS_MT_POSITION_Y: kind == .slots ? pick(0...6) * 15 : pick(0...65535)
                case ABS_MT_TOOL_TYPE: chance(4) ? pick(0...2) : 0
                case ABS_MT_DISTANCE: chance(4) ? 1 : 0
                // An area of 0 would lift the finger of protocol A.
                default: pick(1...9)
                }
            axes[finger][Int32(code)] = value
            if value != 0 { written.insert(Self.place(of: code, in: finger)) }
        }
    }

    /// The axes of contacts, without the tracking id.
    private var axisCodes: [UInt16] {
        description.axes.keys.filter { $0 > AbsCode.slot && $0 != AbsCode.trackingID }.sorted()
    }

    private func values(of finger: Int) -> [Event] {
        var events = axes[finger].sorted { $0.key < $1.key }.map { Event(EV_ABS, $0.key, $0.value) }
        if kind == .slots { return events }
        // Protocol A repeats each axis in each report.
        for code in axisCodes where axes[finger][Int32(code)] == nil { events.append(Event(EV_ABS, Int32(code), 1)) }
        return events
    }

    private mutating func touchKey() -> [Event] {
        [Event(EV_KEY, BTN_TOUCH, hasContacts ? 1 : 0)]
    }

    private mutating func single() -> [Event] {
        if !isTouched || chance(3) { isTouched.toggle() }
        var events = isTouched || chance(4) ? position() : []
        // A tap within one report, and a lift within one.
        let isShort = chance(8)
        for isDown in isShort ? [!isTouched, isTouched] : [isTouched] {
            events.append(Event(EV_KEY, BTN_TOUCH, isDown ? 1 : 0))
            events.append(Event(EV_ABS, ABS_PRESSURE, isDown ? pick(1...9) : 0))
        }
        return events
    }

    private mutating func position() -> [Event] {
        [ABS_X, ABS_Y].filter { _ in chance(2) }.map { Event(EV_ABS, $0, pick(0...6) * 15) }
    }

    private mutating func press() -> [Event] {
        guard chance(2) else { return [] }
        let button = UInt16(chance(2) ? BTN_LEFT : BTN_RIGHT)
        if buttons.remove(button) == nil { buttons.insert(button) }
        return [Event(EV_KEY, Int32(button), buttons.contains(button) ? 1 : 0)]
    }

    private mutating func pick(_ range: ClosedRange<Int32>) -> Int32 { Int32.random(in: range, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
