/// Splits the bytes of a socket, a pipe or a file into lines.
package struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The index of the first newline, if found.
    private var newline: Int?
    /// The index before which there is no newline.
    private var searched = 0

    /// Creates an empty buffer.
    package init() {}

    /// The number of buffered bytes.
    package var count: Int { bytes.count - start }

    /// The first buffered byte.
    package var first: UInt8? { count > 0 ? bytes[start] : nil }

    /// Whether a complete line is buffered.
    package var hasLine: Bool { newline != nil }

    /// Reads once.
    ///
    /// - Parameters:
    ///   - size: The maximum number of bytes.
    ///   - read: As read(2); its result is returned.
    package mutating func fill(_ size: Int, read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        var result = 0
        bytes += [UInt8](unsafeUninitializedCapacity: size) { piece, count in
            result = read(UnsafeMutableRawBufferPointer(start: piece.baseAddress, count: size))
            count = max(result, 0)
        }
        search()
        return result
    }

    /// Ends the last line, which may lack its newline at the end of a stream.
    package mutating func finish() {
        guard count > 0, bytes.last != UInt8(ascii: "\n") else { return }
        bytes.append(UInt8(ascii: "\n"))
        search()
    }

    /// Takes the first line, without its newline.
    ///
    /// - Parameter limit: A longer line is split after this number of bytes.
    package mutating func nextLine(limit: Int = .max) -> ArraySlice<UInt8>? {
        guard let end = newline, end - start < limit else { return count >= limit ? take(limit) : nil }
        let line = bytes[start..<end]
        skip(end + 1 - start)
        return line
    }

    /// Takes the first bytes; nil if fewer are buffered.
    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= self.count else { return nil }
        let piece = bytes[start..<start + count]
        skip(count)
        return piece
    }

    /// Removes the first bytes.
    package mutating func skip(_ count: Int) {
        start += count
        searched = max(searched, start)
        if let end = newline, end < start {
            newline = nil
            search()
        }
        if newline == nil {
            bytes.removeSubrange(..<start)
            (start, searched) = (0, bytes.count)
        }
    }

    private mutating func search() {
        guard newline == nil else { return }
        newline = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
        searched = newline ?? bytes.count
    }
}

extension Unicode.Scalar {
    /// Whether it may end a line, or control a terminal.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
