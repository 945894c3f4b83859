/// A bounded, ordered buffer of bytes for a stream whose reader may be slow.
///
/// Messages are stored whole or dropped. After a drop, messages are dropped until half of the capacity is free. Then a
/// notice with their number replaces them.
package nonisolated struct StreamBuffer {
    /// The maximum number of buffered bytes; a longer message is stored if the buffer is empty.
    let capacity: Int
    package private(set) var droppedInAll = 0

    private var bytes: [UInt8] = []
    private var start = 0
    private var missing = 0
    /// Whether the last byte that was written did not end a line.
    private var isCut = false
    private let notice: (Int) -> [UInt8]

    /// Creates an empty buffer. `notice` returns the message that replaces the given number of dropped messages.
    package init(capacity: Int, notice: @escaping (Int) -> [UInt8]) {
        self.capacity = capacity
        self.notice = notice
    }

    package var count: Int { bytes.count - start }

    package var isEmpty: Bool { count == 0 }

    /// Appends a message; returns false if it was dropped.
    @discardableResult
    package mutating func append(_ message: [UInt8]) -> Bool {
        guard missing == 0, isEmpty || count + message.count <= capacity else {
            missing += 1
            droppedInAll += 1
            return false
        }
        bytes.append(contentsOf: message)
        return true
    }

    /// Appends a message of any size; for messages that must not be dropped and are bounded elsewhere.
    package mutating func appendAlways(_ message: [UInt8]) { bytes.append(contentsOf: message) }

    /// Passes the buffered bytes to a writer, which returns how many it wrote; repeats until it returns 0 or the buffer
    /// is empty.
    package mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        while !isEmpty {
            let from = start
            let written = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[from...])) }
            guard written > 0 else { break }
            start += written
            isCut = bytes[start - 1] != UInt8(ascii: "\n")
            if missing > 0, count <= capacity / 2 {
                bytes.append(contentsOf: notice(missing))
                missing = 0
            }
        }
        if isEmpty {
            bytes.removeAll(keepingCapacity: bytes.count <= 64 * 1024)
            start = 0
        } else if start > bytes.count / 2 {
            bytes.removeSubrange(..<start)
            start = 0
        }
    }

    /// Removes the lines that are not written. Returns the number of these and of the dropped ones without a notice, all for
    /// the caller to count, and whether the first of them was begun.
    mutating func removeLines() -> (count: Int, isCut: Bool) {
        let count = bytes[start...].count { $0 == UInt8(ascii: "\n") } + missing
        droppedInAll -= missing
        missing = 0
        removeAll()
        return (count, isCut)
    }

    package mutating func removeAll() {
        bytes = []
        start = 0
    }
}
