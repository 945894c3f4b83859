import Basics
import CLibyaml
import Glibc

/// A small YAML file of settings: one mapping whose values are texts or lists of texts.
///
/// It has a layout's rules for files: a regular file in UTF-8 that only its owner can write to. It does not have the reader of
/// layouts, which needs views: with them a program of settings is twice as large.
package struct SettingsFile {
    /// A text with its location.
    package struct Text {
        /// The text.
        package let value: String
        /// `FILE:LINE:COLUMN`
        let location: String

        /// An error in this text.
        package func error(_ message: String) -> String { "\(location): error: \(message)" }
    }

    private let file: String
    private var document = yaml_document_t()
    private var texts: [String: [Text]] = [:]
    private var errors: [String] = []

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - keys: The keys that the file may have.
    ///   - lists: Those of the keys whose value may be a list.
    /// - Throws: A `SettingsError` with everything that is wrong.
    package init(path: String, keys: [String], lists: Set<String>) throws(SettingsError) {
        try self.init(text: Self.text(at: path), file: path, keys: keys, lists: lists)
    }

    /// Reads a text.
    package init(text: String, file: String, keys: [String], lists: Set<String>) throws(SettingsError) {
        self.file = file
        defer { yaml_document_delete(&document) }
        // Editors on Windows start UTF-8 files with a byte order mark.
        var text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        if let error = text.withUTF8({ load($0) }) { throw SettingsError([error]) }
        guard let root = yaml_document_get_root_node(&document)?.pointee, !Self.isNull(root) else { return }
        guard root.type == YAML_MAPPING_NODE else {
            throw SettingsError([error(root, "the settings must be a mapping (key: value), not \(Self.kind(of: root))")]
            )
        }
        var lines: [String: Int] = [:]
        for pair in Self.array(root.data.mapping.pairs.start, root.data.mapping.pairs.top) {
            guard let key = node(pair.key), let value = node(pair.value) else { continue }
            guard key.type == YAML_SCALAR_NODE else {
                errors.append(error(key, "a key in the settings must be a word, not \(Self.kind(of: key))"))
                continue
            }
            let name = Self.string(key)
            if !keys.contains(name) {
                let hint =
                    NearestName.of(name, among: keys).map { "did you mean '\($0)'?" }
                    ?? "the keys are \(keys.joined(separator: ", "))"
                errors.append(error(key, "unknown key '\(name.prefix(80))' in the settings; \(hint)"))
            } else if let line = lines[name] {
                errors.append(error(key, "'\(name)' is given twice in one mapping, first in line \(line); keep one"))
            } else {
                lines[name] = key.start_mark.line + 1
                // A list without items is there: it may forbid everything.
                let isList = lists.contains(name)
                if Self.isNull(value), !isList {
                    errors.append(error(key, "'\(name)' has no value; give one, or remove the key"))
                } else {
                    texts[name] = Self.isNull(value) ? [] : items(value, named: name, isList: isList)
                }
            }
        }
        if !errors.isEmpty { throw SettingsError(errors) }
    }

    /// The text of a key.
    package func text(_ key: String) -> Text? { texts[key]?.first }

    /// The texts of a key, in order; nil if the file does not have the key.
    package func list(_ key: String) -> [Text]? { texts[key] }

    // MARK: YAML

    /// Parses a text, and returns its error.
    private mutating func load(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        var parser = yaml_parser_t(), next = yaml_document_t()
        yaml_parser_initialize(&parser)
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(&parser, text.baseAddress, text.count)
        defer {
            yaml_document_delete(&next)
            yaml_parser_delete(&parser)
        }
        guard yaml_parser_load(&parser, &document) == 1, yaml_parser_load(&parser, &next) == 1 else {
            let problem = YAMLProblem(parser, in: text)
            return "\(file):\(problem.line):\(problem.column): error: \(problem.message)"
        }
        guard let other = yaml_document_get_root_node(&next)?.pointee else { return nil }
        return error(other, "the settings are one YAML document, and another begins here; remove the '---'")
    }

    /// The texts of a value; a list or mapping among them is an error.
    private mutating func items(_ value: yaml_node_t, named name: String, isList: Bool) -> [Text] {
        let list = value.data.sequence.items
        let items =
            isList && value.type == YAML_SEQUENCE_NODE
            ? Self.array(list.start, list.top).compactMap { node($0) } : [value]
        return items.compactMap { item in
            // `!kiosk` is a tag of nothing.
            if item.type == YAML_SCALAR_NODE, let tag = Self.tag(item) {
                errors.append(
                    error(item, "YAML tags are not supported; remove '\(tag)', or quote a text that begins with '!'"))
            } else if item.type != YAML_SCALAR_NODE || Self.isNull(item) {
                errors.append(error(item, "'\(name)' must be a text, not \(Self.kind(of: item))"))
            } else {
                return Text(value: Self.string(item), location: location(item))
            }
            return nil
        }
    }

    private mutating func node(_ index: Int32) -> yaml_node_t? { yaml_document_get_node(&document, index)?.pointee }

    private func location(_ node: yaml_node_t) -> String {
        "\(file):\(node.start_mark.line + 1):\(node.start_mark.column + 1)"
    }

    private func error(_ node: yaml_node_t, _ message: String) -> String { "\(location(node)): error: \(message)" }

    private static func array<Element>(_ start: UnsafeMutablePointer<Element>?, _ end: UnsafeMutablePointer<Element>?)
        -> [Element]
    {
        guard let start, let end else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: end - start))
    }

    private static func string(_ node: yaml_node_t) -> String {
        String(
            decoding: UnsafeBufferPointer(start: node.data.scalar.value, count: node.data.scalar.length), as: UTF8.self)
    }

    /// The tag of a text that has one.
    private static func tag(_ node: yaml_node_t) -> String? {
        node.tag.map { String(cString: $0) }.flatMap { $0 == YAML_STR_TAG ? nil : $0 }
    }

    private static func isNull(_ node: yaml_node_t) -> Bool {
        node.type == YAML_SCALAR_NODE && node.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && tag(node) == nil
            && ["", "~", "null", "Null", "NULL"].contains(string(node))
    }

    private static func kind(of node: yaml_node_t) -> String {
        switch node.type {
        case YAML_MAPPING_NODE: "a mapping"
        case YAML_SEQUENCE_NODE: "a list"
        default: isNull(node) ? "nothing" : "'\(string(node).prefix(40))'"
        }
    }

    // MARK: Files

    private static func text(at path: String) throws(SettingsError) -> String {
        func error(_ message: String, line: Int = 1, column: Int = 1, _ status: Int32 = EX_DATAERR) -> SettingsError {
            SettingsError(["\(path):\(line):\(column): error: \(message)"], status: status)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw error("a symbolic link, which another user could replace; copy the file") }
            throw error("cannot open the settings: \(ErrorText.of(errno))", EX_NOINPUT)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw error("not a regular file", EX_NOINPUT)
        }
        // touchd's own group has a single member on most systems.
        if status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && ![0, getegid()].contains(status.st_gid) {
            throw error("the file is writable by group or others; run: chmod go-w '\(path)'")
        }
        guard let bytes = SmallFile.bytes(of: descriptor, atMost: longest) else {
            throw error("cannot read the settings: \(ErrorText.of(errno))", EX_NOINPUT)
        }
        guard bytes.count <= longest else { throw error("the settings must be at most \(longest) bytes") }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let valid = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
        let (line, column) = YAMLProblem.end(of: valid)
        throw error("the file is not UTF-8 here; save it as UTF-8", line: line, column: column)
    }

    /// The maximum size of a file in bytes.
    private static let longest = 64 * 1024
}

/// Why settings cannot be used.
package struct SettingsError: CommandError, CustomStringConvertible {
    private let errors: [String]
    package let status: Int32

    /// - Parameter errors: Each with its location, and how to fix it.
    package init(_ errors: [String], status: Int32 = EX_DATAERR) { (self.errors, self.status) = (errors, status) }

    /// A line for each error.
    package var description: String { errors.map(\.printable).joined(separator: "\n") }
}
