import Evdev

/// Reads what evtest(1) prints: the description of the device as an indented list, then an event a line.
///
/// `Event: time 12.345678, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 100`, and for the ends of reports
/// `Event: time 12.345678, -------------- SYN_REPORT ------------`. Older versions wrote `Report Sync` there. Whatever
/// else a terminal had on it is passed over.
struct EvtestParser {
    private var type: UInt16?
    private var axis: UInt16?

    static func recognizes(_ line: Line) -> Bool {
        var scanner = LineScanner(line)
        return scanner.skip(past: "Event: time ") || line.hasPrefix("Input driver version")
            || line.hasPrefix("Input device ID:") || line.hasPrefix("Input device name:")
    }

    mutating func read(
        _ line: Line, _ description: inout DeviceDescription
    ) throws(RecordingError) -> InputEvent? {
        var scanner = LineScanner(line)
        if scanner.skip(past: "Event: time ") { return try event(&scanner) }
        readDescription(line, &description)
        return nil
    }

    private func event(_ scanner: inout LineScanner) throws(RecordingError) -> InputEvent {
        let time = try scanner.time()
        try scanner.expect(",", in: "the event")
        scanner.skipBlanks()
        if let code = Self.synchronization(scanner.remainder) {
            return InputEvent(type: EventType.synchronization, code: code, value: 0, time: time)
        }
        guard scanner.skip(past: "type ") else { throw scanner.error("expected the type, or a SYN_…") }
        let type: UInt16 = try scanner.integer("the event type")
        guard scanner.skip(past: "code ") else { throw scanner.error("expected the code") }
        let code: UInt16 = try scanner.integer("the event code")
        // evtest writes the value of MSC_SCAN, and of nothing else, in hexadecimal.
        let isScanCode = scanner.remainder.hasPrefix("(MSC_SCAN)")
        guard scanner.skip(past: "value ") else { throw scanner.error("expected the value") }
        let value: Int32
        if isScanCode {
            let bits: UInt32 = try scanner.integer(base: 16, "the event's value")
            value = Int32(bitPattern: bits)
        } else {
            value = try scanner.integer("the event's value")
        }
        return InputEvent(type: type, code: code, value: value, time: time)
    }

    /// The code that a line of dashes, pluses or angles names.
    private static func synchronization(_ text: String) -> UInt16? {
        guard let first = text.first, "-+<>".contains(first) else { return nil }
        switch text.split(whereSeparator: { "-+<> ".contains($0) }).first {
        case "SYN_MT_REPORT": return SynCode.multitouchReport
        case "SYN_DROPPED": return SynCode.dropped
        case "SYN_CONFIG", "Config": return 1
        default: return SynCode.report
        }
    }

    /// A line of the description that is not as evtest writes it is one of a terminal's others, so no error.
    private mutating func readDescription(_ line: Line, _ description: inout DeviceDescription) {
        var scanner = LineScanner(line)
        func number(after label: StaticString) -> Int32? { scanner.skip(past: label) ? try? scanner.integer("") : nil }
        if scanner.skip(past: "Input device name: \"") {
            description.name = String(scanner.remainder.prefix { $0 != "\"" })
        } else if scanner.skip(past: "Input device ID: bus 0x") {
            description.bus = (try? scanner.integer(base: 16, "")) ?? 0
            if scanner.skip(past: "vendor 0x") { description.vendor = (try? scanner.integer(base: 16, "")) ?? 0 }
            if scanner.skip(past: "product 0x") { description.product = (try? scanner.integer(base: 16, "")) ?? 0 }
            if scanner.skip(past: "version 0x") { description.version = (try? scanner.integer(base: 16, "")) ?? 0 }
        } else if let number = number(after: "Event type ") {
            type = UInt16(exactly: number)
            axis = nil
        } else if let number = number(after: "Event code "), let code = UInt16(exactly: number), let type {
            if type == EventType.absolute {
                axis = code
                description.insertAxis(code, AxisInfo(minimum: 0, maximum: 0))
            } else {
                description[type].insert(code)
            }
        } else if let number = number(after: "Property type ") ?? number(after: "Property "),
            let property = UInt16(exactly: number)
        {
            description.properties.insert(property)
        } else if let axis, var info = description.axes[axis] {
            if let value = number(after: " Value ") {
                info.value = value
            } else if let value = number(after: " Min ") {
                info.minimum = value
            } else if let value = number(after: " Max ") {
                info.maximum = value
            } else if let value = number(after: " Fuzz ") {
                info.fuzz = value
            } else if let value = number(after: " Flat ") {
                info.flat = value
            } else if let value = number(after: " Resolution ") {
                info.resolution = value
            }
            description.axes[axis] = info
        }
    }
}
