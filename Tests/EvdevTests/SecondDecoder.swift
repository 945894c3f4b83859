import CLinux
import Evdev

/// A second decoder of contacts with tracking ids that shares no code with touchd's, written only from the kernel's
/// `Documentation/input/multi-touch-protocol.rst` and `event-codes.rst`, for comparison.
///
/// It has the contacts that are down at each `SYN_REPORT`. One rule is touchd's own, because a recording cannot be
/// queried for the device's state as the text requires: in a report that `SYN_DROPPED` cuts, ends count and beginnings
/// do not.
struct SecondDecoder {
    /// "Protocol Usage": type B with slots, or type A with `ABS_MT_TRACKING_ID`.
    enum Kind: Sendable { case slots, lists }

    /// A contact that is down; `key` is the slot of type B and the tracking id of type A.
    struct Contact: Hashable, Comparable {
        var key, id, x, y: Int32

        static func < (left: Self, right: Self) -> Bool { left.key < right.key }
    }

    /// `ABS_MT_TOOL_TYPE` and `ABS_MT_DISTANCE`.
    struct Marks { var tool: Int32 = 0, distance: Int32 = 0 }

    /// The contacts that were down at the last `SYN_REPORT`, by their keys.
    private(set) var contacts: [Contact] = []
    /// The tool and the distance of each of these, by its key.
    private(set) var marks: [Int32: Marks] = [:]
    /// The slots whose contacts the last `SYN_DROPPED` ended.
    private(set) var endedByCut: [Int32] = []

    private struct Slot { var id: Int32 = -1, x: Int32 = 0, y: Int32 = 0, idAtReport: Int32 = -1, marks = Marks() }

    private let kind: Kind
    private var isIgnoring = false
    // Type B: "the slot value", which persists, and the state of each slot.
    private var slot: Int32 = 0
    private var slots: [Int32: Slot] = [:]
    // Type A: the events since the last SYN_MT_REPORT, and the contacts listed in the report.
    private var packet: [UInt16: Int32] = [:]
    private var listed: [Contact] = []
    private var listedMarks: [Int32: Marks] = [:]

    init(_ kind: Kind) { self.kind = kind }

    /// Puts contacts into slots, with the slots' numbers as ids, as the kernel's state at opening.
    mutating func adopt(slots numbers: [Int32], x: Int32, y: Int32) {
        for number in numbers { slots[number] = Slot(id: number, x: x, y: y, idAtReport: number) }
    }

    /// Processes an event; returns true for the end of a report that counts.
    mutating func feed(_ event: InputEvent) -> Bool {
        switch (Int32(event.type), Int32(event.code)) {
        // "Client should ignore all events up to and including next SYN_REPORT event".
        case (EV_SYN, SYN_DROPPED):
            isIgnoring = true
            cut()
        case (EV_SYN, SYN_REPORT):
            defer { isIgnoring = false }
            if !isIgnoring { endReport() }
            return !isIgnoring
        case _ where isIgnoring: break
        case (EV_SYN, SYN_MT_REPORT): endPacket()
        case (EV_ABS, ABS_MT_SLOT...ABS_MT_TOOL_Y):
            if kind == .slots { feedSlot(Int32(event.code), event.value) } else { packet[event.code] = event.value }
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
        case ABS_MT_TOOL_TYPE: slots[slot, default: Slot()].marks.tool = value
        case ABS_MT_DISTANCE: slots[slot, default: Slot()].marks.distance = value
        default: break
        }
    }

    /// "Contacts are separated by SYN_MT_REPORT"; "the minimum set is ABS_MT_POSITION_X and ABS_MT_POSITION_Y".
    private mutating func endPacket() {
        defer { packet = [:] }
        guard let x = packet[UInt16(ABS_MT_POSITION_X)], let y = packet[UInt16(ABS_MT_POSITION_Y)],
            let id = packet[UInt16(ABS_MT_TRACKING_ID)], id >= 0
        else { return }
        listed.append(Contact(key: id, id: id, x: x, y: y))
        listedMarks[id] = Marks(
            tool: packet[UInt16(ABS_MT_TOOL_TYPE)] ?? 0, distance: packet[UInt16(ABS_MT_DISTANCE)] ?? 0)
    }

    private mutating func cut() {
        endedByCut = slots.filter { $0.value.id != $0.value.idAtReport }.map(\.key)
        for number in endedByCut {
            slots[number]?.id = -1
            slots[number]?.idAtReport = -1
        }
        (packet, listed, listedMarks) = ([:], [], [:])
    }

    private mutating func endReport() {
        switch kind {
        case .slots:
            contacts = slots.filter { $0.value.id >= 0 }
                .map { Contact(key: $0.key, id: $0.value.id, x: $0.value.x, y: $0.value.y) }.sorted()
            slots = slots.mapValues { Slot(id: $0.id, x: $0.x, y: $0.y, idAtReport: $0.id, marks: $0.marks) }
            marks = slots.mapValues(\.marks)
        case .lists:
            (contacts, marks) = (listed.sorted(), listedMarks)
            (packet, listed, listedMarks) = ([:], [], [:])
        }
    }
}
