/// One line of a file with its location.
struct RecordingLine {
    let path: String
    let number: Int
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        bytes.starts(with: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }

    /// The line without leading whitespace and quote marks of an email or a web page.
    var unquoted: RecordingLine {
        RecordingLine(path: path, number: number, bytes: bytes.drop { Self.quoteMarks.contains($0) })
    }

    /// Whether the quote marks of the line include `#`.
    var isComment: Bool { bytes.prefix { Self.quoteMarks.contains($0) }.contains(UInt8(ascii: "#")) }

    private static let quoteMarks = " \t>|#".utf8

    /// The error for a line at which another recording begins.
    var secondRecording: RecordingError {
        error("a second recording begins here; split the file", at: 1)
    }

    func error(_ problem: String, at column: Int) -> RecordingError {
        .malformed(path: path, line: number, column: column, problem: problem)
    }
}
