import Glibc

/// A file or standard input, read in pieces with constant memory.
struct ByteStream: ~Copyable {
    /// The maximum size of a field in bytes; journald refuses larger ones from programs that log to it.
    static let greatestField = 1 << 20

    let path: String
    private let descriptor: Int32
    private let isOwner: Bool
    private var buffer: [UInt8] = []
    private var start = 0

    /// Opens a file; `-` is standard input.
    init(path: String) throws(JournalError) {
        self.path = path
        isOwner = path != "-"
        descriptor = isOwner ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit { if isOwner { close(descriptor) } }

    /// The next byte without consuming it; nil at the end.
    mutating func peek() throws(JournalError) -> UInt8? {
        if start == buffer.count { _ = try fill() }
        return start < buffer.count ? buffer[start] : nil
    }

    /// The bytes up to the next newline, without it; nil at the end. Lines longer than `greatestField` are skipped.
    mutating func line() throws(JournalError) -> ArraySlice<UInt8>? {
        var searched = start
        var isTooLong = false
        while true {
            if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<newline]
                start = newline + 1
                if !isTooLong { return line }
                isTooLong = false
                searched = start
                continue
            }
            if buffer.count - start > Self.greatestField {
                isTooLong = true
                start = buffer.count
            }
            let length = buffer.count - start
            guard try fill() else {
                let rest = buffer[start...]
                start = buffer.count
                return rest.isEmpty || isTooLong ? nil : rest
            }
            searched = start + length
        }
    }

    /// The next `count` bytes; nil if fewer are left.
    mutating func bytes(_ count: Int) throws(JournalError) -> ArraySlice<UInt8>? {
        while buffer.count - start < count {
            guard try fill() else { return nil }
        }
        defer { start += count }
        return buffer[start..<start + count]
    }

    private mutating func fill() throws(JournalError) -> Bool {
        buffer.removeSubrange(0..<start)
        start = 0
        let old = buffer.count
        let piece = 1 << 16
        buffer.append(contentsOf: repeatElement(0, count: piece))
        let count = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress?.advanced(by: old), piece)
        }
        buffer.removeSubrange((old + max(0, count))...)
        guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        return count > 0
    }
}
