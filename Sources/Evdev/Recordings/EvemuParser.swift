/// Parses evemu's text format, as written by `evemu-describe` and `evemu-record` (evemu(1), "DEVICE DESCRIPTION FILE
/// FORMAT").
///
/// `N:` name, `I:` bus vendor product version, `P:` properties and `B:` event bits in bytes, `A:` an axis' range, `E:`
/// an event. Numbers are hexadecimal, except for ranges, seconds and values. `L:` and `S:` hold the state of LEDs and
/// switches and are skipped. The current values of the axes are only in the comments.
struct EvemuParser {
    private var propertyBytes = 0
    private var codeBytes: [UInt16: Int] = [:]
    private var state = DeviceStateComments()
    private var hasEvents = false

    static func recognizes(_ line: RecordingLine) -> Bool {
        let bytes = Array(line.bytes.prefix(2))
        return bytes.count == 2 && bytes[1] == UInt8(ascii: ":") && "NIPBALSE".utf8.contains(bytes[0])
    }

    mutating func read(
        _ line: RecordingLine, _ description: inout DeviceDescription
    ) throws(RecordingError) -> InputEvent? {
        var scanner = LineScanner(line, after: 2)
        switch line.bytes.first {
        case nil: return nil
        case _ where hasEvents && (line.hasPrefix("N:") || line.hasPrefix("# EVEMU")): throw line.secondRecording
        case UInt8(ascii: "#"): state.read(line, &description)
        case _ where !Self.recognizes(line):
            if LineScanner(line).remainder.isEmpty { return nil }
            throw line.error("not a line of evemu text; its lines begin with N: I: P: B: A: L: S: E: or #", at: 1)
        case UInt8(ascii: "E"):
            hasEvents = true
            return try event(&scanner)
        case UInt8(ascii: "N"):
            // Blanks at the end belong to the name, as for the kernel.
            description.name = String(decoding: line.bytes.dropFirst(line.hasPrefix("N: ") ? 3 : 2), as: UTF8.self)
        case UInt8(ascii: "I"):
            description.bus = try scanner.integer(base: 16, "the bus in hexadecimal")
            description.vendor = try scanner.integer(base: 16, "the vendor in hexadecimal")
            description.product = try scanner.integer(base: 16, "the product in hexadecimal")
            description.version = try scanner.integer(base: 16, "the version in hexadecimal")
        case UInt8(ascii: "P"):
            try bits(&scanner, from: &propertyBytes) { description.properties.insert($0) }
        case UInt8(ascii: "B"):
            let type: UInt16 = try scanner.integer(base: 16, "the event type in hexadecimal")
            try bits(&scanner, from: &codeBytes[type, default: 0]) { description[type].insert($0) }
        case UInt8(ascii: "A"): try axis(&scanner, &description)
        default: break
        }
        return nil
    }

    private func event(_ scanner: inout LineScanner) throws(RecordingError) -> InputEvent {
        scanner.skipBlanks()
        let time = try scanner.time()
        let type: UInt16 = try scanner.integer(base: 16, "the event type in hexadecimal")
        let code: UInt16 = try scanner.integer(base: 16, "the event code in hexadecimal")
        let value: Int32 = try scanner.integer("the event's value")
        return InputEvent(type: type, code: code, value: value, time: time)
    }

    private func axis(
        _ scanner: inout LineScanner, _ description: inout DeviceDescription
    ) throws(RecordingError) {
        let code: UInt16 = try scanner.integer(base: 16, "the axis in hexadecimal")
        var info = AxisInfo(
            minimum: try scanner.integer("the least value"), maximum: try scanner.integer("the greatest value"),
            fuzz: try scanner.integer("the fuzz"), flat: try scanner.integer("the flat"))
        scanner.skipBlanks()
        // evemu before 1.0 wrote no resolution.
        if !scanner.isAtEnd { info.resolution = try scanner.integer("the resolution") }
        info.value = state[code]
        description.insertAxis(code, info)
    }

    private func bits(
        _ scanner: inout LineScanner, from count: inout Int, insert: (UInt16) -> Void
    ) throws(RecordingError) {
        while true {
            scanner.skipBlanks()
            if scanner.isAtEnd { return }
            let byte: UInt8 = try scanner.integer(base: 16, "a byte in hexadecimal")
            // 8192 bytes hold every code that an event type can have.
            if count >= 8192 {
                throw scanner.error("the line has more bits than any event type has codes; record the device again")
            }
            for bit in 0..<8 where byte & (1 << bit) != 0 { insert(UInt16(count * 8 + bit)) }
            count += 1
        }
    }
}
