/// Reads what a device held at the start of its recording, which evemu and libinput write only in comments.
///
/// `# Event type 3 (EV_ABS)`, `#   Event code 0 (ABS_X)`, `#       Value 12`: a value may precede the definition of its
/// axis. `touchd record` also writes `#       State 1` for a pressed key, and `#       Slots 3 -1` for the values of an
/// axis in the slots from 0 on.
struct DeviceStateComments {
    private var type: UInt16?
    private var code: UInt16?
    private var values: [UInt16: Int32] = [:]

    /// More slots than any panel has.
    private static let slotLimit = 1024

    /// The value read for an axis, or 0.
    subscript(code: UInt16) -> Int32 { values[code] ?? 0 }

    /// Reads a comment; ignores one in another format.
    mutating func read(_ line: RecordingLine, _ description: inout DeviceDescription) {
        var scanner = LineScanner(line)
        if scanner.skip(past: "Event type ") {
            type = try? scanner.integer("")
            code = nil
        } else if scanner.skip(past: "Event code ") {
            code = try? scanner.integer("")
        } else if let code, type == EventType.key {
            if scanner.skip(past: " State 1") { description.pressedKeys.insert(code) }
        } else if let code, type == EventType.absolute {
            if scanner.skip(past: " Value "), let value: Int32 = try? scanner.integer("") {
                values[code] = value
                description.axes[code]?.value = value
            } else if scanner.skip(past: " Slots ") {
                readSlots(&scanner, code, &description.slots)
            }
        }
    }

    private func readSlots(_ scanner: inout LineScanner, _ code: UInt16, _ slots: inout [SlotContent]) {
        for slot in 0..<Self.slotLimit {
            guard let value: Int32 = try? scanner.integer("") else { return }
            if slot == slots.count { slots.append(SlotContent()) }
            slots[slot][code] = value
        }
    }
}
