import CLibyaml

/// Text that is not YAML, or more of it than a layout may have: where, and in an integrator's words.
nonisolated struct YAMLError: Error {
    var location: SourceLocation
    var message: String
}

/// A key that a mapping has already.
nonisolated struct DoubleKey {
    var location: SourceLocation
    var message: String
    /// Whether what it leads to may say what other places of the layout name.
    var hidesNames: Bool

    init(first: Node, second: Node, value: Node) {
        location = second.location
        message = "'\(second.string)' is given twice in one mapping, first in line \(first.location.line); keep one"
        hidesNames = !value.isScalar
    }
}

/// libyaml's event parser, which makes a `YAMLTree` of a text.
///
/// The events are read here rather than through a library that makes an object of every node: for a layout of 50,000
/// views that took 1.9 s and 130 MB.
nonisolated struct YAMLParser: ~Copyable {
    /// libyaml's own bound, checked here so that it is the same with every version of it.
    static let depthLimit = 1000
    /// A file as large as a layout may be can have eight million; what no layout needs is refused before it takes memory.
    static let nodeLimit = 2_000_000

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let file: String

    private init(file: String) {
        self.file = file
        parser = .allocate(capacity: 1)
        // It fails for want of memory alone, and then the parser answers every call with an error.
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The root of a text's one document; nil for a text that has none.
    ///
    /// - Parameter doubleKeys: gets the keys that are given twice in one mapping, of which the tree has the first.
    static func root(of text: String, file: String, doubleKeys: inout [DoubleKey]) throws(YAMLError) -> Node? {
        var text = text
        let result: Result<Node?, YAMLError> = text.withUTF8 { bytes in
            // Editors on Windows begin UTF-8 with a byte order mark, which YAML 1.2.2, 5.2, allows there.
            let bytes =
                bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeBufferPointer(rebasing: bytes.dropFirst(3)) : bytes
            let parser = YAMLParser(file: file)
            yaml_parser_set_input_string(parser.parser, bytes.baseAddress, bytes.count)
            do throws(YAMLError) {
                return .success(try parser.document(of: bytes, doubleKeys: &doubleKeys))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: Events

    private struct OpenNode {
        let node: Int32
        let anchor: String?
        let firstChild: Int
    }

    private borrowing func document(
        of text: UnsafeBufferPointer<UInt8>, doubleKeys: inout [DoubleKey]
    ) throws(YAMLError) -> Node? {
        let tree = YAMLTree(file: file, size: text.count)
        var open: [OpenNode] = []
        var pending: [Int32] = []
        var anchors: [String: Int32] = [:]
        var root: Int32?

        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw problem(in: text) }
            defer { yaml_event_delete(&event) }
            let mark = event.start_mark
            let (line, column) = (mark.line + 1, mark.column + 1)
            guard tree.count <= Self.nodeLimit else {
                throw error(mark, "more than \(Self.nodeLimit) YAML nodes; write less of it, or in several files")
            }

            var made: Int32?
            switch event.type {
            case YAML_STREAM_END_EVENT:
                return root.map { Node(tree: tree, index: $0) }
            case YAML_DOCUMENT_START_EVENT:
                guard root == nil else {
                    throw error(mark, "a layout is one YAML document, and another begins here; remove the '---'")
                }
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                try refuse(scalar.tag, mark)
                let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
                let node = tree.add(isPlain ? .plain : .quoted, bytes: bytes, line: line, column: column)
                if let anchor = Self.string(scalar.anchor) { anchors[anchor] = node }
                made = node
            case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                guard open.count < Self.depthLimit else {
                    throw error(
                        mark, "nested too deeply: YAML here may be nested \(Self.depthLimit) levels deep at most")
                }
                let isSequence = event.type == YAML_SEQUENCE_START_EVENT
                try refuse(isSequence ? event.data.sequence_start.tag : event.data.mapping_start.tag, mark)
                let anchor = isSequence ? event.data.sequence_start.anchor : event.data.mapping_start.anchor
                let node = tree.add(isSequence ? .sequence : .mapping, line: line, column: column)
                open.append(OpenNode(node: node, anchor: Self.string(anchor), firstChild: pending.count))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                guard let closed = open.popLast() else { continue }
                if event.type == YAML_MAPPING_END_EVENT {
                    let doubles = Self.doubleKeys(of: pending[closed.firstChild...], in: tree)
                    for (_, double) in doubles where doubleKeys.count <= YAMLNodes.findingLimit {
                        doubleKeys.append(double)
                    }
                    for (position, _) in doubles.reversed() { pending.removeSubrange(position...position + 1) }
                }
                tree.close(closed.node, children: pending[closed.firstChild...])
                pending.removeSubrange(closed.firstChild...)
                // Known only now, so that nothing can be inside itself.
                if let anchor = closed.anchor { anchors[anchor] = closed.node }
                made = closed.node
            case YAML_ALIAS_EVENT:
                let name = Self.string(event.data.alias.anchor) ?? ""
                guard let node = anchors[name] else {
                    let isInside = open.contains { $0.anchor == name }
                    throw error(
                        mark,
                        isInside
                            ? "the alias *\(name) stands in what it stands for"
                            : "nothing before the alias *\(name) has the anchor &\(name)")
                }
                made = node
            default: break
            }
            if let made {
                if open.isEmpty { root = made } else { pending.append(made) }
            }
        }
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }

    private borrowing func refuse(_ tag: UnsafeMutablePointer<yaml_char_t>?, _ mark: yaml_mark_t) throws(YAMLError) {
        guard let tag = Self.string(tag) else { return }
        throw error(mark, "YAML tags are not read here; remove '\(tag)'")
    }

    /// The keys of a mapping that it has already, with their positions among its nodes, in order.
    private static func doubleKeys(
        of children: ArraySlice<Int32>, in tree: YAMLTree
    ) -> [(position: Int, double: DoubleKey)] {
        let positions = stride(from: children.startIndex, to: children.endIndex - 1, by: 2).filter {
            Node(tree: tree, index: children[$0]).isScalar
        }
        var doubles: [(position: Int, double: DoubleKey)] = []
        func add(_ first: Int32, at position: Int) {
            let (key, value) = (children[position], children[position + 1])
            let double = DoubleKey(
                first: Node(tree: tree, index: first), second: Node(tree: tree, index: key),
                value: Node(tree: tree, index: value))
            doubles.append((position, double))
        }
        guard positions.count > 16 else {
            // Most mappings have a handful of keys, and those are compared sooner than put into a table.
            for (number, position) in positions.enumerated() {
                let first = positions[..<number].first { tree.isEqual(children[$0], children[position]) }
                if let first { add(children[first], at: position) }
            }
            return doubles
        }
        var seen: [String: Int32] = [:]
        for position in positions {
            let name = tree.string(of: children[position])
            if let first = seen[name] { add(first, at: position) } else { seen[name] = children[position] }
        }
        return doubles
    }

    // MARK: Problems

    private borrowing func error(_ mark: yaml_mark_t, _ message: String) -> YAMLError {
        YAMLError(
            location: SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1), message: message)
    }

    private borrowing func problem(in text: UnsafeBufferPointer<UInt8>) -> YAMLError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        if state.error == YAML_READER_ERROR {
            let before = String(decoding: text.prefix(state.problem_offset), as: UTF8.self).unicodeScalars
            let line = before.count { $0 == "\n" }
            let column = before.reversed().prefix { $0 != "\n" }.count
            return YAMLError(
                location: SourceLocation(file: file, line: line + 1, column: column + 1),
                message: "not valid YAML: \(problem)")
        }
        if problem.contains("cannot start any token") {
            return error(
                state.problem_mark,
                "not valid YAML: this character cannot stand here; if it is a tab, indent with spaces")
        }
        let context = state.context.map {
            String(cString: $0) + " that begins in line \(state.context_mark.line + 1): "
        }
        return error(state.problem_mark, "not valid YAML: \(context ?? "")\(problem)")
    }
}
