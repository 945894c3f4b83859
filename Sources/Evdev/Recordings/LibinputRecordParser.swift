/// Parses one device of a recording by `libinput record`, which may contain several devices in sequence.
///
/// The file is YAML, but libinput-record(1) writes it in a fixed shape, so it is parsed line by line in constant
/// memory: `name: "…"`, `id: […]`, `codes:` and `absinfo:` with a line per type or axis, `properties: […]`, udev's
/// properties as `- KEY=VALUE`, and one event per line as `- [seconds, microseconds, type, code, value]`.
struct LibinputRecordParser {
    private enum Section { case none, codes, absinfo, udev }
    private var section = Section.none
    private var state = DeviceStateComments()
    /// The number of the device to read, from 1.
    private let wanted: Int
    /// The number of the device of the current line; 0 before the first.
    private(set) var current: Int
    /// The number of devices that the recording announces (`ndevices`); nil for an excerpt without it.
    private(set) var announced: Int?

    /// - Parameters:
    ///   - isAtDevice: Whether the first line of the wanted device was read already.
    ///   - announced: The value of `ndevices`, if it was read already.
    init(device wanted: Int = 1, isAtDevice: Bool = false, announced: Int? = nil) {
        self.wanted = wanted
        self.announced = announced
        current = isAtDevice ? wanted : 0
    }

    static func recognizes(_ line: RecordingLine) -> Bool {
        ["version:", "ndevices:", "libinput:", "system:", "devices:"].contains { line.text.hasPrefix($0) }
            || key(of: line).hasPrefix("- [")
    }

    private static func key(of line: RecordingLine) -> String { LineScanner(line).remainder }

    mutating func read(
        _ line: RecordingLine, _ description: inout DeviceDescription, _ udevProperties: inout [String: String]
    ) throws(RecordingError) -> InputEvent? {
        if current > 0, line.hasPrefix("---") || line.hasPrefix("version:") { throw line.secondRecording }
        var scanner = LineScanner(line)
        scanner.skipBlanks()
        if scanner.consume("-") {
            scanner.skipBlanks()
            if scanner.consume("[") { return isWanted ? try event(&scanner) : nil }
            try readListItem(scanner.remainder, line, &udevProperties)
            return nil
        }
        guard isWanted, !scanner.isAtEnd else { return nil }
        if scanner.consume("#") {
            state.read(line, &description)
        } else {
            try readField(scanner, line, &description)
        }
        return nil
    }

    /// Lines before the first device apply to all devices, or to the only one of an excerpt.
    private var isWanted: Bool { current == wanted || current == 0 }

    private mutating func readListItem(
        _ item: String, _ line: RecordingLine, _ udevProperties: inout [String: String]
    ) throws(RecordingError) {
        if item.hasPrefix("node:") {
            current += 1
            section = .none
            if let announced, current > announced {
                throw line.error(
                    "'ndevices' must be the number of devices in the recording (got \(announced), but another device begins here)",
                    at: 1)
            }
        } else if isWanted, section == .udev, let equals = item.firstIndex(of: "=") {
            udevProperties[String(item[..<equals])] = String(item[item.index(after: equals)...])
        }
    }

    private mutating func readField(
        _ scanner: LineScanner, _ line: RecordingLine, _ description: inout DeviceDescription
    ) throws(RecordingError) {
        let text = scanner.remainder
        let isTop = line.bytes.first != UInt8(ascii: " ")
        var value = scanner
        guard value.skip(past: ":") else { return }
        switch text.prefix(while: { $0 != ":" }) {
        case "codes": section = .codes
        case "absinfo": section = .absinfo
        case "udev": section = .udev
        case "hid", "quirks", "events": section = .none
        case "ndevices" where isTop: announced = try value.integer("the number of devices")
        case "name" where description.name.isEmpty && !isTop:
            description.name = value.remainder.trimmingQuotes
        case "phys": description.physicalPath = value.remainder.trimmingQuotes
        case "uniq": description.uniqueName = value.remainder.trimmingQuotes
        case "id":
            let numbers: [UInt16] = try list(&value)
            guard numbers.count >= 4 else { throw value.error("expected [bus, vendor, product, version]") }
            (description.bus, description.vendor) = (numbers[0], numbers[1])
            (description.product, description.version) = (numbers[2], numbers[3])
        case "properties" where section != .udev:
            for property: UInt16 in try list(&value) { description.properties.insert(property) }
            section = .none
        case let key where section == .codes:
            guard let type = UInt16(key) else { return }
            for code: UInt16 in try list(&value) { description[type].insert(code) }
        case let key where section == .absinfo:
            guard let code = UInt16(key) else { return }
            let numbers: [Int32] = try list(&value)
            guard numbers.count >= 5 else {
                throw value.error("expected [minimum, maximum, fuzz, flat, resolution]")
            }
            description.insertAxis(
                code,
                AxisInfo(
                    minimum: numbers[0], maximum: numbers[1], fuzz: numbers[2], flat: numbers[3],
                    resolution: numbers[4], value: state[code]))
        default: break
        }
    }

    private func event(_ scanner: inout LineScanner) throws(RecordingError) -> InputEvent {
        let seconds: Int64 = try scanner.integer("the time in seconds")
        try separator(&scanner)
        let microseconds: Int64 = try scanner.integer("the microseconds")
        try separator(&scanner)
        let type: UInt16 = try scanner.integer("the event type")
        try separator(&scanner)
        let code: UInt16 = try scanner.integer("the event code")
        try separator(&scanner)
        let value: Int32 = try scanner.integer("the event's value")
        scanner.skipBlanks()
        try scanner.expect("]", in: "the event")
        // libinput 1.22 subtracts the first event's time from the time of another device's earlier event, unsigned.
        let time = try scanner.wrappedTime(seconds: seconds, microseconds: microseconds)
        return InputEvent(type: type, code: code, value: value, time: time)
    }

    private func separator(_ scanner: inout LineScanner) throws(RecordingError) {
        scanner.skipBlanks()
        try scanner.expect(",", in: "the event")
    }

    private func list<Value: FixedWidthInteger>(_ scanner: inout LineScanner) throws(RecordingError) -> [Value] {
        scanner.skipBlanks()
        try scanner.expect("[", in: "a list")
        var values: [Value] = []
        scanner.skipBlanks()
        if scanner.consume("]") { return values }
        while true {
            values.append(try scanner.integer("a number"))
            scanner.skipBlanks()
            if scanner.consume("]") { return values }
            try scanner.expect(",", in: "a list")
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        guard count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
        return String(dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }
}
