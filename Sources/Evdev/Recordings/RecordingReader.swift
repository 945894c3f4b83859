/// Reads a recording of a device event by event, in constant memory.
///
/// It may be evemu text, `libinput record` YAML or what evtest prints, each also compressed by gzip.
public struct RecordingReader: ~Copyable {
    /// What the recording, or the description file beside it, says of the device.
    public let description: DeviceDescription
    /// udev's properties of the device, as libinput's recordings have them; empty for the others.
    public let udevProperties: [String: String]

    private var lines: LineReader
    private var parser: RecordingParser
    private var firstEvent: InputEvent?
    private var start: Int64?
    private var last: Int64 = 0

    /// Opens a recording and reads up to its first event.
    ///
    /// A recording that has no description, in the same file or beside it, is read once to the end to see which codes
    /// occur in it and how far they range, which needs a file and not a pipe.
    /// - Parameters:
    ///   - path: the file with the events.
    ///   - description: a file with the description of the device, if it is another.
    public init(path: String, description descriptionPath: String? = nil) throws(RecordingError) {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        if let descriptionPath { parser = try Self.parserAfterDescription(descriptionPath).forAnotherFile }
        let firstEvent = try Self.nextEvent(&lines, &parser)
        if !parser.hasRecognizedFormat { throw .notARecording(path: path) }
        if parser.description.isEmpty { parser.description = try Self.inferDescription(path) }
        description = parser.description
        udevProperties = parser.udevProperties
        self.lines = lines
        self.parser = parser
        self.firstEvent = firstEvent
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

    private static func inferDescription(_ path: String) throws(RecordingError) -> DeviceDescription {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        var evidence = DescriptionEvidence()
        while let event = try nextEvent(&lines, &parser) { evidence.add(event) }
        if evidence.isEmpty { throw .withoutDescription(path: path) }
        return evidence.description
    }

    private static func nextEvent(
        _ lines: inout LineReader, _ parser: inout RecordingParser
    ) throws(RecordingError) -> InputEvent? {
        while true {
            guard let event = try lines.next({ line throws(RecordingError) in try parser.read(line) }) else {
                return nil
            }
            if let event { return event }
        }
    }

    /// The next event, its time in microseconds since the first event; nil at the end.
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
        let start = self.start ?? event.time.microseconds
        self.start = start
        event.time.microseconds -= start
        return event
    }
}
