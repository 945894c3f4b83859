/// Writes JSON (RFC 8259) into bytes that are kept, so that a line costs no allocation once the longest was written.
///
/// A caller opens and ends objects and arrays; commas, blanks and indentation follow from that.
package struct JSONWriter: Sendable {
    /// The text.
    package private(set) var bytes: [UInt8] = []
    /// The number of open objects and arrays.
    package private(set) var depth = 0
    private let isIndented: Bool
    /// One bit for each open object or array, the innermost in the lowest: whether it is an array.
    private var arrays: UInt64 = 0
    /// Whether a comma, and whether a line break, belongs before the next value or name.
    private var needsComma = false, isFirst = true

    /// Creates a writer of one line, or of indented lines for people.
    package init(indented: Bool = false) { isIndented = indented }

    /// Removes the text and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (depth, arrays, needsComma, isFirst) = (0, 0, false, true)
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
    package mutating func beginObject() { begin(UInt8(ascii: "{"), isArray: 0) }

    /// Begins an array.
    package mutating func beginArray() { begin(UInt8(ascii: "["), isArray: 1) }

    /// Ends the innermost object or array.
    package mutating func end() {
        let isArray = arrays & 1 == 1
        arrays >>= 1
        depth -= 1
        if isIndented, !isFirst { breakLine() }
        bytes.append(UInt8(ascii: isArray ? "]" : "}"))
        endValue()
    }

    /// Ends objects and arrays until so many are open.
    package mutating func end(to depth: Int) { while self.depth > depth { end() } }

    private mutating func begin(_ bracket: UInt8, isArray: UInt64) {
        precondition(depth < 64, "JSON is nested too deeply")
        beginValue()
        bytes.append(bracket)
        depth += 1
        arrays = arrays << 1 | isArray
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
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        needsComma = false
        isFirst = false
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        // A value follows its name on the same line.
        if isIndented, depth > 0, needsComma || isFirst {
            breakLine()
        } else if needsComma {
            bytes.append(UInt8(ascii: " "))
        }
    }

    private mutating func endValue() { (needsComma, isFirst) = (true, false) }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * depth { bytes.append(UInt8(ascii: " ")) }
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
            if millionths < 0 { bytes.append(UInt8(ascii: "-")) }
            let (whole, fraction) = UInt64(abs(millionths)).quotientAndRemainder(dividingBy: 1_000_000)
            digits(of: whole)
            if fraction > 0 {
                bytes.append(UInt8(ascii: "."))
                digits(of: fraction, count: 6)
                while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
            }
        } else if number.isFinite {
            let text = number.description
            bytes.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
        endValue()
    }

    /// Writes an integer.
    package mutating func write(_ number: Int) {
        beginValue()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
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

    /// Writes a value that is JSON already, unchanged.
    package mutating func write(json: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
        endValue()
    }

    /// Ends a line between two texts.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        (needsComma, isFirst) = (false, true)
    }

    // MARK: Bytes

    private mutating func digits(of number: UInt64, count: Int = 1) {
        var (divisor, digits): (UInt64, Int) = (1, 1)
        while digits < count || number / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    private mutating func quote(_ text: StaticString) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var start = 0
            for (position, byte) in text.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[start..<position])
                escape(byte)
                start = position + 1
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}

/// A value that has a form in JSON.
package protocol JSONWritable {
    /// Writes the value.
    func write(to writer: inout JSONWriter)
    /// Whether an object has no member for the value.
    var isAbsent: Bool { get }
}

extension JSONWritable {
    package var isAbsent: Bool { false }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.end()
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.writeNull() }
    }

    package var isAbsent: Bool { if case nil = self { true } else { false } }
}

extension JSONTree: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.write(json: json) }
}
