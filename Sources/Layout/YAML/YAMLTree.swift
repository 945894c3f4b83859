import ControlProtocol

/// A YAML document as a tree in a few flat arrays; each node has its location.
///
/// A file may have two million nodes. One object per node would take more memory than the whole scene.
nonisolated final class YAMLTree {
    /// The kind of node.
    enum Kind: UInt8 {
        /// An unquoted text, which may be a number, a boolean or null.
        case plain
        /// A quoted text or a block scalar.
        case quoted
        case sequence
        case mapping
    }

    private struct Record {
        var line: Int32
        var column: Int32
        /// The index of its text in `text`, or of its first child in `children`.
        var start: Int32
        /// The number of its bytes or children; the lowest two bits are its kind.
        private var countAndKind: UInt32

        init(_ kind: Kind, line: Int, column: Int, start: Int = 0, count: Int = 0) {
            self.line = Int32(line)
            self.column = Int32(clamping: column)
            self.start = Int32(start)
            countAndKind = UInt32(count) << 2 | UInt32(kind.rawValue)
        }

        var kind: Kind { Kind(rawValue: UInt8(countAndKind & 3)) ?? .plain }

        var count: Int32 {
            get { Int32(countAndKind >> 2) }
            set { countAndKind = UInt32(newValue) << 2 | countAndKind & 3 }
        }
    }

    /// The file's name in findings.
    let file: String
    // Not checked at run time for overlapping accesses: no method calls a closure while it changes one of them. The
    // checks took a seventh of the time of a publication.
    private var records: [Record] = []
    /// The texts.
    private var text: [UInt8] = []
    private var children: [Int32] = []

    /// - Parameter size: The text's size in bytes. A node has at least two bytes, and unused capacity takes no memory.
    init(file: String, size: Int) {
        self.file = file
        records.reserveCapacity(min(size / 2, LayoutLimit.yamlNodes) + 1)
        children.reserveCapacity(min(size / 2, LayoutLimit.yamlNodes) + 1)
        text.reserveCapacity(size + size / 2)
    }

    /// Makes a tree whose texts are mostly parts of one text.
    convenience init(file: String, text: [UInt8]) {
        self.init(file: file, size: text.count)
        self.text.append(contentsOf: text)
    }

    /// The number of nodes.
    var count: Int { records.count }

    // MARK: Building

    /// Adds a node whose children are added later.
    func add(_ kind: Kind, line: Int, column: Int) -> Int32 {
        records.append(Record(kind, line: line, column: column))
        return Int32(records.count - 1)
    }

    /// Adds a scalar.
    func add(_ kind: Kind, bytes: UnsafeBufferPointer<UInt8>, line: Int, column: Int) -> Int32 {
        let start = text.count
        text.append(contentsOf: bytes)
        return add(kind, range: start..<start + bytes.count, line: line, column: column)
    }

    /// Adds a scalar whose text is a part of the tree's text.
    func add(_ kind: Kind, range: Range<Int>, line: Int, column: Int) -> Int32 {
        records.append(Record(kind, line: line, column: column, start: range.lowerBound, count: range.count))
        return Int32(records.count - 1)
    }

    /// Sets a node's children; for a mapping, alternately keys and values.
    func close(_ node: Int32, children: ArraySlice<Int32>) {
        records[Int(node)].start = Int32(self.children.count)
        records[Int(node)].count = Int32(children.count)
        self.children.append(contentsOf: children)
    }

    // MARK: Reading

    func kind(of node: Int32) -> Kind { records[Int(node)].kind }

    func location(of node: Int32) -> SourceLocation {
        let record = records[Int(node)]
        return SourceLocation(file: file, line: Int(record.line), column: Int(record.column))
    }

    fileprivate func childCount(of node: Int32) -> Int { Int(records[Int(node)].count) }

    func child(_ index: Int, of node: Int32) -> Int32 { children[Int(records[Int(node)].start) + index] }

    func string(of node: Int32) -> String {
        withBytes(of: node) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls a closure with the bytes of a text.
    func withBytes<Result>(of node: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let record = records[Int(node)]
        return text.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(record.start)..<Int(record.start + record.count)]))
        }
    }

    /// The index of a text among others.
    func index(of node: Int32, in texts: [String]) -> Int? {
        withBytes(of: node) { bytes in
            texts.firstIndex { text in
                guard text.utf8.count == bytes.count else { return false }
                return text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) } ?? false
            }
        }
    }

    /// Whether two texts are equal.
    func isEqual(_ left: Int32, _ right: Int32) -> Bool {
        guard childCount(of: left) == childCount(of: right) else { return false }
        return withBytes(of: left) { left in
            withBytes(of: right) { right in left.elementsEqual(right) }
        }
    }
}

