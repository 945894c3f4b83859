import Evdev
import CZlib
import Glibc

/// Reads a file, compressed by gzip or not, line by line in constant memory.
struct LineReader: ~Copyable {
    /// A line longer than this belongs to no recording (the longest real ones have a few hundred characters).
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
        // zlib reads a file that is not compressed as it is; "e" is O_CLOEXEC.
        guard let file = gzopen(path, "rbe") else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        self.file = file
    }

    deinit { gzclose(file) }

    /// Gives the bytes of the next line without its end (`\n` or `\r\n`) to `body`; nil at the end of the file.
    mutating func next<Result>(
        _ body: (Line) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result? {
        while true {
            if let newline = buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) {
                let line = start..<newline
                start = newline + 1
                return try give(line, body)
            }
            if isAtEnd {
                if start == end { return nil }
                let line = start..<end
                start = end
                return try give(line, body)
            }
            try fill()
        }
    }

    private mutating func give<Result>(
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
                path: path, line: lineNumber + 1, column: end + 1, problem: "no recording has lines as long as this")
        }
        let count = buffer.withUnsafeMutableBytes { bytes in
            gzread(file, bytes.baseAddress?.advanced(by: end), UInt32(bytes.count - end))
        }
        // A compressed file that was cut off gives what it has, then nothing and an error.
        if count < 0 || count == 0 && !endsWell { throw .unreadable(path: path, reason: reason) }
        if count == 0 { isAtEnd = true }
        end += Int(count)
    }

    private var endsWell: Bool {
        var number: Int32 = 0
        gzerror(file, &number)
        return number == Z_OK || number == Z_STREAM_END
    }

    /// Why the last read failed, in zlib's words or, where it has none, the system's.
    private var reason: String {
        var number: Int32 = 0
        let text = gzerror(file, &number).map { String(cString: $0) } ?? ""
        if number == Z_ERRNO || text.isEmpty { return String(cString: strerror(errno)) }
        return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
    }
}

/// One line of a file, and where it stands.
struct Line {
    let path: String
    let number: Int
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        bytes.starts(with: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }

    /// The line without the blanks and marks that a mail or a web page puts before a quoted line.
    var unquoted: Line {
        Line(path: path, number: number, bytes: bytes.drop { " \t>|".utf8.contains($0) })
    }

    /// The error for a line with which another recording begins.
    var secondRecording: RecordingError {
        error("a second recording begins here; split the file", at: 1)
    }

    func error(_ problem: String, at column: Int) -> RecordingError {
        .malformed(path: path, line: number, column: column, problem: problem)
    }
}
