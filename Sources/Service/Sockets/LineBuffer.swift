import Foundation

/// Splits the bytes that a client sends into lines.
struct LineBuffer {
    /// The result of a read.
    enum Outcome {
        case nothing, some, end, failed
    }

    private static let piece = 16 * 1024
    private var bytes: [UInt8] = []
    private var start = 0
    /// The index of the first newline, if found.
    private var newline: Int?
    /// The index before which there is no newline.
    private var searched = 0

    /// The number of buffered bytes.
    var count: Int { bytes.count - start }

    /// Whether a complete line is buffered.
    var hasLine: Bool { newline != nil }

    /// Reads available bytes once, at most one piece.
    mutating func fill(from descriptor: Int32) -> Outcome {
        let before = bytes.count
        var got = 0
        bytes.append(contentsOf: repeatElement(0, count: Self.piece))
        bytes.withUnsafeMutableBytes { got = recv(descriptor, $0.baseAddress?.advanced(by: before), Self.piece, 0) }
        let failure = errno
        bytes.removeLast(Self.piece - max(got, 0))
        if got < 0 { return failure == EAGAIN || failure == EINTR ? .nothing : .failed }
        // The last line may lack its newline.
        if got == 0, count > 0, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        search()
        return got == 0 ? .end : .some
    }

    /// Takes the first line, without its newline.
    mutating func nextLine() -> ArraySlice<UInt8>? {
        guard let end = newline else { return nil }
        let line = bytes[start..<end]
        start = end + 1
        searched = start
        newline = nil
        search()
        if newline == nil {
            bytes.removeSubrange(..<start)
            (start, searched) = (0, bytes.count)
        }
        return line
    }

    private mutating func search() {
        guard newline == nil else { return }
        newline = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
        searched = newline ?? bytes.count
    }
}
