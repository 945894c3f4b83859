import Glibc

/// Text that is written into memory that is kept, so that it costs no allocation once the longest was written.
///
/// Pointers instead of an array halve the instructions of a touch's event and of its entry in the journal; they stay in
/// this file.
struct TextBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity = 256

    init() { start = .allocate(capacity: capacity) }

    deinit { start.deallocate() }

    /// A copy of the text.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// The text, as long as the closure runs.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whether the text from a position on has a byte.
    func contains(_ byte: UInt8, from position: Int) -> Bool {
        memchr(start + position, Int32(byte), count - position) != nil
    }

    /// Removes the text from a position on, and keeps its memory.
    mutating func remove(from position: Int = 0) { count = position }

    /// Removes the bytes at the end that are the same as this one.
    mutating func removeTrailing(_ byte: UInt8) { while count > 0, start[count - 1] == byte { count -= 1 } }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        start[count] = byte
        count += 1
    }

    mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
        if count + more.count > capacity { grow(by: more.count) }
        if let first = more.baseAddress { (start + count).update(from: first, count: more.count) }
        count += more.count
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ more: some Collection<UInt8>) {
        if more.withContiguousStorageIfAvailable({ append($0) }) == nil { for byte in more { append(byte) } }
    }

    /// Appends the digits of a number, at least `minimum`.
    mutating func append(digits number: UInt64, minimum: Int = 1) {
        if count + 20 > capacity { grow(by: 20) }
        var (rest, length) = (number / 10, 1)
        while rest > 0 || length < minimum {
            rest /= 10
            length += 1
        }
        rest = number
        for place in (count..<count + length).reversed() {
            let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
            start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = tenth
        }
        count += length
    }

    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
