import CLinux
import Evdev

/// A second decoder of contacts that shares no code with touchd's, written only from the kernel's
/// `Documentation/input/multi-touch-protocol.rst` and `event-codes.rst`, for comparison.
///
/// It has the contacts that are down at each `SYN_REPORT`, with their positions. One rule is touchd's own, because a
/// recording cannot be queried for the device's state as the text requires: in a report that `SYN_DROPPED` cuts, ends
/// count and begins do not.
struct SecondDecoder {
    /// "Protocol Usage": type B with slots, type A with or without `ABS_MT_TRACKING_ID`, or `BTN_TOUCH` alone.
    enum Kind: Sendable, CaseIterable { case slots, listsWithIDs, lists, singleTouch }

    /// A contact that is down. `key` is the slot of type B and the tracking id of type A; without ids it has no
    /// meaning.
    struct Contact: Hashable, Comparable {
        var key, id, x, y: Int32

        static func < (left: Self, right: Self) -> Bool {
            (left.key, left.id, left.x, left.y) < (right.key, right.id, right.x, right.y)
        }
    }

    /// The contacts that were down at the last `SYN_REPORT`, in ascending order.
    private(set) var contacts: [Contact] = []

    private struct Slot { var id: Int32 = -1, x: Int32 = 0, y: Int32 = 0, idAtReport: Int32 = -1 }

    private let kind: Kind
    private var isIgnoring = false
    // Type B: "the slot value", which persists, and the state of each slot.
    private var slot: Int32
    private var slots: [Int32: Slot] = [:]
    // Type A: the events since the last SYN_MT_REPORT, and the contacts listed in the report.
    private var packet: [UInt16: Int32] = [:]
    private var listed: [Contact] = []
    private var isListComplete = false
    // Single touch.
    private var place: (x: Int32, y: Int32)
    private var isTouched = false, wasTouched = false

    /// - Parameter description: gives the axes' values at the start of the recording.
    init(_ kind: Kind, _ description: DeviceDescription = DeviceDescription()) {
        self.kind = kind
        slot = description.axes[UInt16(ABS_MT_SLOT)]?.value ?? 0
        place = (description.axes[UInt16(ABS_X)]?.value ?? 0, description.axes[UInt16(ABS_Y)]?.value ?? 0)
    }

    /// Processes an event; returns true for the end of a report that counts.
    mutating func feed(_ event: InputEvent) -> Bool {
        if event.type == UInt16(EV_SYN) { return synchronize(Int32(event.code)) }
        if isIgnoring { return false }
        switch kind {
        case .slots: if event.type == UInt16(EV_ABS) { feedSlot(Int32(event.code), event.value) }
        case .lists, .listsWithIDs: feedList(event)
        case .singleTouch: feedSingle(event)
        }
        return false
    }

    private mutating func synchronize(_ code: Int32) -> Bool {
        switch code {
        // "Client should ignore all events up to and including next SYN_REPORT event".
        case SYN_DROPPED:
            isIgnoring = true
            cut()
        case SYN_MT_REPORT where !isIgnoring: endPacket()
        case SYN_REPORT:
            defer { isIgnoring = false }
            if !isIgnoring { endReport() }
            return !isIgnoring
        default: break
        }
        return false
    }

    private mutating func feedSlot(_ code: Int32, _ value: Int32) {
        switch code {
        case ABS_MT_SLOT: slot = value
        // "A non-negative tracking id is interpreted as a contact, and the value -1 denotes an unused slot."
        case ABS_MT_TRACKING_ID: slots[slot, default: Slot()].id = max(value, -1)
        case ABS_MT_POSITION_X: slots[slot, default: Slot()].x = value
        case ABS_MT_POSITION_Y: slots[slot, default: Slot()].y = value
        default: break
        }
    }

    private mutating func feedList(_ event: InputEvent) {
        switch (Int32(event.type), Int32(event.code)) {
        case (EV_ABS, ABS_MT_TOUCH_MAJOR...ABS_MT_TOOL_Y): packet[event.code] = event.value
        // "The last SYN_MT_REPORT event may be omitted" beside these.
        case (EV_KEY, BTN_TOUCH): isListComplete = true
        case (EV_ABS, ABS_PRESSURE) where event.value == 0: isListComplete = true
        default: break
        }
    }

    /// "Contacts are separated by SYN_MT_REPORT"; "the minimum set is ABS_MT_POSITION_X and ABS_MT_POSITION_Y".
    private mutating func endPacket() {
        isListComplete = true
        defer { packet = [:] }
        guard let x = packet[UInt16(ABS_MT_POSITION_X)], let y = packet[UInt16(ABS_MT_POSITION_Y)] else { return }
        let id = kind == .listsWithIDs ? packet[UInt16(ABS_MT_TRACKING_ID)] ?? -1 : 0
        if id >= 0 { listed.append(Contact(key: id, id: id, x: x, y: y)) }
    }

    private mutating func feedSingle(_ event: InputEvent) {
        switch (Int32(event.type), Int32(event.code)) {
        case (EV_ABS, ABS_X): place.x = event.value
        case (EV_ABS, ABS_Y): place.y = event.value
        case (EV_KEY, BTN_TOUCH) where event.value != 2:
            isTouched = event.value != 0
            wasTouched = wasTouched && isTouched
        default: break
        }
    }

    private mutating func cut() {
        for (number, state) in slots where state.id != state.idAtReport { slots[number]?.id = -1 }
        (packet, listed, isListComplete) = ([:], [], false)
        isTouched = isTouched && wasTouched
    }

    private mutating func endReport() {
        switch kind {
        case .slots:
            contacts = slots.filter { $0.value.id >= 0 }
                .map { Contact(key: $0.key, id: $0.value.id, x: $0.value.x, y: $0.value.y) }.sorted()
            slots = slots.mapValues { Slot(id: $0.id, x: $0.x, y: $0.y, idAtReport: $0.id) }
        case .lists, .listsWithIDs:
            if isListComplete { contacts = listed.sorted() }
            (packet, listed, isListComplete) = ([:], [], false)
        case .singleTouch:
            contacts = isTouched ? [Contact(key: 0, id: 0, x: place.x, y: place.y)] : []
            wasTouched = isTouched
        }
    }
}
