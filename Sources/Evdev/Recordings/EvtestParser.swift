/// Parses the output of evtest(1): the description of the device as an indented list, then one event per line.
///
/// `Event: time 12.345678, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 100`, and at the end of reports
/// `Event: time 12.345678, -------------- SYN_REPORT ------------`, worded as in evtest's version. Lines may be indented
/// or quoted, as in an email or a forum. Other terminal output is skipped.
struct EvtestParser {
    private var type: UInt16?
    private var axis: UInt16?
    private var hasEvents = false

    /// The prefixes of header lines, after whitespace and quote marks.
    private static let beginnings: [StaticString] = [
        "Input driver version", "Input device ID:", "Input device name:", "Supported events:", "Event type ",
    ]

    static func recognizes(_ line: RecordingLine) -> Bool {
        var scanner = LineScanner(line)
        let unquoted = line.unquoted
        // evemu and libinput have lines like evtest's in their comments.
        return scanner.skip(past: "Event: time ") || !line.isComment && beginnings.contains { unquoted.hasPrefix($0) }
    }

    mutating func read(
        _ line: RecordingLine, _ description: inout DeviceDescription
    ) throws(RecordingError) -> InputEvent? {
        var scanner = LineScanner(line)
        if scanner.skip(past: "Event: time ") {
            hasEvents = true
            let event = try event(&scanner)
            try check(event, line, description)
            return event
        }
        let unquoted = line.unquoted
        if hasEvents, unquoted.hasPrefix("Input driver version") || unquoted.hasPrefix("Input device name:") {
            throw line.secondRecording
        }
        readDescription(unquoted, &description)
        return nil
    }

    /// The kernel sends no event that the header of a complete recording does not list.
    private func check(
        _ event: InputEvent, _ line: RecordingLine, _ description: DeviceDescription
    ) throws(RecordingError) {
        guard [EventType.absolute, EventType.relative, EventType.key].contains(event.type), !description.isEmpty,
            !description[event.type].contains(event.code)
        else { return }
        throw line.error(
            "the header does not list this event (got type \(event.type), code \(event.code)); "
                + "complete the header, or remove it to infer the axes from the events", at: 1)
    }

    private func event(_ scanner: inout LineScanner) throws(RecordingError) -> InputEvent {
        let time = try scanner.time()
        try scanner.expect(",", in: "the event")
        scanner.skipBlanks()
        if let code = try Self.synchronization(scanner) {
            return InputEvent(type: EventType.synchronization, code: code, value: 0, time: time)
        }
        guard scanner.skip(past: "type ") else { throw scanner.error("expected the type, or a SYN_…") }
        let type: UInt16 = try scanner.integer("the event type")
        guard scanner.skip(past: "code ") else { throw scanner.error("expected the code") }
        let code: UInt16 = try scanner.integer("the event code")
        // evtest writes the values of MSC_RAW and MSC_SCAN in hexadecimal, and all others in decimal.
        let isScanCode = type == EventType.miscellaneous && (code == 3 || code == 4)
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

    /// The code that a line of dashes, pluses or angle brackets names.
    ///
    /// Before 1.27 evtest wrote `Config Sync` for everything except `SYN_REPORT`, which then meant `SYN_MT_REPORT`.
    /// Version 1.32 writes the name of the event type with the code's number: `EV_REL` for 2, `EV_ABS` for 3.
    private static func synchronization(_ scanner: LineScanner) throws(RecordingError) -> UInt16? {
        let text = scanner.remainder
        guard let first = text.first, "-+<>".contains(first) else { return nil }
        let name = text.drop { "-+<> ".contains($0) }.prefix { !"-+<>".contains($0) }
        switch name.split(separator: " ").joined(separator: " ") {
        case "SYN_REPORT", "Report Sync", "EV_SYN": return SynCode.report
        case "SYN_MT_REPORT", "MT Sync", "EV_REL", "Config Sync": return SynCode.multitouchReport
        case "SYN_DROPPED", "EV_ABS": return SynCode.dropped
        case "SYN_CONFIG", "EV_KEY": return 1
        case let other:
            throw scanner.error(
                "unknown synchronization event (got '\(other)'); evtest writes SYN_REPORT or Report Sync")
        }
    }

    /// A line in another format is other terminal output, so it is not an error.
    mutating func readDescription(_ line: RecordingLine, _ description: inout DeviceDescription) {
        var scanner = LineScanner(line)
        func number(after label: StaticString) -> Int32? { scanner.skip(past: label) ? try? scanner.integer("") : nil }
        if scanner.skip(past: "Input device name: \"") {
            // A name may begin with a blank and contain quotation marks.
            let name = line.text.drop { $0 != "\"" }.dropFirst()
            description.name = String(name[..<(name.lastIndex(of: "\"") ?? name.endIndex)])
        } else if line.hasPrefix("Repeat ") {
            // The values of key repeat follow; they belong to no axis.
            axis = nil
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
                if type == EventType.key, scanner.skip(past: " state 1") { description.pressedKeys.insert(code) }
            }
        } else if let number = number(after: "Property type ") ?? number(after: "Property "),
            let property = UInt16(exactly: number)
        {
            description.properties.insert(property)
        } else if let axis, var info = description.axes[axis] {
            let fields: [(StaticString, WritableKeyPath<AxisInfo, Int32>)] = [
                ("Value ", \.value), ("Min ", \.minimum), ("Max ", \.maximum), ("Fuzz ", \.fuzz), ("Flat ", \.flat),
                ("Resolution ", \.resolution),
            ]
            for (label, field) in fields {
                guard let value = number(after: label) else { continue }
                info[keyPath: field] = value
                break
            }
            description.axes[axis] = info
        }
    }
}
