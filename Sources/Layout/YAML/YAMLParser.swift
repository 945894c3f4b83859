import CLibyaml
import Glibc
import YAML

/// Builds a `YAMLTree` from a text with libyaml's event parser.
///
/// It does not use a library that creates an object for every node: for half a million nodes that took 1.9 s and 130 MB,
/// and a hostile file may have two million.
nonisolated struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let file: String

    private init(file: String) {
        self.file = file
        parser = .allocate(capacity: 1)
        // It fails only for lack of memory, and every later call of the parser returns an error then.
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The root of a text's single document; nil for an empty text.
    ///
    /// - Parameters:
    ///   - findings: Receives the duplicate keys; the tree contains the first of each.
    ///   - hidesNames: Set if the value of a duplicate key may define names that other parts of the layout mention.
    ///   - steps: Increased by the number of events, key comparisons and moved children.
    static func root(
        of text: String, file: String, findings: inout FindingList, hidesNames: inout Bool, steps: inout Int
    ) throws(LayoutFinding) -> Node? {
        var text = JSONEscapes.joiningSurrogates(in: text)
        let result: Result<Node?, LayoutFinding> = text.withUTF8 { bytes in
            // Editors on Windows start UTF-8 files with a byte order mark, which YAML 1.2.2, 5.2, permits.
            let bytes =
                bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeBufferPointer(rebasing: bytes.dropFirst(3)) : bytes
            if let directive = directive(in: bytes, file: file) { return .failure(directive) }
            let parser = YAMLParser(file: file)
            yaml_parser_set_input_string(parser.parser, bytes.baseAddress, bytes.count)
            do throws(LayoutFinding) {
                return .success(
                    try parser.document(of: bytes, findings: &findings, hidesNames: &hidesNames, steps: &steps))
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
        of text: UnsafeBufferPointer<UInt8>, findings: inout FindingList, hidesNames: inout Bool, steps: inout Int
    ) throws(LayoutFinding) -> Node? {
        let tree = YAMLTree(file: file, size: text.count)
        var open: [OpenNode] = []
        var pending: [Int32] = []
        var anchors: [String: Int32] = [:]
        var root: Int32?

        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw problem(in: text) }
            defer { yaml_event_delete(&event) }
            steps += 1
            let mark = event.start_mark
            let (line, column) = (mark.line + 1, mark.column + 1)
            guard tree.count <= LayoutLimit.yamlNodes else {
                throw error(
                    mark,
                    "the file has more than \(LayoutLimit.yamlNodes) YAML nodes; write less, use grids, or split the file"
                )
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
                guard open.count < LayoutLimit.yamlDepth else {
                    throw error(
                        mark, "nested too deeply: YAML here may be nested \(LayoutLimit.yamlDepth) levels deep at most")
                }
                let isSequence = event.type == YAML_SEQUENCE_START_EVENT
                try refuse(isSequence ? event.data.sequence_start.tag : event.data.mapping_start.tag, mark)
                let anchor = isSequence ? event.data.sequence_start.anchor : event.data.mapping_start.anchor
                let node = tree.add(isSequence ? .sequence : .mapping, line: line, column: column)
                open.append(OpenNode(node: node, anchor: Self.string(anchor), firstChild: pending.count))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                guard let closed = open.popLast() else { continue }
                if event.type == YAML_MAPPING_END_EVENT {
                    removeDoubleKeys(of: &pending, from: closed.firstChild, in: tree, &findings, &hidesNames, &steps)
                }
                steps += pending.count - closed.firstChild
                tree.close(closed.node, children: pending[closed.firstChild...])
                pending.removeSubrange(closed.firstChild...)
                // Registered only at the end, so that no node can contain itself.
                if let anchor = closed.anchor { anchors[anchor] = closed.node }
                made = closed.node
            case YAML_ALIAS_EVENT:
                let name = Self.string(event.data.alias.anchor) ?? ""
                guard let node = anchors[name] else {
                    let isInside = open.contains { $0.anchor == name }
                    throw error(
                        mark,
                        isInside
                            ? "the alias *\(name) is inside the node that it repeats; remove it"
                            : "no anchor &\(name) above; a text that begins with '*' needs quotes: \"*\(name)\"")
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

    private borrowing func refuse(_ tag: UnsafeMutablePointer<yaml_char_t>?, _ mark: yaml_mark_t) throws(LayoutFinding)
    {
        guard let tag = Self.string(tag) else { return }
        throw error(mark, "YAML tags are not supported; remove '\(tag)', or quote a text that begins with '!'")
    }

    /// Removes the duplicate keys of a mapping, with their values, in one pass.
    private borrowing func removeDoubleKeys(
        of pending: inout [Int32], from start: Int, in tree: YAMLTree, _ findings: inout FindingList,
        _ hidesNames: inout Bool, _ steps: inout Int
    ) {
        // Most mappings have few keys; comparing them is faster than building a table.
        let isLong = pending.count - start > 32
        var seen: [String: Int32] = [:]
        var end = start
        for position in stride(from: start, to: pending.count - 1, by: 2) {
            let key = pending[position]
            var first: Int32?
            if tree.kind(of: key) == .plain || tree.kind(of: key) == .quoted {
                if isLong {
                    let name = tree.string(of: key)
                    first = seen[name]
                    if first == nil { seen[name] = key }
                    steps += 1
                } else {
                    for other in stride(from: start, to: end, by: 2) where first == nil {
                        let other = pending[other]
                        if tree.kind(of: other) == .plain || tree.kind(of: other) == .quoted, tree.isEqual(other, key) {
                            first = other
                        }
                    }
                    steps += (end - start) / 2 + 1
                }
            }
            if let first {
                let value = pending[position + 1], line = tree.location(of: first).line
                hidesNames = hidesNames || !Node(tree: tree, index: value).isScalar
                findings.add(
                    .error, at: tree.location(of: key),
                    "'\(tree.string(of: key).prefix(80))' is given twice in one mapping, first in line \(line); keep one"
                )
            } else {
                (pending[end], pending[end + 1]) = (key, pending[position + 1])
                end += 2
            }
        }
        pending.removeSubrange(end...)
    }

    /// Rejects lines that begin with `%`: libyaml compares each directive with all earlier ones, and no layout needs
    /// one.
    private static func directive(in text: UnsafeBufferPointer<UInt8>, file: String) -> LayoutFinding? {
        guard let start = text.baseAddress, memchr(start, 0x25, text.count) != nil else { return nil }
        var (line, isAtStart) = (1, true)
        for (position, byte) in text.enumerated() {
            if isAtStart, byte == UInt8(ascii: "%") {
                return LayoutFinding(
                    .error, at: SourceLocation(file: file, line: line),
                    "YAML directives (%) are not allowed; remove this line, or indent it if it is part of a text")
            }
            // The line breaks of YAML 1.1, which libyaml uses: CR, LF, NEL (C2 85), LS and PS (E2 80 A8, A9).
            switch byte {
            case UInt8(ascii: "\n"): isAtStart = true
            case UInt8(ascii: "\r"): isAtStart = position + 1 == text.count || text[position + 1] != UInt8(ascii: "\n")
            case 0x85: isAtStart = position >= 1 && text[position - 1] == 0xC2
            case 0xA8, 0xA9: isAtStart = position >= 2 && text[position - 1] == 0x80 && text[position - 2] == 0xE2
            default: isAtStart = false
            }
            if isAtStart { line += 1 }
        }
        return nil
    }

    // MARK: Problems

    private borrowing func error(_ mark: yaml_mark_t, _ message: String) -> LayoutFinding {
        LayoutFinding(.error, at: SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1), message)
    }

    private borrowing func problem(in text: UnsafeBufferPointer<UInt8>) -> LayoutFinding {
        let problem = YAMLProblem(parser.pointee, in: text)
        return LayoutFinding(
            .error, at: SourceLocation(file: file, line: problem.line, column: problem.column), problem.message)
    }
}
