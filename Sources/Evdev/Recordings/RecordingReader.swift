/// Reads a recording of a device event by event, in constant memory.
///
/// The format is evemu text, `libinput record` YAML or the output of evtest, optionally compressed by gzip. The path `-`
/// is standard input.
///
/// ```swift
/// var reader = try RecordingReader(path: "visit.evemu")
/// print(reader.description.name)
/// while let event = try reader.next() { print(event.time.seconds, event.type, event.code, event.value) }
/// ```
public struct RecordingReader: ~Copyable {
    /// The device's description, from the recording or from the description file.
    public private(set) var description = DeviceDescription()
    /// udev's properties of the device in recordings by libinput; empty for other formats.
    public private(set) var udevProperties: [String: String] = [:]
    /// The devices in the recording if it announces several; otherwise empty.
    public private(set) var devices: [RecordedDevice] = []
    /// The number of the device that is read, from 1.
    public private(set) var device: Int = 1

    /// Whether the description was derived from the events.
    private var isInferred = false
    private var lines: LineReader
    private var parser: RecordingParser
    private let name: String?
    /// The parser of the separate description.
    private let given: RecordingParser?
    private var firstEvent: InputEvent?
    private var start: Int64?
    private var last: Int64 = 0

    /// Opens a recording and reads up to its first event.
    ///
    /// A recording without a description is first read to its end to find the codes and ranges of its events. A
    /// recording with several devices is also read twice. Both require a file, not a pipe.
    /// - Parameters:
    ///   - path: The file with the events; `-` is standard input.
    ///   - descriptionPath: A file with the description of the device, if separate.
    ///   - name: The number or the name of the device to read; nil for a touchscreen with events, or else the next best
    ///     device.
    public init(
        path: String, description descriptionPath: String? = nil, device name: String? = nil
    ) throws(RecordingError) {
        let given = try Self.given(descriptionPath)
        var parser = RecordingParser()
        var lines = try LineReader(path: path)
        let beginning = try Self.begin(&lines, &parser, given, device: name)
        self.init(lines, parser, given, device: name)
        begin(with: beginning)
    }

    /// Opens a recording whose first event may arrive later through a pipe: `open()` reads it, and nothing waits.
    package init(
        opening path: String, description descriptionPath: String? = nil, device name: String? = nil
    ) throws(RecordingError) {
        let given = try Self.given(descriptionPath)
        self.init(try LineReader(path: path), RecordingParser(), given, device: name)
        waits = false
    }

    private init(
        _ lines: consuming LineReader, _ parser: RecordingParser, _ given: RecordingParser?, device name: String?
    ) {
        self.lines = lines
        self.parser = parser
        self.given = given
        self.name = name
    }

    private static func given(_ descriptionPath: String?) throws(RecordingError) -> RecordingParser? {
        guard let descriptionPath else { return nil }
        return try parserAfterDescription(descriptionPath)
    }

    /// Reads up to the first event, which completes the description.
    /// - Returns: Whether it has arrived; if not, call it again when `descriptor` is readable.
    package mutating func open() throws(RecordingError) -> Bool {
        begin(with: try Self.begin(&lines, &parser, given, device: name))
        return !isWaiting
    }

    private typealias Beginning = (
        event: InputEvent?, devices: [RecordedDevice], device: Int, isInferred: Bool
    )

    private static func begin(
        _ lines: inout LineReader, _ parser: inout RecordingParser, _ given: RecordingParser?, device name: String?
    ) throws(RecordingError) -> Beginning {
        let path = lines.path
        var event = try nextEvent(&lines, &parser)
        if lines.isWaiting { return (nil, [], 1, false) }
        parser.replaceDescription(given)
        let (devices, device) = try choose(name, of: parser, lines)
        if device != 1 {
            lines = try LineReader(path: path)
            parser = RecordingParser(device: device)
            event = try nextEvent(&lines, &parser)
            parser.replaceDescription(given)
        }
        if !parser.hasRecognizedFormat { throw .notARecording(path: path) }
        let isInferred = parser.description.isEmpty
        if isInferred {
            guard lines.isFile else { throw .needsFile(path: path, content: .noDescription) }
            try inferDescription(path, into: &parser.description)
        }
        return (event, devices, device, isInferred)
    }

