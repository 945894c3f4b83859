import Evdev
import CZlib
import Glibc

/// Reads a file, optionally compressed by gzip, line by line in constant memory.
struct LineReader: ~Copyable {
    /// The maximum length of a line, in bytes; the longest real ones have a few hundred.
    static let greatestLength = 65_536

    let path: String
    /// The number of the last line read, from 1.
    private(set) var lineNumber = 0
    private let file: gzFile
    private var buffer = [UInt8](repeating: 0, count: greatestLength)
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    init(path: String) throws(RecordingError) {
        self.path = path
        // zlib also reads uncompressed files; "e" is O_CLOEXEC.
        guard let file = gzopen(path, "rbe") else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        self.file = file
    }

    deinit { gzclose(file) }

    /// Calls `body` with the next line without its terminator (`\n` or `\r\n`); returns nil at the end of the file.
    mutating func next<Result>(
        _ body: (Line) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result? {
        while true {
            if let newline = buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) {
                let line = start..<newline
                start = newline + 1
                return try parse(line, body)
            }
            if isAtEnd {
                if start == end { return nil }
                let line = start..<end
                start = end
                return try parse(line, body)
            }
            try fill()
        }
    }

    private mutating func parse<Result>(
        _ range: Range<Int>, _ body: (Line) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result {
        lineNumber += 1
        let endsInReturn = !range.isEmpty && buffer[range.upperBound - 1] == UInt8(ascii: "\r")
        let bytes = buffer[range.lowerBound..<(endsInReturn ? range.upperBound - 1 : range.upperBound)]
        return try body(Line(path: path, number: lineNumber, bytes: bytes))
    }

    private mutating func fill() throws(RecordingError) {
        if start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
            end -= start
            start = 0
        }
        if end == buffer.count {
            throw .malformed(
                path: path, line: lineNumber + 1, column: end + 1, problem: "the line is too long for a recording")
        }
        let count = buffer.withUnsafeMutableBytes { bytes in
            gzread(file, bytes.baseAddress?.advanced(by: end), UInt32(bytes.count - end))
        }
        // For a truncated compressed file, gzread returns the available data, then 0 with an error.
        if count < 0 || count == 0 && !endsWell { throw .unreadable(path: path, reason: reason) }
        if count == 0 { isAtEnd = true }
        end += Int(count)
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
        if number == Z_ERRNO || text.isEmpty { return String(cString: strerror(errno)) }
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
