import Yams

/// Reads YAML nodes as what a layout expects of them, and notes every node that is something else.
///
/// Nothing here throws: a wrong node is noted and answered by nil, so that one reading finds every mistake.
nonisolated struct YAMLNodes {
    /// Aliases multiply what a small file says; this many nodes are more than any layout needs.
    static let nodeLimit = 1_000_000

    let file: String
    private(set) var diagnostics: [Diagnostic] = []
    private var visited = 0

    init(file: String) { self.file = file }

    /// Whether reading has to stop: the file expands to more than can be meant.
    var isExhausted: Bool { visited > Self.nodeLimit }

    mutating func note(_ severity: Diagnostic.Severity = .error, at node: Node, _ message: String) {
        note(severity, at: location(of: node), message)
    }

    mutating func note(_ severity: Diagnostic.Severity = .error, at location: SourceLocation, _ message: String) {
        diagnostics.append(Diagnostic(severity, at: location, message))
    }

    func location(of node: Node) -> SourceLocation {
        SourceLocation(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    /// The root of a file's one document; nil, with a note, where the text is not YAML.
    mutating func root(of text: String) -> Node? {
        do {
            // The encoding is named, since Yams otherwise takes it from an environment variable.
            guard let root = try Parser(yaml: text, encoding: .utf8).singleRoot() else {
                note(at: SourceLocation(file: file), "the layout is empty; it needs at least 'screen' and 'views'")
                return nil
            }
            return root
        } catch let error as YamlError {
            let (mark, message) = error.placeAndMessage
            note(at: SourceLocation(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1), message)
        } catch {
            note(at: SourceLocation(file: file), "\(error)")
        }
        return nil
    }

    /// A mapping's values by key; keys outside `known` are noted, with the nearest one that exists.
    mutating func mapping(_ node: Node, _ what: String, keys known: [String]) -> [String: Node]? {
        guard let entries = entries(node, what) else { return nil }
        var values: [String: Node] = [:]
        for (key, name, value) in entries {
            if known.contains(name) {
                values[name] = value
            } else {
                let suggestion = NearestName.suggestion(for: name, among: known)
                note(
                    at: key,
                    suggestion.isEmpty
                        ? "unknown key '\(name)' in \(what); the keys are \(known.joined(separator: ", "))"
                        : "unknown key '\(name)' in \(what)\(suggestion)")
            }
        }
        return values
    }

    /// A mapping's entries in the order of the file.
    mutating func entries(_ node: Node, _ what: String) -> [(key: Node, name: String, value: Node)]? {
        visited += 1
        guard case .mapping(let mapping) = node else {
            note(at: node, "\(what) has to be a mapping (key: value), not \(kind(of: node))")
            return nil
        }
        return mapping.compactMap { key, value in
            guard let name = key.scalar?.string else {
                note(at: key, "a key in \(what) has to be a word, not \(kind(of: key))")
                return nil
            }
            return (key, name, value)
        }
    }

    mutating func sequence(_ node: Node, _ what: String) -> [Node]? {
        visited += 1
        guard case .sequence(let sequence) = node else {
            note(at: node, "\(what) has to be a list, not \(kind(of: node))")
            return nil
        }
        return Array(sequence)
    }

    mutating func string(_ node: Node, _ what: String) -> String? {
        visited += 1
        guard case .scalar(let scalar) = node, !isNull(node) else {
            note(at: node, "\(what) has to be a text, not \(kind(of: node))")
            return nil
        }
        return scalar.string
    }

    mutating func bool(_ node: Node, _ what: String) -> Bool? {
        visited += 1
        guard let value = node.bool else {
            note(at: node, "\(what) has to be true or false, not \(kind(of: node))")
            return nil
        }
        return value
    }

    /// A finite number.
    mutating func number(_ node: Node, _ what: String) -> Double? {
        visited += 1
        guard let value = node.float, value.isFinite else {
            note(at: node, "\(what) has to be a number, not \(kind(of: node))")
            return nil
        }
        return value
    }

    /// A list of as many finite numbers as it has names.
    mutating func numbers(_ node: Node, _ what: String, named names: [String]) -> [Double]? {
        guard let items = sequence(node, "\(what) [\(names.joined(separator: ", "))]") else { return nil }
        guard items.count == names.count else {
            note(
                at: node,
                "\(what) has to be \(names.count) numbers [\(names.joined(separator: ", "))], and has \(items.count)")
            return nil
        }
        let values = zip(items, names).compactMap { number($0, "'\($1)' in \(what)") }
        return values.count == names.count ? values : nil
    }

    private func isNull(_ node: Node) -> Bool { node.null != nil }

    private func kind(of node: Node) -> String {
        switch node {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        case .scalar(let scalar): isNull(node) ? "nothing" : "'\(scalar.string.prefix(40))'"
        }
    }
}

nonisolated extension YamlError {
    /// Where the text stops being YAML, and what libyaml says of it in an integrator's words.
    fileprivate var placeAndMessage: (Mark?, String) {
        switch self {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            if problem.contains("nesting level") {
                return (mark, "nested too deeply: YAML here may be nested 1000 levels deep at most")
            }
            let setting = context.map { "\($0.text) that begins in line \($0.mark.line): " } ?? ""
            return (mark, "not valid YAML: \(setting)\(problem)")
        case .reader(let problem, _, _, _):
            return (nil, "not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            let keys = names.map { "'\($0)'" }.joined(separator: ", ")
            return (context.mark, "\(keys) is given more than once in one mapping; keep one")
        default:
            return (nil, "not valid YAML: \(self)")
        }
    }
}
