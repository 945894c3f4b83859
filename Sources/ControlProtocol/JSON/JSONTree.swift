/// A value of a JSON text (RFC 8259), and everything in it.
///
/// One array has the values, in the order of the text. Two values are equal if they are written alike.
package struct JSONTree: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
        case null, bool, number, string, array, object
    }

    struct Node {
        var kind: Kind
        var hasEscapes = false
        /// The bytes of the value; of a string those between the quotes.
        var start: Int32, end: Int32 = 0
        /// The index of the node after the value and everything in it.
        var next: Int32 = 0
    }

    /// A text and its nodes. The names in an object are nodes too, each before its value.
    fileprivate final class Source: Sendable {
        let text: [UInt8], nodes: [Node]

        init(text: [UInt8], nodes: [Node]) { (self.text, self.nodes) = (text, nodes) }
    }

    fileprivate let source: Source
    fileprivate let index: Int

    /// Reads a text in UTF-8.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of nested arrays and objects.
    ///   - values: The maximum number of values, with the names in objects.
    package init(_ text: some Collection<UInt8>, depth: Int = 64, values: Int = .max) throws(JSONError) {
        var parser = TreeParser(Array(text), depth: depth, values: values)
        try parser.parse()
        source = Source(text: parser.text, nodes: parser.nodes)
        index = 0
    }

    /// A list without values.
    package static let emptyList = JSONTree(
        source: Source(text: Array("[]".utf8), nodes: [Node(kind: .array, start: 0, end: 2, next: 1)]), index: 0)

    fileprivate init(source: Source, index: Int) { (self.source, self.index) = (source, index) }

    private var node: Node { source.nodes[index] }

    package var text: [UInt8] { source.text }

    package var kind: Kind { node.kind }

    /// The place of the value in the whole text; of a string, the place between its quotes.
    package var range: Range<Int> { Int(node.start)..<Int(node.end) }

    /// The value as it is written.
    package var json: ArraySlice<UInt8> {
        kind == .string ? source.text[range.lowerBound - 1..<range.upperBound + 1] : source.text[range]
    }

    package static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    // MARK: Values

    package var isNull: Bool { kind == .null }

    /// Whether a string is written with escapes, so that its bytes in the text are not its own.
    package var hasEscapes: Bool { node.hasEscapes }

    /// The boolean; nil for another value.
    package var bool: Bool? { kind == .bool ? source.text[range.lowerBound] == UInt8(ascii: "t") : nil }

    /// The number; nil for another value, and for a number beyond `Double`.
    package var number: Double? {
        guard kind == .number else { return nil }
        return Double(String(decoding: source.text[range], as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The string; nil for another value.
    package var string: String? {
        guard kind == .string else { return nil }
        return String(decoding: hasEscapes ? unescaped[...] : source.text[range], as: UTF8.self)
    }

    /// The maximum length of a name in an object, and of a text that is compared, in bytes. Swift compares texts by their
    /// canonical form, whose time grows with the square of the number of combining marks.
    package static let longestName = 1024

    /// The string, for comparisons; nil for another value, and for a string that is longer than a name.
    package var name: String? { range.count <= Self.longestName ? string : nil }

    /// The values of an array; nil for another value.
    package var items: [JSONTree]? { kind == .array ? Array(children) : nil }

    /// The values of an object by their names; nil for another value, and for an object that has a name twice, because
    /// programs differ in which of the two they read (RFC 8259, section 4).
    package var members: [String: JSONTree]? {
        guard kind == .object else { return nil }
        var members: [String: JSONTree] = [:]
        var children = children
        while let name = children.next()?.string, let value = children.next() {
            if members.updateValue(value, forKey: name) != nil { return nil }
        }
        return members
    }

    /// The first member of an object, in the order of the text.
    package var firstMember: (name: String, value: JSONTree)? {
        guard kind == .object else { return nil }
        var children = children
        guard let name = children.next()?.string, let value = children.next() else { return nil }
        return (name, value)
    }

    /// The first value of an object with a name.
    package subscript(name: String) -> JSONTree? {
        guard kind == .object else { return nil }
        var children = children
        while let candidate = children.next(), let value = children.next() {
            let isNamed =
                candidate.hasEscapes
                ? candidate.string == name : source.text[candidate.range].elementsEqual(name.utf8)
            if isNamed { return value }
        }
        return nil
    }

    /// The values in an array; names and values in turn in an object.
    package var children: Children { Children(source: source, index: index + 1, end: Int(node.next)) }

    /// A list of values.
    package struct Children: Sequence, IteratorProtocol {
        fileprivate let source: Source
        fileprivate var index: Int
        fileprivate let end: Int

        package mutating func next() -> JSONTree? {
            guard index < end else { return nil }
            defer { index = Int(source.nodes[index].next) }
            return JSONTree(source: source, index: index)
        }
    }

    /// The bytes of a string with escapes, which the parser has checked.
    private var unescaped: [UInt8] {
        var bytes: [UInt8] = [], position = range.lowerBound
        while position < range.upperBound {
            let byte = source.text[position]
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                position += 1
                continue
            }
            let escape = source.text[position + 1]
            position += 2
            switch escape {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                var unit = source.text.hexadecimal(at: position) ?? 0
                position += 4
                if (0xD800...0xDBFF).contains(unit) {
                    let low = source.text.hexadecimal(at: position + 2) ?? 0
                    unit = 0x10000 + (unit - 0xD800) << 10 + (low &- 0xDC00)
                    position += 6
                }
                bytes.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
            default: bytes.append(escape)
            }
        }
        return bytes
    }
}

/// Why a text is not JSON.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The error, for people.
    package let message: String
    /// The number of bytes before the error.
    package let offset: Int
    /// Whether the text may be JSON, but has too many values.
    package let isTooLarge: Bool

    /// Creates an error after a number of bytes.
    package init(_ message: String, at offset: Int, isTooLarge: Bool = false) {
        (self.message, self.offset, self.isTooLarge) = (message, offset, isTooLarge)
    }

    /// The error with its place.
    package var description: String { "not valid JSON: \(message) (at byte \(offset + 1))" }
}

