import EventLoop

/// Reads a file, a pipe or standard input, optionally compressed by gzip, line by line in constant memory.
struct LineReader: ~Copyable {
    /// The maximum length of a line, in bytes; the longest real ones have a few hundred.
    static let greatestLength = 65_536

    /// What editors on Windows write at the start of a file in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Whether `next` waits for what a pipe has not delivered yet.
    var waits = true
    /// Whether the last `next` returned nil although the end is not reached, because it does not wait.
    private(set) var isWaiting = false
    /// The number of the last line read, from 1.
    private(set) var lineNumber = 0
    private var input: RecordingInput
    private var buffer = LineBuffer()

    /// Opens a file; `-` is standard input.
    init(path: String) throws(RecordingError) { self.init(try RecordingInput(path: path)) }

    private init(_ input: consuming RecordingInput) { self.input = input }

    var path: String { input.path }
    /// Whether it can be opened again and read from the start.
    var isFile: Bool { input.isFile }
    /// The descriptor, for a loop that waits for a pipe.
    var descriptor: Int32 { input.descriptor }

    /// Calls `body` with the next line without its terminator (`\n` or `\r\n`); returns nil at the end of the file, and
    /// while it `isWaiting`.
    mutating func next<Result>(
        _ body: (RecordingLine) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result? {
        isWaiting = false
        while true {
            if var line = buffer.nextLine() {
                lineNumber += 1
                if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
                if lineNumber == 1, line.starts(with: Self.byteOrderMark) { line = line.dropFirst(3) }
                return try body(RecordingLine(path: path, number: lineNumber, bytes: line))
            }
            if input.isAtEnd { return nil }
            if input.isReadable(waits: waits) {
                try fill()
            } else if !waits {
                isWaiting = true
                return nil
            }
        }
    }

    private mutating func fill() throws(RecordingError) {
        if buffer.count == Self.greatestLength {
            throw .malformed(
                path: path, line: lineNumber + 1, column: buffer.count + 1,
                problem: "the line is too long for a recording")
        }
        var failure: RecordingError?
        _ = buffer.fill(Self.greatestLength - buffer.count) { room in
            do throws(RecordingError) { return try input.read(room) } catch { failure = error }
            return 0
        }
        if let failure { throw failure }
        if input.isAtEnd { buffer.finish() }
    }
}
