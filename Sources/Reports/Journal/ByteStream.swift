import EventLoop
import Glibc

/// A file or standard input, read in pieces with constant memory.
struct ByteStream: ~Copyable {
    /// The maximum size of a field in bytes; journald refuses larger ones from programs that log to it.
    static let greatestField = 1 << 20

    let path: String
    private let descriptor: Int32
    private let isOwner: Bool
    private var buffer = LineBuffer()

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
        if buffer.count == 0 { _ = try fill() }
        return buffer.first
    }

    /// The bytes up to the next newline, without it; nil at the end. Lines longer than `greatestField` are skipped.
    mutating func line() throws(JournalError) -> ArraySlice<UInt8>? {
        var isTooLong = false
        while true {
            if let line = buffer.nextLine() {
                if !isTooLong { return line }
                isTooLong = false
                continue
            }
            if buffer.count > Self.greatestField {
                isTooLong = true
                buffer.skip(buffer.count)
            }
            if try fill() { continue }
            if isTooLong { buffer.skip(buffer.count) }
            buffer.finish()
            if !buffer.hasLine { return nil }
        }
    }

    /// The next `count` bytes; nil if fewer are left.
    mutating func bytes(_ count: Int) throws(JournalError) -> ArraySlice<UInt8>? {
        while buffer.count < count {
            guard try fill() else { return nil }
        }
        return buffer.take(count)
    }

    private mutating func fill() throws(JournalError) -> Bool {
        let count = buffer.fill(1 << 16) { [descriptor] in read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        return count > 0
    }
}
