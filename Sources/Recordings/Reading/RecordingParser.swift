import Evdev

/// Parses a recording line by line in any format: collects the description and returns the events.
struct RecordingParser {
    /// The description of the device in the lines read.
    var description = DeviceDescription()
    /// udev's properties; only in recordings by libinput.
    var udevProperties: [String: String] = [:]
    /// Whether a line with the format of a recording was read.
    var hasRecognizedFormat: Bool { format != nil }

    /// The number of devices that the recording announces; only libinput's announce more than one.
    var announcedDevices: Int { format == .libinput ? libinput.announced ?? 1 : 1 }
    /// The number of the device of the current line, from 1.
    var currentDevice: Int { format == .libinput ? max(libinput.current, 1) : 1 }

    /// Creates a parser.
    /// - Parameter device: The number of the device to read, from 1.
    init(device: Int = 1) { libinput = LibinputRecordParser(device: device) }

    /// Continues with the device whose first line was read last, and discards the previous one.
    mutating func beginCurrentDevice() {
        description = DeviceDescription()
        udevProperties = [:]
        libinput = LibinputRecordParser(device: currentDevice, isAtDevice: true, announced: libinput.announced)
    }

    /// A parser for the separate file with the events of the description that was read.
    var forAnotherFile: RecordingParser {
        var parser = RecordingParser()
        parser.description = description
        parser.udevProperties = udevProperties
        return parser
    }

    /// The maximum number of lines before the format is recognized: evtest lists all devices before the selected one.
    private static let longestPreamble = 100

    /// Checks what is known only at the end of the file.
    func finish(_ lines: borrowing LineReader) throws(RecordingError) {
        guard format == .libinput, let announced = libinput.announced, announced != currentDevice else { return }
        throw .malformed(
            path: lines.path, line: lines.lineNumber, column: 1,
            problem: "'ndevices' must be the number of devices in the recording (got \(announced), but there "
                + (currentDevice == 1 ? "is 1)" : "are \(currentDevice))"))
    }

    private enum Format { case evemu, libinput, evtest }
    private var format: Format?
    private var evemu = EvemuParser()
    private var evtest = EvtestParser()
    private var libinput: LibinputRecordParser

    /// Parses the next line; returns its event, with the time as written.
    mutating func read(_ line: Line) throws(RecordingError) -> InputEvent? {
        if format == nil { format = Self.format(of: line) }
        switch format {
        case .evemu: return try evemu.read(line, &description)
        case .libinput: return try libinput.read(line, &description, &udevProperties)
        case .evtest: return try evtest.read(line, &description)
        case nil:
            if line.hasPrefix("#") {
                evemu.readComment(line, &description)
            } else if line.number > Self.longestPreamble {
                throw .notARecording(path: line.path)
            }
            return nil
        }
    }

    /// The format that a line identifies; nil for an empty line or an unspecific comment.
    private static func format(of line: Line) -> Format? {
        if line.hasPrefix("# EVEMU") || EvemuParser.recognizes(line) { return .evemu }
        if line.hasPrefix("# libinput") || LibinputRecordParser.recognizes(line) { return .libinput }
        if EvtestParser.recognizes(line) { return .evtest }
        return nil
    }
}
