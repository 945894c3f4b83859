import CLinux
import Evdev

/// The state that the kernel keeps of an input device, and its filter: events that change nothing are dropped
/// (`input_handle_event` in drivers/input/input.c).
struct InputState {
    /// An event without its time.
    struct Change: Equatable {
        var type: UInt16
        var code: UInt16
        var value: Int32
    }

    let description: DeviceDescription
    /// The pressed keys (`EV_KEY`).
    private(set) var keys: Set<UInt16> = []
    /// The active switches (`EV_SW`) and lights (`EV_LED`).
    private(set) var switches: Set<UInt16> = []
    private(set) var lights: Set<UInt16> = []
    private var values: [UInt16: Int32]
    private var slots: [[UInt16: Int32]]
    /// The slot of the next contact event. The kernel sends `ABS_MT_SLOT` only together with such an event.
    private var slot = 0

    /// - Parameter hasSlots: Whether the driver has told the kernel of its slots (`input_mt_init_slots`).
    init(_ description: DeviceDescription, hasSlots: Bool = true) {
        self.description = description
        values = description.axes.mapValues(\.value)
        let count = hasSlots ? description.axes[UInt16(ABS_MT_SLOT)].map { Int($0.maximum) + 1 } ?? 0 : 0
        slots = Array(repeating: [UInt16(ABS_MT_TRACKING_ID): -1], count: max(count, 0))
    }

    /// The current value of an axis; for an axis of contacts, that of the current slot.
    func value(of axis: UInt16) -> Int32 { values[axis] ?? 0 }

    /// The current values of an axis of contacts, by slot (`EVIOCGMTSLOTS`).
    func slotValues(of axis: UInt16) -> [Int32] { slots.map { $0[axis] ?? 0 } }

    /// Applies an event and returns what a reader gets: nothing, the event, or `ABS_MT_SLOT` and the event.
    mutating func apply(_ event: Change) -> [Change] {
        let isSupported = description[event.type].contains(event.code)
        switch Int32(event.type) {
        case EV_SYN: return [event]
        // 2 repeats a key.
        case EV_KEY: return isSupported && (event.value == 2 || keys.set(event.code, event.value)) ? [event] : []
        case EV_SW: return isSupported && switches.set(event.code, event.value) ? [event] : []
        case EV_LED: return isSupported && lights.set(event.code, event.value) ? [event] : []
        case EV_REL: return isSupported && event.value != 0 ? [event] : []
        case EV_ABS: return isSupported ? applyAxis(event) : []
        default: return isSupported ? [event] : []
        }
    }

    private mutating func applyAxis(_ event: Change) -> [Change] {
        var event = event
        if event.code == UInt16(ABS_MT_SLOT) {
            if slots.indices.contains(Int(event.value)) { slot = Int(event.value) }
            return []
        }
        guard event.code > UInt16(ABS_MT_SLOT), event.code <= UInt16(ABS_MT_TOOL_Y) else {
            event.value = filtered(event, previous: values[event.code] ?? 0)
            return values.updateValue(event.value, forKey: event.code) == event.value ? [] : [event]
        }
        // Without slots (protocol A), the kernel compares nothing.
        guard !slots.isEmpty else { return [event] }
        let previous = slots[slot][event.code] ?? 0
        event.value = filtered(event, previous: previous)
        if event.value == previous { return [] }
        slots[slot][event.code] = event.value
        guard values[UInt16(ABS_MT_SLOT)] != Int32(slot) else { return [event] }
        values[UInt16(ABS_MT_SLOT)] = Int32(slot)
        return [Change(type: UInt16(EV_ABS), code: UInt16(ABS_MT_SLOT), value: Int32(slot)), event]
    }

    /// The value after the axis's noise filter (`input_defuzz_abs_event`).
    private func filtered(_ event: Change, previous: Int32) -> Int32 {
        guard let fuzz = description.axes[event.code]?.fuzz, fuzz > 0 else { return event.value }
        let distance = abs(event.value - previous)
        if distance < fuzz / 2 { return previous }
        if distance < fuzz { return (previous * 3 + event.value) / 4 }
        if distance < fuzz * 2 { return (previous + event.value) / 2 }
        return event.value
    }
}

extension Set<UInt16> {
    /// Adds or removes a code; returns whether that changed the set.
    fileprivate mutating func set(_ code: UInt16, _ value: Int32) -> Bool {
        value == 0 ? remove(code) != nil : insert(code).inserted
    }
}
