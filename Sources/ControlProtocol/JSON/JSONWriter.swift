import Glibc

/// Writes JSON (RFC 8259) into memory that is kept, so that a line costs no allocation once the longest was written.
///
/// A caller opens and ends objects and arrays; commas, blanks and indentation follow from that.
package struct JSONWriter: ~Copyable {
    private var text = TextBuffer()
    /// Of each open object or array, the byte that ends it.
    private var ends: [UInt8] = []
    private let isIndented: Bool
    /// Whether a comma, and whether a line break, belongs before the next value or name.
    private var needsComma = false, isFirst = true

    /// Creates a writer of one line, or of indented lines for people.
    package init(indented: Bool = false) { isIndented = indented }

    /// The number of open objects and arrays.
    private var depth: Int { ends.count }

    /// A copy of the text.
    package var bytes: [UInt8] { text.bytes }

    /// Removes the text and keeps its memory.
    package mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        text.remove()
        (needsComma, isFirst) = (false, true)
    }

    /// The text of one object in one line.
    package static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.end()
        return writer.bytes
    }

    // MARK: Objects and arrays

    package mutating func beginObject() { begin(UInt8(ascii: "{"), UInt8(ascii: "}")) }

    package mutating func beginArray() { begin(UInt8(ascii: "["), UInt8(ascii: "]")) }

    /// Ends the innermost object or array.
    package mutating func end() {
        let end = ends.removeLast()
        if isIndented, !isFirst { breakLine() }
        text.append(end)
        endValue()
    }

    private mutating func begin(_ bracket: UInt8, _ end: UInt8) {
        beginValue()
        text.append(bracket)
        ends.append(end)
        (needsComma, isFirst) = (false, true)
    }

    /// Writes the name of the next value in an object, a name without characters that JSON escapes.
    package mutating func name(_ name: StaticString) {
        beginValue()
        quote(name)
        endName()
    }

    /// Writes the name of the next value in an object.
    package mutating func name(_ name: String) {
        beginValue()
        quote(name)
        endName()
    }

    private mutating func endName() {
        text.append(UInt8(ascii: ":"))
        text.append(UInt8(ascii: " "))
        needsComma = false
        isFirst = false
    }

    private mutating func beginValue() {
        if needsComma { text.append(UInt8(ascii: ",")) }
        // A value follows its name on the same line.
        if isIndented, depth > 0, needsComma || isFirst {
            breakLine()
        } else if needsComma {
            text.append(UInt8(ascii: " "))
        }
    }

    private mutating func endValue() { (needsComma, isFirst) = (true, false) }

    private mutating func breakLine() {
        text.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * depth { text.append(UInt8(ascii: " ")) }
    }

    // MARK: Values

    package mutating func write(_ text: String) {
        beginValue()
        quote(text)
        endValue()
    }

    /// Writes a string without characters that JSON escapes.
    package mutating func write(text: StaticString) {
        beginValue()
        quote(text)
        endValue()
    }

    /// Writes the shortest number that reads back as the same value; null for infinity and NaN, which JSON does not have.
    package mutating func write(_ number: Double) {
        beginValue()
        // Measures and times: hundredths of points, microseconds of the kernel. A decimal number of at most 15 digits is
        // the only one of its length that reads back as its nearest value.
        let millionths = (number * 1e6).rounded()
        if abs(millionths) < 1e15, millionths / 1e6 == number {
            if millionths < 0 { text.append(UInt8(ascii: "-")) }
            let (whole, fraction) = UInt64(abs(millionths)).quotientAndRemainder(dividingBy: 1_000_000)
            text.append(digits: whole)
            if fraction > 0 {
                text.append(UInt8(ascii: "."))
                text.append(digits: fraction, minimum: 6)
                text.removeTrailing(UInt8(ascii: "0"))
            }
        } else if number.isFinite {
            let digits = number.description
            text.append(digits.hasSuffix(".0") ? digits.dropLast(2).utf8 : digits[...].utf8)
        } else {
            text.append("null".utf8)
        }
        endValue()
    }

    package mutating func write(_ number: Int) {
        beginValue()
        if number < 0 { text.append(UInt8(ascii: "-")) }
        text.append(digits: UInt64(number.magnitude))
        endValue()
    }

    /// Writes an integer beyond `Int`.
    package mutating func write(_ number: UInt64) {
        beginValue()
        text.append(digits: number)
        endValue()
    }

    package mutating func write(_ value: Bool) { write(json: (value ? "true" : "false").utf8) }

    package mutating func writeNull() { write(json: "null".utf8) }

    /// Writes a value that is JSON already. Its line breaks, which are never in a string, become blanks: a message is one
    /// line.
    package mutating func write(json: some Collection<UInt8>) {
        beginValue()
        text.append(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        endValue()
    }

    /// Ends a line between two texts.
    package mutating func endLine() {
        text.append(UInt8(ascii: "\n"))
        (needsComma, isFirst) = (false, true)
    }

    // MARK: Texts

    private mutating func quote(_ string: StaticString) {
        text.append(UInt8(ascii: "\""))
        text.append(string)
        text.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ string: String) {
        text.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { string in
            var start = 0
            for position in 0..<string.count where Self.needsEscape(string[position]) {
                text.append(UnsafeBufferPointer(rebasing: string[start..<position]))
                escape(string[position])
                start = position + 1
            }
            text.append(UnsafeBufferPointer(rebasing: string[start...]))
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        text.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): text.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): text.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): text.append(UInt8(ascii: "t"))
        case 0..<0x20:
            text.append((byte < 0x10 ? "u000" : "u00").utf8)
            text.append(String(byte, radix: 16).utf8)
        default: text.append(byte)
        }
    }
}

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
