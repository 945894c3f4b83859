import Evdev

/// Reads a recording line by line, whatever its format: collects the description and answers the events.
struct RecordingParser {
    /// What the lines so far say of the device.
    var description = DeviceDescription()
    /// udev's properties, which only libinput's recordings have.
    var udevProperties: [String: String] = [:]
    /// Whether a line was met that only a recording has.
    var hasRecognizedFormat: Bool { format != nil }

    /// How many devices the recording says that it holds; only libinput's hold more than one.
    var announcedDevices: Int { format == .libinput ? libinput.announced ?? 1 : 1 }
    /// The number of the device that the lines are of now, from 1.
    var currentDevice: Int { format == .libinput ? max(libinput.current, 1) : 1 }

    /// Makes a parser that has read nothing.
    /// - Parameter device: the number of the device to read, from 1.
    init(device: Int = 1) { libinput = LibinputRecordParser(device: device) }

    /// Goes on with the device whose first line was read last, and forgets the one before it.
    mutating func beginCurrentDevice() {
        description = DeviceDescription()
        udevProperties = [:]
        libinput = LibinputRecordParser(device: currentDevice, isAtDevice: true, announced: libinput.announced)
    }

    /// A parser for the file with the events that belongs to the description read so far.
    var forAnotherFile: RecordingParser {
        var parser = RecordingParser()
        parser.description = description
        parser.udevProperties = udevProperties
        return parser
    }

    /// evtest's list of devices to choose from stands before what it prints of the chosen one.
    private static let longestPreamble = 100

    /// Checks what only the end of the file can show.
    func finish(_ lines: borrowing LineReader) throws(RecordingError) {
        guard format == .libinput, let announced = libinput.announced, announced != currentDevice else { return }
        throw .malformed(
            path: lines.path, line: lines.lineNumber, column: 1,
            problem: "'ndevices' must be the number of devices in the recording (got \(announced), and there "
                + (currentDevice == 1 ? "is 1)" : "are \(currentDevice))"))
    }

    private enum Format { case evemu, libinput, evtest }
    private var format: Format?
    private var evemu = EvemuParser()
    private var evtest = EvtestParser()
    private var libinput: LibinputRecordParser

    /// Takes the next line; answers the event it holds, with the time as it is written there.
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

    /// The format that a line gives away; nil for an empty line or a comment that says nothing.
    private static func format(of line: Line) -> Format? {
        if line.hasPrefix("# EVEMU") || EvemuParser.recognizes(line) { return .evemu }
        if line.hasPrefix("# libinput") || LibinputRecordParser.recognizes(line) { return .libinput }
        if EvtestParser.recognizes(line) { return .evtest }
        return nil
    }
}
