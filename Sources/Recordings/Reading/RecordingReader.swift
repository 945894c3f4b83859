import Evdev

/// Reads a recording of a device event by event, in constant memory.
///
/// It may be evemu text, `libinput record` YAML or what evtest prints, each also compressed by gzip.
public struct RecordingReader: ~Copyable {
    /// What the recording, or the description file beside it, says of the device.
    public let description: DeviceDescription
    /// udev's properties of the device, as libinput's recordings have them; empty for the others.
    public let udevProperties: [String: String]
    /// The devices that the recording holds, where it says that it holds several; otherwise empty.
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
    /// A recording that has no description, in the same file or beside it, is read once to the end to see which codes
    /// occur in it and how far they range, which needs a file and not a pipe. So does one that holds several devices.
    /// - Parameters:
    ///   - path: the file with the events.
    ///   - description: a file with the description of the device, if it is another.
    ///   - name: the number or the name of the device to read, of several; nil for a touchscreen with events, or the device
    ///     nearest to that.
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
                throw .noSuchDevice(path: path, name: name, devices: devices)
            }
            return (hasSeveral ? devices : [], device.number)
        }
        return (devices, RecordedDevice.preferred(of: devices)?.number ?? 1)
    }

    /// Reads only what a file says of a device: the description of an evemu or libinput recording.
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

    /// Adds what the events reveal to a description that has at most a name.
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

    /// The next event, its time in microseconds since the first event; nil at the end.
    ///
    /// Times never go backwards: where the recording's clock was set back, they go on from the event before.
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
        // What a file says may be any number: a difference that cannot be counted must not end the process.
        if event.time.microseconds &- start < last { start = event.time.microseconds &- last }
        self.start = start
        last = event.time.microseconds &- start
        event.time.microseconds = last
        return event
    }
}