    private mutating func begin(with beginning: Beginning) {
        (firstEvent, devices, device, isInferred) = beginning
        description = parser.description
        udevProperties = parser.udevProperties
    }

    /// Whether `next()` waits for what a pipe has not delivered yet.
    package var waits: Bool {
        get { lines.waits }
        set { lines.waits = newValue }
    }
    /// Whether `next()` returned nil although the end is not reached, because it does not wait.
    package var isWaiting: Bool { lines.isWaiting }
    /// Whether the recording is a file, not a pipe.
    package var isFile: Bool { lines.isFile }
    /// The descriptor, for a loop that waits for a pipe.
    package var descriptor: Int32 { lines.descriptor }

    private static func choose(
        _ name: String?, of parser: RecordingParser, _ lines: borrowing LineReader
    ) throws(RecordingError) -> ([RecordedDevice], Int) {
        let hasSeveral = parser.announcedDevices > 1
        if !hasSeveral, name == nil { return ([], 1) }
        let path = lines.path
        if hasSeveral, !lines.isFile { throw .needsFile(path: path, content: .severalDevices) }
        let devices =
            hasSeveral
            ? try RecordedDevice.all(in: path)
            : [
                RecordedDevice(
                    number: 1, description: parser.description, udevProperties: parser.udevProperties, eventCount: 0)
            ]
        if let name {
            guard let device = devices.first(where: { $0.isCalled(name) }) else {
                throw .noSuchDevice(
                    path: path, name: name, devices: devices.map { "\($0.number), \($0.description.name)" })
            }
            return (hasSeveral ? devices : [], device.number)
        }
        return (devices, devices.min { $0.rank < $1.rank }?.number ?? 1)
    }

    /// Reads only the description of a device, from an evemu or libinput recording.
    package static func description(path: String) throws(RecordingError) -> DeviceDescription {
        try parserAfterDescription(path).description
    }

    private static func parserAfterDescription(_ path: String) throws(RecordingError) -> RecordingParser {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        _ = try nextEvent(&lines, &parser)
        if parser.description.isEmpty { throw .withoutDescription(path: path) }
        return parser
    }

    /// Adds the codes and axes of the events to a description that has at most a name.
    private static func inferDescription(
        _ path: String, into description: inout DeviceDescription
    ) throws(RecordingError) {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        while let event = try nextEvent(&lines, &parser) { description.add(evidence: event) }
        if description.isEmpty { throw .withoutDescription(path: path) }
        description.completeEvidence()
    }

    private static func nextEvent(
        _ lines: inout LineReader, _ parser: inout RecordingParser
    ) throws(RecordingError) -> InputEvent? {
        while true {
            guard let event = try lines.next({ line throws(RecordingError) in try parser.read(line) }) else {
                if !lines.isWaiting { try parser.finish(lines) }
                return nil
            }
            if let event { return event }
        }
    }

    /// The next event, with its time in microseconds since the first event; nil at the end, and while it `isWaiting`.
    ///
    /// Times never decrease: if the recording's clock was set back, they continue from the previous event.
    public mutating func next() throws(RecordingError) -> InputEvent? {
        var event: InputEvent
        if let firstEvent {
            event = firstEvent
            self.firstEvent = nil
        } else if let next = try Self.nextEvent(&lines, &parser) {
            event = next
        } else {
            return nil
        }
        var start = self.start ?? event.time.microseconds
        // Wrapping arithmetic, because a file may contain any numbers, and overflow must not crash the process.
        if event.time.microseconds &- start < last { start = event.time.microseconds &- last }
        self.start = start
        last = event.time.microseconds &- start
        event.time.microseconds = last
        return event
    }

