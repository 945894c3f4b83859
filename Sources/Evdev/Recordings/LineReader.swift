import Basics
import CZlib
import EventLoop
import Glibc

/// Reads a file, optionally compressed by gzip, line by line in constant memory.
struct LineReader: ~Copyable {
    /// The maximum length of a line, in bytes; the longest real ones have a few hundred.
    static let greatestLength = 65_536

    /// What editors on Windows write at the start of a file in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

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
        _ body: (RecordingLine) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result? {
        while true {
            if var line = buffer.nextLine() {
                lineNumber += 1
                if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
                if lineNumber == 1, line.starts(with: Self.byteOrderMark) { line = line.dropFirst(3) }
                return try body(RecordingLine(path: path, number: lineNumber, bytes: line))
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
