/// A small YAML file of settings: one mapping whose values are texts or lists of texts.
///
/// It has a layout's rules for files: a regular file in UTF-8 that only its owner can write to.
package nonisolated struct SettingsFile {
    /// A text with its location.
    package struct Text: Sendable {
        /// The text.
        package var value: String
        /// Where it is.
        package var location: SourceLocation
    }

    private var texts: [String: [Text]] = [:]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - keys: The keys that the file may have.
    ///   - lists: Those of the keys whose value may be a list.
    /// - Throws: A `LayoutError` with everything that is wrong.
    package init(path: String, keys: [String], lists: Set<String>) throws(LayoutError) {
        let file: LayoutFile
        do {
            file = try LayoutFile(path: path)
        } catch {
            throw LayoutError(error.kind, [error.finding(file: path)])
        }
        guard case .text(let text) = file.content else { preconditionFailure("a directory was read as a file") }
        try self.init(text: text, file: path, keys: keys, lists: lists)
    }

    /// Reads a text.
    package init(text: String, file: String, keys: [String], lists: Set<String>) throws(LayoutError) {
        var nodes = YAMLNodes()
        if let root = nodes.root(of: text, file: file, ifEmpty: .warning),
            let values = nodes.mapping(root, "the settings", keys: keys)
        {
            for (name, node) in values.all {
                let items = lists.contains(name) ? nodes.oneOrMore(node) : [node]
                texts[name] = items.compactMap { item in
                    nodes.rawString(item, "'\(name)'").map { Text(value: $0, location: item.location) }
                }
            }
        }
        if nodes.findings.hasErrors { throw LayoutError(.invalid, nodes.findings.inOrder(of: [file])) }
    }

    /// The text of a key.
    package func text(_ key: String) -> Text? { texts[key]?.first }

    /// The texts of a key, in order.
    package func list(_ key: String) -> [Text] { texts[key] ?? [] }
}
