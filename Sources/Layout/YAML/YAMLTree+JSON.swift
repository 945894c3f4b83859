import ControlProtocol

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