    /// What a user should know of how the recording is read: which of several devices, and that it has no description.
    package var remarks: [String] {
        let read = device
        let inferred =
            "no device description; the axes and their ranges are those of the events; if positions are wrong, give "
            + "the description with --description FILE"
        let choice = devices.map { device in
            let choice = device.number == read ? "reading" : "not reading"
            return "\(choice) device \(device.number) of \(devices.count), \(device.description.name): "
                + "\(device.role.kind.rawValue), \(device.eventCount) event\(device.eventCount == 1 ? "" : "s")"
        }
        return (isInferred ? [inferred] : []) + choice
    }
}

/// A device in a recording.
public struct RecordedDevice: Sendable, Equatable {
    /// Its number in the recording, from 1.
    public let number: Int
    /// Its description in the recording.
    public let description: DeviceDescription
    /// Its udev properties in recordings by libinput; empty for other formats.
    public let udevProperties: [String: String]
    /// The number of its events in the recording.
    public let eventCount: Int

    /// Its role.
    public var role: DeviceRole { DeviceRole(description, udevProperties: udevProperties) }

    /// Its place among the devices, of which the first is read by default: a touchscreen with events, then any touchscreen,
    /// then another device with events; pointers before keys before devices that touchd does not use.
    fileprivate var rank: Int {
        let hasEvents = eventCount > 0
        return switch role.kind {
        case .touchscreen: hasEvents ? 0 : 1
        case .mouse, .absolutePointer: hasEvents ? 2 : 5
        case _ where role.reasonIgnored == nil: hasEvents ? 3 : 6
        default: hasEvents ? 4 : 7
        }
    }

    /// Whether a number or a name, which may contain shell wildcards, matches this device.
    package func isCalled(_ text: String) -> Bool { text == "\(number)" || Pattern(text).matches(description.name) }
}

extension RecordedDevice {
    /// The names of the devices in the first recording of several among some words.
    package static func names(inFirstOf words: [String]) -> [String] {
        let recordings = words.lazy.filter { $0 != "-" }.compactMap { try? RecordingReader(path: $0).devices }
        return recordings.first { !$0.isEmpty }?.map(\.description.name) ?? []
    }

    /// Reads the descriptions of a recording's devices, in order.
    static func all(in path: String) throws(RecordingError) -> [RecordedDevice] {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        var devices: [RecordedDevice] = []
        var eventCount = 0
        func device() -> RecordedDevice {
            RecordedDevice(
                number: devices.count + 1, description: parser.description, udevProperties: parser.udevProperties,
                eventCount: eventCount)
        }
        while let event = try lines.next({ line throws(RecordingError) in try parser.read(line) }) {
            if parser.currentDevice > devices.count + 1 {
                devices.append(device())
                parser.beginCurrentDevice()
                eventCount = 0
            } else if event != nil {
                eventCount += 1
            }
        }
        try parser.finish(lines)
        devices.append(device())
        return devices
    }
}

/// Parses a recording line by line in any format: collects the description and returns the events.
struct RecordingParser {
    /// The description of the device in the lines read.
    var description = DeviceDescription()
    /// udev's properties; only in recordings by libinput.
    var udevProperties: [String: String] = [:]
    /// Whether a line with the format of a recording was read.
    fileprivate var hasRecognizedFormat: Bool { format != nil }

    /// The number of devices that the recording announces; only libinput's announce more than one.
    fileprivate var announcedDevices: Int { format == .libinput ? libinput.announced ?? 1 : 1 }
    /// The number of the device of the current line, from 1.
    fileprivate var currentDevice: Int { format == .libinput ? max(libinput.current, 1) : 1 }

    /// Creates a parser.
    /// - Parameter device: The number of the device to read, from 1.
    init(device: Int = 1) { libinput = LibinputRecordParser(device: device) }

