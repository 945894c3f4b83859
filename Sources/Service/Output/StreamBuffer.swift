/// Bytes on their way to a stream whose reader may not be reading: in order, and bounded.
///
/// Messages are taken whole or not at all. One that finds no room is dropped, and so is all that follows until half of what
/// waits has gone: then a notice takes the place of what is missing, with its number.
nonisolated struct StreamBuffer {
    /// How many bytes may wait; a message longer than that is taken if nothing else waits.
    let capacity: Int
    /// How many messages were dropped, all in all.
    private(set) var droppedInAll = 0

    private var bytes: [UInt8] = []
    private var start = 0
    private var missing = 0
    private let notice: (Int) -> [UInt8]

    /// Makes an empty buffer; `notice` is the message that says how many are missing where it stands.
    init(capacity: Int, notice: @escaping (Int) -> [UInt8]) {
        self.capacity = capacity
        self.notice = notice
    }

    /// How many bytes wait.
    var count: Int { bytes.count - start }

    /// Whether nothing waits.
    var isEmpty: Bool { count == 0 }

    /// Puts a message at the end; answers false if it was dropped.
    @discardableResult
    mutating func append(_ message: some Collection<UInt8>) -> Bool {
        guard missing == 0, isEmpty || count + message.count <= capacity else {
            missing += 1
            droppedInAll += 1
            return false
        }
        bytes.append(contentsOf: message)
        return true
    }

    /// Puts a message at the end whatever its size, for what must not be dropped and is bounded otherwise.
    mutating func appendAlways(_ message: some Collection<UInt8>) { bytes.append(contentsOf: message) }

    /// Hands what waits to a writer, which answers how many bytes of it are gone; until it answers none, or all are gone.
    mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        while !isEmpty {
            let from = start
            let written = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[from...])) }
            guard written > 0 else { break }
            start += written
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

    /// Forgets what waits.
    mutating func removeAll() {
        bytes = []
        start = 0
    }
}