/// Checks a text and finds its values, in one pass.
private struct TreeParser {
    let text: [UInt8]
    private(set) var nodes: [JSONTree.Node] = []
    private let depthLimit: Int, valueLimit: Int
    private var depth = 0, position = 0

    init(_ text: [UInt8], depth: Int, values: Int) {
        (self.text, depthLimit, valueLimit) = (text, depth, values)
        // An object of a layout has a value for each 6 bytes.
        nodes.reserveCapacity(min(text.count / 6, values) + 1)
    }

    mutating func parse() throws(JSONError) {
        guard text.count < Int32.max else { throw error("the text is too long") }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
        } catch {
            position = error.byteOffsets.lowerBound
            throw self.error("the text is not UTF-8")
        }
        try value()
        skipSpace()
        guard position == text.count else { throw error("the text continues after its end") }
    }

    // MARK: Values

    private mutating func value() throws(JSONError) {
        guard nodes.count < valueLimit else {
            throw JSONError("more than \(valueLimit) values", at: position, isTooLarge: true)
        }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true", .bool)
        case UInt8(ascii: "f"): try word("false", .bool)
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: try number()
        default: throw error("a value is missing")
        }
    }

    private mutating func object() throws(JSONError) {
        let node = try open(.object)
        if !skip(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard peek == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
                let start = position
                try string()
                guard position - start <= JSONTree.longestName + 2 else {
                    throw error("a key is longer than \(JSONTree.longestName) bytes")
                }
                guard skip(UInt8(ascii: ":")) else { throw error("a ':' is missing") }
                try value()
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "}")) else { throw error("a ',' or '}' is missing") }
        }
        close(node)
    }

    private mutating func array() throws(JSONError) {
        let node = try open(.array)
        if !skip(UInt8(ascii: "]")) {
            repeat { try value() } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "]")) else { throw error("a ',' or ']' is missing") }
        }
        close(node)
    }

    private mutating func open(_ kind: JSONTree.Kind) throws(JSONError) -> Int {
        depth += 1
        guard depth <= depthLimit else {
            throw error("nested too deeply: at most \(depthLimit) lists and objects")
        }
        nodes.append(JSONTree.Node(kind: kind, start: Int32(position)))
        position += 1
        return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
        depth -= 1
        nodes[node].end = Int32(position)
        nodes[node].next = Int32(nodes.count)
    }

    private mutating func add(_ kind: JSONTree.Kind, _ range: Range<Int>, hasEscapes: Bool = false) {
        nodes.append(
            JSONTree.Node(
                kind: kind, hasEscapes: hasEscapes, start: Int32(range.lowerBound), end: Int32(range.upperBound),
                next: Int32(nodes.count + 1)))
    }

    private mutating func word(_ word: String, _ kind: JSONTree.Kind) throws(JSONError) {
        let end = position + word.utf8.count
        guard text[position...].starts(with: word.utf8) else { throw error("an unknown word; strings need quotes") }
        add(kind, position..<end)
        position = end
    }

    /// `-? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?`
    private mutating func number() throws(JSONError) {
        let start = position
        _ = skipExactly(UInt8(ascii: "-"))
        let isZero = peek == UInt8(ascii: "0")
        let count = skipDigits()
        var isValid = count > 0 && (count == 1 || !isZero)
        if skipExactly(UInt8(ascii: ".")) { isValid = skipDigits() > 0 && isValid }
        if skipExactly(UInt8(ascii: "e")) || skipExactly(UInt8(ascii: "E")) {
            if !skipExactly(UInt8(ascii: "+")) { _ = skipExactly(UInt8(ascii: "-")) }
            isValid = skipDigits() > 0 && isValid
        }
        guard isValid else {
            position = start
            throw error("an invalid number")
        }
        add(.number, start..<position)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, UInt8(ascii: "0") <= byte, byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    private mutating func string() throws(JSONError) {
        position += 1
        let start = position
        var hasEscapes = false
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                add(.string, start..<position, hasEscapes: hasEscapes)
                position += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0..<0x20: throw error("a control character in a string; write it as \\u…")
            default: position += 1
            }
        }
        throw error("the string has no end")
    }

    private mutating func skipEscape() throws(JSONError) {
        position += 1
        guard let escape = peek else { throw error("the string has no end") }
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            let first = try unit()
            guard (0xD800...0xDFFF).contains(first) else { return }
            guard first < 0xDC00, skipExactly(UInt8(ascii: "\\")), skipExactly(UInt8(ascii: "u")),
                (0xDC00...0xDFFF).contains(try unit())
            else { throw error("half of a surrogate pair") }
        default: throw error("an unknown escape in a string")
        }
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        guard let unit = text.hexadecimal(at: position) else { throw error("\\u needs four hexadecimal digits") }
        position += 4
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8? { position < text.count ? text[position] : nil }

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

    private func error(_ message: String) -> JSONError { JSONError(message, at: position) }
}

extension [UInt8] {
    /// The number of four hexadecimal digits at an index.
    fileprivate func hexadecimal(at index: Int) -> UInt32? {
        guard index + 4 <= count else { return nil }
        var value: UInt32 = 0
        for byte in self[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
