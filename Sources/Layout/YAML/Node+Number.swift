import Glibc

nonisolated extension Node {
    /// The number of an unquoted text in YAML 1.2's core schema, without octal and hexadecimal numbers; nil for any
    /// other text and for infinity.
    var number: Double? {
        guard kind == .plain else { return nil }
        return tree.withBytes(of: index) { Self.number($0[...]) }
    }

    /// The number before a percent sign, quoted or not.
    var percentage: Double? {
        guard isScalar else { return nil }
        return tree.withBytes(of: index) { $0.last == UInt8(ascii: "%") ? Self.number($0.dropLast()) : nil }
    }

    private static func number(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        if let value = shortNumber(bytes) { return value }
        // No real number is longer, and aliases could make a long one be parsed a million times.
        guard bytes.count <= 64, isDecimal(bytes), let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else {
            return nil
        }
        // A NUL, a '%' or what follows a number in JSON stops strtod.
        let value = start.withMemoryRebound(to: CChar.self, capacity: bytes.count + 1) { strtod($0, nil) }
        return value.isFinite ? value : nil
    }

    /// A number of at most 15 digits without an exponent: both numbers of the division are exact, so that the result is
    /// the nearest number, like that of strtod. Nil for any other text.
    private static func shortNumber(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard bytes.count <= 17 else { return nil }
        var (digits, value, divisor) = (0, 0, 1)
        var (isNegative, hasPoint) = (false, false)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                guard digits <= 15 else { return nil }
                value = 10 * value + Int(byte - UInt8(ascii: "0"))
                if hasPoint { divisor *= 10 }
            case UInt8(ascii: "."):
                guard !hasPoint else { return nil }
                hasPoint = true
            case UInt8(ascii: "-"):
                guard place == 0 else { return nil }
                isNegative = true
            default: return nil
            }
        }
        guard digits > 0 else { return nil }
        return (isNegative ? -1 : 1) * Double(value) / Double(divisor)
    }

    /// `[-+]? (digits (. digits?)? | . digits) ([eE] [-+]? digits)?`
    private static func isDecimal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = bytes
        func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
        func consumeDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        if isSign(rest.first) { rest = rest.dropFirst() }
        var digits = consumeDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += consumeDigits()
        }
        guard digits > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if isSign(rest.first) { rest = rest.dropFirst() }
            guard consumeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
