import Basics
import CZlib
import Glibc

/// The bytes of a recording from a file, a pipe or standard input, decompressed if they begin as gzip does.
struct RecordingInput: ~Copyable {
    let path: String
    /// The descriptor, for a loop that waits for a pipe.
    let descriptor: Int32
    /// Whether the last read was at the end.
    private(set) var isAtEnd = false
    /// Where to read next in a file, which several readers may share as standard input; nil for a pipe.
    private var offset: off_t?
    private var inflater: Inflater?
    private var hasBegun = false

    /// Opens a file; `-` is standard input.
    init(path: String) throws(RecordingError) {
        // O_NONBLOCK, because open(2) would wait for the writer of a named pipe.
        let descriptor = path == "-" ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: ErrorText.of(errno)) }
        // Delegates, because Swift 6.2 crashes on a noncopyable value whose initializer throws with a part of it initialized.
        self.init(descriptor, path: path)
    }

    private init(_ descriptor: Int32, path: String) {
        self.path = path
        self.descriptor = descriptor
        let start = lseek(descriptor, 0, SEEK_CUR)
        offset = start < 0 ? nil : start
    }

    deinit { if path != "-" { close(descriptor) } }

    /// Whether it can be read again from the start.
    var isFile: Bool { offset != nil }

    /// Whether a read returns at once; waits for that if asked.
    func isReadable(waits: Bool) -> Bool {
        if let inflater, inflater.hasInput { return true }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, waits ? -1 : 0) > 0
    }

    /// Reads what is there; call it when `isReadable`.
    /// - Returns: The number of bytes, which may be 0 before the end too.
    mutating func read(_ room: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
        if let inflater { return try inflate(inflater, room) }
        let count = try readBytes(room)
        defer { hasBegun = hasBegun || count > 0 }
        // No line of a text begins with the first byte of gzip.
        guard !hasBegun, count > 0, room[0] == Inflater.firstByte else { return count }
        let inflater = Inflater(UnsafeRawBufferPointer(rebasing: room[..<count]))
        self.inflater = inflater
        return try inflate(inflater, room)
    }

    private mutating func inflate(
        _ inflater: Inflater, _ room: UnsafeMutableRawBufferPointer
    ) throws(RecordingError) -> Int {
        if !inflater.hasInput {
            let count = try readBytes(room)
            inflater.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
            if isAtEnd, inflater.isInside { throw .unreadable(path: path, reason: "unexpected end of file") }
        }
        guard let count = inflater.inflate(into: room) else { throw .unreadable(path: path, reason: inflater.failure) }
        if inflater.isOver { isAtEnd = true }
        return count
    }

    private mutating func readBytes(_ room: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
        let count =
            offset.map { pread(descriptor, room.baseAddress, room.count, $0) }
            ?? Glibc.read(descriptor, room.baseAddress, room.count)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return 0 }
            throw .unreadable(path: path, reason: ErrorText.of(errno))
        }
        offset? += off_t(count)
        isAtEnd = count == 0
        return count
    }
}

/// zlib's decompressor for the members of a gzip file.
private final class Inflater {
    /// The first byte of a member.
    static let firstByte: UInt8 = 0x1f

    /// Whether input is left.
    var hasInput: Bool { !input.isEmpty }
    /// Whether a member has begun and not ended.
    private(set) var isInside = true
    /// Whether the last member has ended; what follows it is ignored, as gzip does.
    private(set) var isOver = false
    private var input: [UInt8]
    // zlib requires that it does not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init(_ input: UnsafeRawBufferPointer) {
        self.input = Array(input)
        stream.initialize(to: z_stream())
        // The largest window, and 16 for gzip. Fails only without memory, as the next call then does.
        inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The reason of the last failure.
    var failure: String { stream.pointee.msg.map { String(cString: $0) } ?? "compressed data error" }

    func take(_ bytes: UnsafeRawBufferPointer) { input += bytes }

    /// Returns the number of bytes written, or nil on failure.
    func inflate(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard hasInput else { return 0 }
        if !isInside {
            isOver = input[0] != Self.firstByte
            if isOver { return 0 }
            inflateReset(stream)
            isInside = true
        }
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room.count)
        let (result, used) = input.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress
            stream.pointee.avail_in = UInt32(bytes.count)
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            return (result, bytes.count - Int(stream.pointee.avail_in))
        }
        input.removeFirst(used)
        guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(result) else { return nil }
        isInside = result != Z_STREAM_END
        return room.count - Int(stream.pointee.avail_out)
    }
}
