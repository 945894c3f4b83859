/// Writes JSON (RFC 8259) into memory that is kept, so that a line costs no allocation once the longest was written.
///
/// A caller opens and ends objects and arrays; commas, blanks and indentation follow from that. Pointers instead of an
/// array halve the instructions of a touch's event; they stay in this file.
package struct JSONWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var count = 0, capacity = 256
    /// Of each open object or array, the byte that ends it.
    private var ends: [UInt8] = []
    private let isIndented: Bool
    /// Whether a comma, and whether a line break, belongs before the next value or name.
    private var needsComma = false, isFirst = true

    /// Creates a writer of one line, or of indented lines for people.
    package init(indented: Bool = false) {
        isIndented = indented
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// The number of open objects and arrays.
    private var depth: Int { ends.count }

    /// A copy of the text.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Removes the text and keeps its memory.
    package mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        (count, needsComma, isFirst) = (0, false, true)
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

    /// Begins an object.
    package mutating func beginObject() { begin(UInt8(ascii: "{"), UInt8(ascii: "}")) }

    /// Begins an array.
    package mutating func beginArray() { begin(UInt8(ascii: "["), UInt8(ascii: "]")) }

    /// Ends the innermost object or array.
    package mutating func end() {
        let end = ends.removeLast()
        if isIndented, !isFirst { breakLine() }
        append(end)
        endValue()
    }

    private mutating func begin(_ bracket: UInt8, _ end: UInt8) {
        beginValue()
        append(bracket)
        ends.append(end)
        (needsComma, isFirst) = (false, true)
    }

    /// Writes a member of an object, whose name has no characters that JSON escapes; nothing for nil.
    package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        if value.isAbsent { return }
        self.name(name)
        value.write(to: &self)
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
        append(UInt8(ascii: ":"))
        append(UInt8(ascii: " "))
        needsComma = false
        isFirst = false
    }

    private mutating func beginValue() {
        if needsComma { append(UInt8(ascii: ",")) }
        // A value follows its name on the same line.
        if isIndented, depth > 0, needsComma || isFirst {
            breakLine()
        } else if needsComma {
            append(UInt8(ascii: " "))
        }
    }

    private mutating func endValue() { (needsComma, isFirst) = (true, false) }

    private mutating func breakLine() {
        append(UInt8(ascii: "\n"))
        for _ in 0..<2 * depth { append(UInt8(ascii: " ")) }
    }

    // MARK: Values

    /// Writes a string.
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
            if millionths < 0 { append(UInt8(ascii: "-")) }
            let (whole, fraction) = UInt64(abs(millionths)).quotientAndRemainder(dividingBy: 1_000_000)
            digits(of: whole)
            if fraction > 0 {
                append(UInt8(ascii: "."))
                digits(of: fraction, minimum: 6)
                while start[count - 1] == UInt8(ascii: "0") { count -= 1 }
            }
        } else if number.isFinite {
            let text = number.description
            append(text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
        } else {
            append("null".utf8)
        }
        endValue()
    }

    /// Writes an integer.
    package mutating func write(_ number: Int) {
        beginValue()
        if number < 0 { append(UInt8(ascii: "-")) }
        digits(of: UInt64(number.magnitude))
        endValue()
    }

    /// Writes an integer beyond `Int`.
    package mutating func write(_ number: UInt64) {
        beginValue()
        digits(of: number)
        endValue()
    }

    /// Writes a boolean.
    package mutating func write(_ value: Bool) { write(json: (value ? "true" : "false").utf8) }

    /// Writes null.
    package mutating func writeNull() { write(json: "null".utf8) }

    /// Writes a value that is JSON already. Its line breaks, which are never in a string, become blanks: a message is one
    /// line.
    package mutating func write(json: some Collection<UInt8>) {
        beginValue()
        append(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        endValue()
    }

    /// Ends a line between two texts.
    package mutating func endLine() {
        append(UInt8(ascii: "\n"))
        (needsComma, isFirst) = (false, true)
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        start[count] = byte
        count += 1
    }

    private mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
        if count + more.count > capacity { grow(by: more.count) }
        if let first = more.baseAddress { (start + count).update(from: first, count: more.count) }
        count += more.count
    }

    private mutating func append(_ more: some Collection<UInt8>) {
        if more.withContiguousStorageIfAvailable({ append($0) }) == nil { for byte in more { append(byte) } }
    }

    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// Writes the digits of a number, at least `minimum`.
    private mutating func digits(of number: UInt64, minimum: Int = 1) {
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

    private mutating func quote(_ text: StaticString) {
        append(UInt8(ascii: "\""))
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var start = 0
            for position in 0..<text.count where Self.needsEscape(text[position]) {
                append(UnsafeBufferPointer(rebasing: text[start..<position]))
                escape(text[position])
                start = position + 1
            }
            append(UnsafeBufferPointer(rebasing: text[start...]))
        }
        append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
        case 0..<0x20:
            append((byte < 0x10 ? "u000" : "u00").utf8)
            append(String(byte, radix: 16).utf8)
        default: append(byte)
        }
    }
}
