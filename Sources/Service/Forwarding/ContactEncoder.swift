import CLinux
import Evdev

/// Writes contacts as multi-touch protocol B, with the single-touch axes that the kernel's drivers report for the oldest
/// contact (`input_mt_report_pointer_emulation`).
///
/// Changes are collected until `endFrame()`, which hands them over in one call. Nothing allocates after the initializer.
final class ContactEncoder {
    /// The number of slots for a panel that announces none.
    static nonisolated let defaultSlots: Int32 = 10
    static nonisolated let greatestSlots: Int32 = 32
    /// The maximum of `ABS_MT_TRACKING_ID`, as the kernel's drivers have it.
    static nonisolated let greatestTrackingID: Int32 = 0xffff
    /// The maximum number of events of one change and of the end of a frame.
    private static nonisolated let greatestChange = 16

    private struct Slot {
        /// The order of beginnings, counted from 1; 0 for a free slot.
        var number: UInt64 = 0
        var axes = ForwardedAxes(x: 0, y: 0)
        /// Whether the contact is cancelled at the end of the frame.
        var isPalm = false
        /// Whether the slot was freed in this frame, so that it cannot be used before the next.
        var isFreed = false
    }

    private var slots: [Slot]
    private var lastNumber: UInt64 = 0
    private let events: UnsafeMutableBufferPointer<input_event>
    private var length = 0
    private var hasPalms = false
    private var hasFreed = false
    private let hasPressure, hasMajor: Bool
    /// Receives whole frames, each with its `SYN_REPORT`.
    var write: (UnsafeBufferPointer<input_event>) -> Void = { _ in }

    init(_ description: DeviceDescription) {
        slots = Array(repeating: Slot(), count: Int(description.axes[AbsCode.slot]?.maximum ?? 1) + 1)
        hasPressure = description.axes[AbsCode.multitouchPressure] != nil
        hasMajor = description.axes[AbsCode.touchMajor] != nil
        // A frame has at most one beginning and one move, or one end, of each slot; cancellations take a second frame.
        events = .allocate(capacity: slots.count * 15 + Self.greatestChange)
        events.initialize(repeating: input_event())
    }

    isolated deinit { events.deallocate() }

    /// The slots in use, one bit each.
    var usedSlots: UInt32 {
        var bits: UInt32 = 0
        for slot in slots.indices where slots[slot].number != 0 { bits |= 1 << UInt32(slot) }
        return bits
    }

    /// Puts a contact down; returns its slot, or nil if all are in use.
    func begin(_ axes: ForwardedAxes) -> Int? {
        if hasFreed, freeSlot == nil { endFrame() }
        guard let slot = freeSlot else { return nil }
        lastNumber += 1
        slots[slot] = Slot(number: lastNumber, axes: axes)
        select(slot)
        put(ABS_MT_TRACKING_ID, Int32(lastNumber & UInt64(Self.greatestTrackingID)))
        put(ABS_MT_TOOL_TYPE, Int32(MT_TOOL_FINGER))
        put(ABS_MT_POSITION_X, axes.x)
        put(ABS_MT_POSITION_Y, axes.y)
        if hasPressure { put(ABS_MT_PRESSURE, axes.pressure) }
        if hasMajor { put(ABS_MT_TOUCH_MAJOR, axes.major) }
        return slot
    }

    /// Moves a contact, or changes its pressure or size.
    func move(_ slot: Int, _ axes: ForwardedAxes) {
        let before = slots[slot].axes
        guard before != axes else { return }
        select(slot)
        if before.x != axes.x { put(ABS_MT_POSITION_X, axes.x) }
        if before.y != axes.y { put(ABS_MT_POSITION_Y, axes.y) }
        if before.pressure != axes.pressure { put(ABS_MT_PRESSURE, axes.pressure) }
        if before.major != axes.major { put(ABS_MT_TOUCH_MAJOR, axes.major) }
        slots[slot].axes = axes
    }

    func lift(_ slot: Int) {
        slots[slot].number = 0
        slots[slot].isFreed = true
        hasFreed = true
        select(slot)
        put(ABS_MT_TRACKING_ID, -1)
    }

    /// Cancels a contact: a palm in a frame before the lift, which libinput turns into a touch cancel.
    func cancel(_ slot: Int) {
        select(slot)
        put(ABS_MT_TOOL_TYPE, Int32(MT_TOOL_PALM))
        slots[slot].isPalm = true
        hasPalms = true
    }

    /// Writes the changes since the last frame, if there are any.
    func endFrame() {
        if length > 0 { report() }
        if hasPalms {
            hasPalms = false
            for slot in slots.indices where slots[slot].isPalm {
                slots[slot].isPalm = false
                lift(slot)
                // libinput reads the tool of a slot's next contact together with its tracking ID, before a later change.
                put(ABS_MT_TOOL_TYPE, Int32(MT_TOOL_FINGER))
            }
            report()
        }
        if hasFreed {
            hasFreed = false
            for slot in slots.indices { slots[slot].isFreed = false }
        }
        if length > 0 { flush() }
    }

    /// Forgets every contact and change, because another writer has lifted the contacts.
    func forgetAll() {
        for slot in slots.indices { slots[slot] = Slot() }
        (length, hasPalms, hasFreed) = (0, false, false)
    }

    private var freeSlot: Int? {
        for slot in slots.indices where slots[slot].number == 0 && !slots[slot].isFreed { return slot }
        return nil
    }

    private func select(_ slot: Int) {
        // A frame may change each slot twice; more changes than the buffer holds begin a new frame.
        if length + Self.greatestChange + slots.count * 3 > events.count { report(); flush() }
        put(ABS_MT_SLOT, Int32(slot))
    }

    private func flush() {
        write(UnsafeBufferPointer(rebasing: events[..<length]))
        length = 0
    }

    /// Ends a frame with the axes for readers of a single contact.
    private func report() {
        var oldest: Int?
        for slot in slots.indices where slots[slot].number != 0 {
            if let other = oldest, slots[other].number < slots[slot].number { continue }
            oldest = slot
        }
        put(type: EV_KEY, Int(BTN_TOUCH), oldest == nil ? 0 : 1)
        if let oldest {
            put(ABS_X, slots[oldest].axes.x)
            put(ABS_Y, slots[oldest].axes.y)
        }
        if hasPressure { put(ABS_PRESSURE, oldest.map { slots[$0].axes.pressure } ?? 0) }
        put(type: EV_SYN, Int(SYN_REPORT), 0)
    }

    private func put(_ code: Int32, _ value: Int32) { put(type: EV_ABS, Int(code), value) }

    private func put(type: Int32, _ code: Int, _ value: Int32) {
        // The kernel stamps the events itself.
        events[length].type = UInt16(type)
        events[length].code = UInt16(code)
        events[length].value = value
        length += 1
    }
}