    /// Continues with the device whose first line was read last, and discards the previous one.
    fileprivate mutating func beginCurrentDevice() {
        description = DeviceDescription()
        udevProperties = [:]
        libinput = LibinputRecordParser(device: currentDevice, isAtDevice: true, announced: libinput.announced)
    }

    /// Sets the description from a separate file, which replaces that of the file with the events.
    fileprivate mutating func replaceDescription(_ given: RecordingParser?) {
        guard let given else { return }
        (description, udevProperties) = (given.description, given.udevProperties)
    }

    /// The maximum number of lines before the format is recognized: evtest lists all devices before the selected one.
    private static let longestPreamble = 100

    /// Checks what is known only at the end of the file.
    func finish(_ lines: borrowing LineReader) throws(RecordingError) {
        guard format == .libinput, let announced = libinput.announced, announced != currentDevice else { return }
        throw .malformed(
            path: lines.path, line: lines.lineNumber, column: 1,
            problem: "'ndevices' must be the number of devices in the recording (got \(announced), but there "
                + (currentDevice == 1 ? "is 1)" : "are \(currentDevice))")
                + "; if the recording was interrupted, set it to \(currentDevice)")
    }

    private enum Format { case evemu, libinput, evtest }
    private var format: Format?
    private var evemu = EvemuParser()
    private var evtest = EvtestParser()
    /// What the comments before the first other line describe, if they are evtest's header.
    private var quoted = DeviceDescription()
    private var libinput: LibinputRecordParser

    /// Parses the next line; returns its event, with the time as written.
    mutating func read(_ line: RecordingLine) throws(RecordingError) -> InputEvent? {
        if format == nil {
            format = Self.format(of: line)
            if format == .evtest { description = quoted }
        }
        switch format {
        case .evemu: return try evemu.read(line, &description)
        case .libinput: return try libinput.read(line, &description, &udevProperties)
        case .evtest: return try evtest.read(line, &description)
        case nil:
            if line.isComment {
                // A comment of evemu, or the header of evtest that a forum quoted with `#`.
                evtest.readDescription(line.unquoted, &quoted)
                if line.hasPrefix("#") { return try evemu.read(line, &description) }
            } else if line.number > Self.longestPreamble {
                throw .notARecording(path: line.path)
            }
            return nil
        }
    }

    /// The format that a line identifies; nil for an empty line or an unspecific comment.
    private static func format(of line: RecordingLine) -> Format? {
        if line.hasPrefix("# EVEMU") || EvemuParser.recognizes(line) { return .evemu }
        if line.hasPrefix("# libinput") || LibinputRecordParser.recognizes(line) { return .libinput }
        if EvtestParser.recognizes(line) { return .evtest }
        return nil
    }
}

/// Inference of a device's description from its events, for a recording without a description.
extension DeviceDescription {
    /// Adds the code of an event, and its value to the range of its axis.
    fileprivate mutating func add(evidence event: InputEvent) {
        self[event.type].insert(event.code)
        guard event.type == EventType.absolute else { return }
        var axis = axes[event.code] ?? AxisInfo(minimum: min(0, event.value), maximum: event.value)
        axis.minimum = min(axis.minimum, event.value)
        axis.maximum = max(axis.maximum, event.value)
        axes[event.code] = axis
    }

    /// Adds the slots that no event has named, after all events were added.
    ///
    /// A single finger in slot 0 never names the slot: ids without `SYN_MT_REPORT` are still protocol B. Protocol A sends
    /// `SYN_MT_REPORT` after the first id, so the protocol is known only at the end of a report.
    fileprivate mutating func completeEvidence() {
        let isAnonymous = self[EventType.synchronization].contains(SynCode.multitouchReport)
        if axes[AbsCode.trackingID] != nil, !isAnonymous, axes[AbsCode.slot] == nil {
            insertAxis(AbsCode.slot, AxisInfo(minimum: 0, maximum: 0))
        }
    }
}
