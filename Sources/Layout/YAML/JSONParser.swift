import Foundation

/// Builds a `YAMLTree` from a JSON text (RFC 8259), which is also YAML 1.2.
///
/// Programs write JSON, whose escaped surrogate pairs libyaml rejects; and a text of 2,000 views is parsed in a
/// fraction of libyaml's time, on the thread that delivers touches.
nonisolated struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let tree: YAMLTree
    private var position = 0
    private var depth = 0
    /// The finished children of all open lists and objects.
    private var pending: [Int32] = []
    /// The text of a string with escapes.
    private var unescaped: [UInt8] = []

    /// The root of a text in UTF-8.
    static func root(of text: UnsafeBufferPointer<UInt8>, file: String) throws(YAMLError) -> Node {
        var parser = JSONParser(text, file: file)
        let root = try parser.value()
        parser.skipSpace()
        guard parser.position == text.count else { throw parser.error("the text continues after its end") }
        return Node(tree: parser.tree, index: root)
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) {
        self.bytes = bytes
        tree = YAMLTree(file: file, text: bytes)
    }

    // MARK: Values

    private mutating func value() throws(YAMLError) -> Int32 {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        case UInt8(ascii: "n"): return try word("null")
        case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
            return try number()
        default: throw error("a value is missing")
        }
    }

    private mutating func object() throws(YAMLError) -> Int32 {
        let node = try open(.mapping), first = pending.count
        if skip(UInt8(ascii: "}")) { return close(node, from: first) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
            let key = try string()
            try refuseSecond(key, from: first)
            pending.append(key)
            guard skip(UInt8(ascii: ":")) else { throw error("a ':' is missing") }
            pending.append(try value())
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw error("a ',' or '}' is missing") }
        return close(node, from: first)
    }

    private mutating func list() throws(YAMLError) -> Int32 {
        let node = try open(.sequence), first = pending.count
        if skip(UInt8(ascii: "]")) { return close(node, from: first) }
        repeat { pending.append(try value()) } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw error("a ',' or ']' is missing") }
        return close(node, from: first)
    }

    private mutating func open(_ kind: YAMLTree.Kind) throws(YAMLError) -> Int32 {
        depth += 1
        guard depth <= LayoutLimit.jsonDepth else {
            throw error("nested too deeply: at most \(LayoutLimit.jsonDepth) lists and objects")
        }
        let node = tree.add(kind, line: 1, column: position + 1)
        position += 1
        return node
    }

    private mutating func close(_ node: Int32, from first: Int) -> Int32 {
        depth -= 1
        tree.close(node, children: pending[first...])
        pending.removeSubrange(first...)
        return node
    }

    /// Two values for one key are an error: programs differ in which of them they use (RFC 8259, section 4).
    private func refuseSecond(_ key: Int32, from first: Int) throws(YAMLError) {
        guard pending.count - first <= 2 * LayoutLimit.jsonKeys else {
            throw error("an object must have at most \(LayoutLimit.jsonKeys) keys")
        }
        for other in stride(from: first, to: pending.count, by: 2) where tree.isEqual(pending[other], key) {
            throw error("'\(tree.string(of: key).prefix(80))' is given twice in one object")
        }
    }

    private mutating func word(_ word: StaticString) throws(YAMLError) -> Int32 {
        let end = position + word.utf8CodeUnitCount
        let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[position..<end].elementsEqual(text) else {
            throw error("an unknown word; strings need quotes")
        }
        return plain(until: end)
    }

    /// `-? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?`
    private mutating func number() throws(YAMLError) -> Int32 {
        var end = position
        func digits() -> Int {
            let start = end
            while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
            return end - start
        }
        if bytes[end] == UInt8(ascii: "-") { end += 1 }
        let first = end
        let count = digits()
        var isValid = count > 0 && (count == 1 || bytes[first] != UInt8(ascii: "0"))
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            end += 1
            isValid = digits() > 0 && isValid
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            isValid = digits() > 0 && isValid
        }
        guard isValid else { throw error("an invalid number") }
        return plain(until: end)
    }

    private mutating func plain(until end: Int) -> Int32 {
        defer { position = end }
        return tree.add(.plain, range: position..<end, line: 1, column: position + 1)
    }

    // MARK: Strings

    private mutating func string() throws(YAMLError) -> Int32 {
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20
        {
            end += 1
        }
        guard end < bytes.count else { throw error("the string has no end") }
        guard bytes[end] >= 0x20 else { throw error("a control character in a string; write it as \\u…") }
        if bytes[end] == UInt8(ascii: "\"") {
            position = end + 1
            return tree.add(.quoted, range: start..<end, line: 1, column: start)
        }
        unescaped.removeAll(keepingCapacity: true)
        unescaped.append(contentsOf: bytes[start..<end])
        position = end
        try unescape()
        return unescaped.withUnsafeBufferPointer { tree.add(.quoted, bytes: $0, line: 1, column: start) }
    }

    /// Reads the rest of a string, from its first escape to its closing quote.
    private mutating func unescape() throws(YAMLError) {
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                guard let escape = peek else { break }
                position += 1
                switch escape {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(escape)
                case UInt8(ascii: "b"): unescaped.append(0x08)
                case UInt8(ascii: "f"): unescaped.append(0x0C)
                case UInt8(ascii: "n"): unescaped.append(0x0A)
                case UInt8(ascii: "r"): unescaped.append(0x0D)
                case UInt8(ascii: "t"): unescaped.append(0x09)
                case UInt8(ascii: "u"): unescaped.append(contentsOf: String(try scalar()).utf8)
                default: throw error("an unknown escape in a string")
                }
            case 0..<0x20: throw error("a control character in a string; write it as \\u…")
            default: unescaped.append(byte)
            }
        }
        throw error("the string has no end")
    }

    private mutating func scalar() throws(YAMLError) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skipExactly(UInt8(ascii: "\\")), skipExactly(UInt8(ascii: "u")) else {
            throw error("half of a surrogate pair")
        }
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("half of a surrogate pair") }
        return scalar
    }

    private mutating func unit() throws(YAMLError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw error("\\u needs four hexadecimal digits") }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("\\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        return skipExactly(byte)
    }

    private mutating func skipExactly(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private func error(_ message: String) -> YAMLError {
        YAMLError(
            location: SourceLocation(file: tree.file, column: position + 1), message: "not valid JSON: \(message)")
    }
}
