import CZlib

/// Scans a line from left to right.
struct LineScanner {
    private let line: RecordingLine
    private var rest: ArraySlice<UInt8>

    init(_ line: RecordingLine, after count: Int = 0) {
        self.line = line
        rest = line.bytes.dropFirst(count)
    }

    /// The current column, from 1.
    var column: Int { rest.startIndex - line.bytes.startIndex + 1 }
    var isAtEnd: Bool { rest.isEmpty }

    func error(_ problem: String) -> RecordingError { line.error(problem, at: column) }

    mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// Consumes a character if it is next.
    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func expect(_ character: Unicode.Scalar, in what: String) throws(RecordingError) {
        if !consume(character) { throw error("expected '\(character)' in \(what)") }
    }

    /// Moves past the next occurrence of a text; returns false without moving if it does not occur.
    mutating func skip(past text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var candidate = rest
        while candidate.count >= bytes.count {
            if candidate.starts(with: bytes) {
                rest = candidate.dropFirst(bytes.count)
                return true
            }
            candidate = candidate.dropFirst()
        }
        return false
    }

    /// Consumes an integer in base 10 or 16, after optional whitespace.
    mutating func integer<Value: FixedWidthInteger>(
        base: Value = 10, _ what: String
    ) throws(RecordingError) -> Value {
        skipBlanks()
        let start = self
        let isNegative = Value.isSigned && consume("-")
        var value: Value = 0
        var digits = 0
        while let digit = rest.first.flatMap({ Self.digit($0, base: base) }) {
            rest = rest.dropFirst()
            digits += 1
            let (product, overflow) = value.multipliedReportingOverflow(by: base)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || carry { throw start.error("\(what) is too large") }
            value = sum
        }
        if digits == 0 { throw start.error("expected \(what)") }
        return value
    }

    private static func digit<Value: FixedWidthInteger>(_ byte: UInt8, base: Value) -> Value? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Value(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where base == 16: Value(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F") where base == 16: Value(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The microseconds of a decimal fraction with any number of digits: `.5` is half a second.
    mutating func microseconds() throws(RecordingError) -> Int64 {
        var value: Int64 = 0
        var unit: Int64 = 100_000
        let start = self
        while let digit = rest.first.flatMap({ Self.digit($0, base: Int64(10)) }) {
            rest = rest.dropFirst()
            value += digit * unit
            unit /= 10
        }
        if unit == 100_000 { throw start.error("expected the fraction of a second") }
        return value
    }

    /// Consumes seconds with a fraction, `12.345678`.
    mutating func time() throws(RecordingError) -> InputTimestamp {
        let start = self
        let seconds: Int64 = try integer("the time in seconds")
        try expect(".", in: "the time")
        return try start.time(seconds: seconds, microseconds: microseconds())
    }

    /// The time in microseconds; throws on overflow.
    func time(seconds: Int64, microseconds: Int64) throws(RecordingError) -> InputTimestamp {
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (total, carry) = scaled.addingReportingOverflow(microseconds)
        if overflow || carry { throw error("the time is too large") }
        return InputTimestamp(microseconds: total)
    }

    /// As `time(seconds:microseconds:)`, but for a time before 0 that was written modulo 2⁶⁴ microseconds.
    func wrappedTime(seconds: Int64, microseconds: Int64) throws(RecordingError) -> InputTimestamp {
        let wrapped = seconds &* 1_000_000 &+ microseconds
        // 2⁶⁴ microseconds are 18,446,744,073,709 s; recordings begin at most a day before their first event.
        guard (18_446_743_987_309...18_446_744_073_709).contains(seconds), wrapped < 0 else {
            return try time(seconds: seconds, microseconds: microseconds)
        }
        return InputTimestamp(microseconds: wrapped)
    }

    /// The rest of the line without surrounding whitespace.
    var remainder: String {
        var bytes = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            bytes = bytes.dropLast()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
