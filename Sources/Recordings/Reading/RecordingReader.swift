import Evdev

/// Reads a recording of a device event by event, in constant memory.
///
/// The format is evemu text, `libinput record` YAML or the output of evtest, optionally compressed by gzip.
public struct RecordingReader: ~Copyable {
    /// The device's description, from the recording or from the description file.
    public let description: DeviceDescription
    /// udev's properties of the device in recordings by libinput; empty for other formats.
    public let udevProperties: [String: String]
    /// The devices in the recording if it announces several; otherwise empty.
    public let devices: [RecordedDevice]
    /// The number of the device that is read, from 1.
    public let device: Int

    private var lines: LineReader
    private var parser: RecordingParser
    private var firstEvent: InputEvent?
    private var start: Int64?
    private var last: Int64 = 0

    /// Opens a recording and reads up to its first event.
    ///
    /// A recording without a description is first read to its end to find the codes and ranges of its events. A
    /// recording with several devices is also read twice. Both require a file, not a pipe.
    /// - Parameters:
    ///   - path: The file with the events.
    ///   - descriptionPath: A file with the description of the device, if separate.
    ///   - name: The number or the name of the device to read; nil for a touchscreen with events, or else the next best
    ///     device.
    public init(
        path: String, description descriptionPath: String? = nil, device name: String? = nil
    ) throws(RecordingError) {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        if let descriptionPath { parser = try Self.parserAfterDescription(descriptionPath).forAnotherFile }
        var firstEvent = try Self.nextEvent(&lines, &parser)
        let (devices, number) = try Self.choose(name, of: parser, path)
        if number != 1 {
            lines = try LineReader(path: path)
            parser = RecordingParser(device: number)
            firstEvent = try Self.nextEvent(&lines, &parser)
        }
        if !parser.hasRecognizedFormat { throw .notARecording(path: path) }
        if parser.description.isEmpty { try Self.inferDescription(path, into: &parser.description) }
        description = parser.description
        udevProperties = parser.udevProperties
        self.devices = devices
        device = number
        self.lines = lines
        self.parser = parser
        self.firstEvent = firstEvent
    }

    private static func choose(
        _ name: String?, of parser: RecordingParser, _ path: String
    ) throws(RecordingError) -> ([RecordedDevice], Int) {
        let hasSeveral = parser.announcedDevices > 1
        if !hasSeveral, name == nil { return ([], 1) }
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
        return (devices, RecordedDevice.preferred(of: devices)?.number ?? 1)
    }

    /// Reads only the description of a device, from an evemu or libinput recording.
    public static func description(path: String) throws(RecordingError) -> DeviceDescription {
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
        var evidence = DescriptionEvidence()
        while let event = try nextEvent(&lines, &parser) { evidence.add(event) }
        if evidence.isEmpty { throw .withoutDescription(path: path) }
        let inferred = evidence.description
        for (code, axis) in inferred.axes { description.insertAxis(code, axis) }
        for type in [EventType.synchronization, EventType.key, EventType.relative, EventType.miscellaneous] {
            description[type] = inferred[type]
        }
    }

    private static func nextEvent(
        _ lines: inout LineReader, _ parser: inout RecordingParser
    ) throws(RecordingError) -> InputEvent? {
        while true {
            guard let event = try lines.next({ line throws(RecordingError) in try parser.read(line) }) else {
                try parser.finish(lines)
                return nil
            }
            if let event { return event }
        }
    }

    /// The next event, with its time in microseconds since the first event; nil at the end.
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

    /// Which of several devices is read, one line per device; empty for a recording with one device.
    public var choice: [String] {
        let read = device
        return devices.map { device in
            let choice = device.number == read ? "reading" : "not reading"
            return "\(choice) device \(device.number) of \(devices.count), \(device.description.name): "
                + "\(device.role.kind.rawValue), \(device.eventCount) event\(device.eventCount == 1 ? "" : "s")"
        }
    }
}
