import Basics
import CZlib
import EventLoop
import Glibc

/// Scans a line from left to right.
struct LineScanner {
    private let line: Line
    private var rest: ArraySlice<UInt8>

    init(_ line: Line, after count: Int = 0) {
        self.line = line
        rest = line.bytes.dropFirst(count)
    }

    /// The current column, from 1.
    var column: Int { rest.startIndex - line.bytes.startIndex + 1 }
    var isAtEnd: Bool { rest.isEmpty }

    func error(_ problem: String) -> RecordingError { line.error(problem, at: column) }

    mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// Consumes a character if it is next.
    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func expect(_ character: Unicode.Scalar, in what: String) throws(RecordingError) {
        if !consume(character) { throw error("expected '\(character)' in \(what)") }
    }

    /// Moves past the next occurrence of a text; returns false without moving if it does not occur.
    mutating func skip(past text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var candidate = rest
        while candidate.count >= bytes.count {
            if candidate.starts(with: bytes) {
                rest = candidate.dropFirst(bytes.count)
                return true
            }
            candidate = candidate.dropFirst()
        }
        return false
    }

    /// Consumes an integer in base 10 or 16, after optional whitespace.
    mutating func integer<Value: FixedWidthInteger>(
        base: Value = 10, _ what: String
    ) throws(RecordingError) -> Value {
        skipBlanks()
        let start = self
        let isNegative = Value.isSigned && consume("-")
        var value: Value = 0
        var digits = 0
        while let digit = rest.first.flatMap({ Self.digit($0, base: base) }) {
            rest = rest.dropFirst()
            digits += 1
            let (product, overflow) = value.multipliedReportingOverflow(by: base)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || carry { throw start.error("\(what) is too large") }
            value = sum
        }
        if digits == 0 { throw start.error("expected \(what)") }
        return value
    }