/// A node of a YAML document.
nonisolated struct Node {
    let tree: YAMLTree
    let index: Int32

    var kind: YAMLTree.Kind { tree.kind(of: index) }
    var location: SourceLocation { tree.location(of: index) }
    var isScalar: Bool { kind == .plain || kind == .quoted }
    /// The text; empty for a node that is not a scalar.
    var string: String { isScalar ? tree.string(of: index) : "" }

    /// The number of a list's items or a mapping's keys.
    var count: Int {
        switch kind {
        case .plain, .quoted: 0
        case .sequence: tree.childCount(of: index)
        case .mapping: tree.childCount(of: index) / 2
        }
    }

    /// The size of the node itself: the bytes of a text, or 64 for each child of a list or mapping.
    var size: Int { isScalar ? tree.childCount(of: index) : 64 * count }

    /// The first 40 characters of a text.
    var beginning: String {
        tree.withBytes(of: index) { String(decoding: $0.prefix(160), as: UTF8.self).prefix(40).description }
    }

    /// Whether the node is a scalar with this text.
    func isText(_ text: String) -> Bool {
        isScalar && tree.childCount(of: index) == text.utf8.count
            && tree.withBytes(of: index) { $0.elementsEqual(text.utf8) }
    }

    /// The index of a scalar's text among others.
    func index(in texts: [String]) -> Int? { tree.index(of: index, in: texts) }

    /// An item of a list.
    func item(_ position: Int) -> Node { Node(tree: tree, index: tree.child(position, of: index)) }

    /// The items of a list; empty for other nodes.
    var items: [Node] {
        guard kind == .sequence else { return [] }
        return (0..<count).map(item)
    }

    func key(_ position: Int) -> Node { Node(tree: tree, index: tree.child(2 * position, of: index)) }
    func value(_ position: Int) -> Node { Node(tree: tree, index: tree.child(2 * position + 1, of: index)) }

    /// Whether the node is YAML's null: empty, `~` or `null`.
    var isNull: Bool {
        guard kind == .plain else { return false }
        return tree.withBytes(of: index) { bytes in
            switch bytes.count {
            case 0: true
            case 1: bytes[0] == UInt8(ascii: "~")
            case 4: bytes[0] | 0x20 == UInt8(ascii: "n") && ["null", "Null", "NULL"].contains(string)
            default: false
            }
        }
    }

    /// A boolean of YAML 1.2; `yes` and `on` are texts.
    var bool: Bool? {
        guard kind == .plain, tree.childCount(of: index) <= 5 else { return nil }
        switch string {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: return nil
        }
    }
}

// MARK: - Numbers

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
        guard bytes.count <= 64, bytes.allSatisfy({ isDigit($0) || "+-.eE".utf8.contains($0) }),
            let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// A number of at most 15 digits without an exponent: both numbers of the division are exact, so that the result is
    /// the nearest number. Nil for any other text.
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
}

// MARK: - JSON

nonisolated extension YAMLTree {
    /// The root of a JSON value, which is also YAML 1.2. Places in it have line 1 and the byte as their column.
    static func root(of json: JSONTree, file: String) throws(JSONError) -> Node {
        let tree = YAMLTree(file: file, text: json.text)
        var pending: [Int32] = []
        return Node(tree: tree, index: try tree.add(json, &pending))
    }

    /// Adds a value.
    ///
    /// - Parameter pending: The finished children of all lists and objects around it.
    private func add(_ value: JSONTree, _ pending: inout [Int32]) throws(JSONError) -> Int32 {
        let start = value.range.lowerBound
        switch value.kind {
        case .null, .bool, .number: return add(.plain, range: value.range, line: 1, column: start + 1)
        case .string where value.hasEscapes:
            var string = value.string ?? ""
            return string.withUTF8 { add(.quoted, bytes: $0, line: 1, column: start) }
        case .string: return add(.quoted, range: value.range, line: 1, column: start)
        case .array, .object:
            let node = add(value.kind == .array ? .sequence : .mapping, line: 1, column: start + 1)
            let first = pending.count
            for child in value.children {
                let child = try add(child, &pending)
                pending.append(child)
            }
            if value.kind == .object { try checkKeys(pending[first...]) }
            close(node, children: pending[first...])
            pending.removeSubrange(first...)
            return node
        }
    }

    /// Two values for one key are an error: programs differ in which of them they use (RFC 8259, section 4).
    private func checkKeys(_ children: ArraySlice<Int32>) throws(JSONError) {
        let keys = stride(from: children.startIndex, to: children.endIndex, by: 2)
        for (number, index) in keys.enumerated() {
            let key = children[index]
            func error(_ message: String) -> JSONError { JSONError(message, at: location(of: key).column - 1) }
            guard number < LayoutLimit.jsonKeys else {
                throw error("an object must have at most \(LayoutLimit.jsonKeys) keys")
            }
            for other in keys.prefix(number) where isEqual(children[other], key) {
                throw error("'\(string(of: key).prefix(80))' is given twice in one object")
            }
        }
    }
}