    private static func digit<Value: FixedWidthInteger>(_ byte: UInt8, base: Value) -> Value? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Value(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where base == 16: Value(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F") where base == 16: Value(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The microseconds of a decimal fraction with any number of digits: `.5` is half a second.
    mutating func microseconds() throws(RecordingError) -> Int64 {
        var value: Int64 = 0
        var unit: Int64 = 100_000
        let start = self
        while let digit = rest.first.flatMap({ Self.digit($0, base: Int64(10)) }) {
            rest = rest.dropFirst()
            value += digit * unit
            unit /= 10
        }
        if unit == 100_000 { throw start.error("expected the fraction of a second") }
        return value
    }

    /// Consumes seconds with a fraction, `12.345678`.
    mutating func time() throws(RecordingError) -> InputTimestamp {
        let start = self
        let seconds: Int64 = try integer("the time in seconds")
        try expect(".", in: "the time")
        return try start.time(seconds: seconds, microseconds: microseconds())
    }

    /// The time in microseconds; throws on overflow.
    func time(seconds: Int64, microseconds: Int64) throws(RecordingError) -> InputTimestamp {
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (total, carry) = scaled.addingReportingOverflow(microseconds)
        if overflow || carry { throw error("the time is too large") }
        return InputTimestamp(microseconds: total)
    }

    /// As `time(seconds:microseconds:)`, but for a time before 0 that was written modulo 2⁶⁴ microseconds.
    func wrappedTime(seconds: Int64, microseconds: Int64) throws(RecordingError) -> InputTimestamp {
        let wrapped = seconds &* 1_000_000 &+ microseconds
        // 2⁶⁴ microseconds are 18,446,744,073,709 s; recordings begin at most a day before their first event.
        guard (18_446_743_987_309...18_446_744_073_709).contains(seconds), wrapped < 0 else {
            return try time(seconds: seconds, microseconds: microseconds)
        }
        return InputTimestamp(microseconds: wrapped)
    }

    /// The rest of the line without surrounding whitespace.
    var remainder: String {
        var bytes = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            bytes = bytes.dropLast()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Reads a file, optionally compressed by gzip, line by line in constant memory.
struct LineReader: ~Copyable {
    /// The maximum length of a line, in bytes; the longest real ones have a few hundred.
    static let greatestLength = 65_536

    let path: String
    /// The number of the last line read, from 1.
    private(set) var lineNumber = 0
    private let file: gzFile
    private var buffer = LineBuffer()
    private var isAtEnd = false

    /// Opens a file.
    init(path: String) throws(RecordingError) {
        // Delegates, because Swift 6.2 crashes on a noncopyable value whose initializer throws with a part of it initialized.
        // zlib also reads uncompressed files; "e" is O_CLOEXEC.
        guard let file = gzopen(path, "rbe") else {
            throw .unreadable(path: path, reason: ErrorText.of(errno))
        }
        self.init(file, path: path)
    }

    private init(_ file: gzFile, path: String) {
        self.file = file
        self.path = path
    }

    deinit { gzclose(file) }

    /// Calls `body` with the next line without its terminator (`\n` or `\r\n`); returns nil at the end of the file.
    mutating func next<Result>(
        _ body: (Line) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result? {
        while true {
            if var line = buffer.nextLine() {
                lineNumber += 1
                if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
                return try body(Line(path: path, number: lineNumber, bytes: line))
            }
            if isAtEnd { return nil }
            try fill()
        }
    }

    private mutating func fill() throws(RecordingError) {
        if buffer.count == Self.greatestLength {
            throw .malformed(
                path: path, line: lineNumber + 1, column: buffer.count + 1,
                problem: "the line is too long for a recording")
        }
        let count = buffer.fill(Self.greatestLength - buffer.count) { [file] in
            Int(gzread(file, $0.baseAddress, UInt32($0.count)))
        }
        // For a truncated compressed file, gzread returns the available data, then 0 with an error.
        if count < 0 || count == 0 && !endsWell { throw .unreadable(path: path, reason: reason) }
        if count == 0 {
            isAtEnd = true
            buffer.finish()
        }
    }

    private var endsWell: Bool {
        var number: Int32 = 0
        gzerror(file, &number)
        return number == Z_OK || number == Z_STREAM_END
    }

    /// The reason for the last read error, from zlib or, if zlib has none, from the system.
    private var reason: String {
        var number: Int32 = 0
        let text = gzerror(file, &number).map { String(cString: $0) } ?? ""
        if number == Z_ERRNO || text.isEmpty { return ErrorText.of(errno) }
        return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
    }
}

/// One line of a file with its location.
struct Line {
    let path: String
    let number: Int
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        bytes.starts(with: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }

    /// The line without leading whitespace and quote marks of an email or a web page.
    var unquoted: Line {
        Line(path: path, number: number, bytes: bytes.drop { " \t>|".utf8.contains($0) })
    }

    /// The error for a line at which another recording begins.
    var secondRecording: RecordingError {
        error("a second recording begins here; split the file", at: 1)
    }

    func error(_ problem: String, at column: Int) -> RecordingError {
        .malformed(path: path, line: number, column: column, problem: problem)
    }
}

/// Why a recording cannot be read: `FILE:LINE:COLUMN: error: what is wrong`.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened or read; `reason` is the system's error text.
    case unreadable(path: String, reason: String)
    /// A line does not conform to its format; line and column count from 1.
    case malformed(path: String, line: Int, column: Int, problem: String)
    /// The recording has no description of the device, and its events do not reveal one.
    case withoutDescription(path: String)
    /// The file contains neither an event nor a description.
    case notARecording(path: String)
    /// What is kept of the recording takes more than `limit` bytes, reached after `seconds` of it.
    case tooLong(path: String, limit: Int, seconds: Double)
    /// The recording does not contain the requested device; `devices` has the number and name of each that it contains.
    case noSuchDevice(path: String, name: String, devices: [String])

    /// The error as the command line prints it.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path): error: cannot be read: \(reason)"
        case .malformed(let path, let line, let column, let problem):
            "\(path):\(line):\(column): error: \(problem)"
        case .withoutDescription(let path):
            "\(path): error: no device description; if this is a recording, give its description with --description FILE"
        case .notARecording(let path):
            "\(path):1:1: error: not a recording; expected evemu text, the YAML of 'libinput record' or the output of evtest"
        case .tooLong(let path, let limit, let seconds):
            "\(path): error: too long to show: it needs more than \(limit >> 20) MiB of memory (reached after "
                + "\((seconds * 10).rounded() / 10) s); split it into shorter recordings"
        case .noSuchDevice(let path, let name, let devices):
            "\(path): error: no device '\(name)' in this recording; it has \(devices.joined(separator: "; "))"
        }
    }
}
