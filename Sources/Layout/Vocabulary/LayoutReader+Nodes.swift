import Basics
import ControlProtocol

/// Reads nodes as the types that a layout expects, and reports every node of a different type.
///
/// No method throws: an invalid node is reported and the result is nil, so that one pass finds every error. Beyond the
/// layout's size limits, the result is nil for every further node. The names of nodes in messages are made only for a
/// message.
nonisolated extension LayoutReader {
    // MARK: Mappings and lists

    /// Visits a mapping's values in the order of the file, with the positions of their keys in `known`; reports other
    /// keys, with the most similar known key.
    ///
    /// - Parameter nullable: Keys that are valid without a value.
    /// - Returns: Whether there are other keys; nil if the node is not a mapping.
    mutating func words(
        _ node: Node, _ what: @autoclosure () -> String, keys known: [String], nullable: [String],
        _ visit: (_ position: Int, _ value: Node) -> Void
    ) -> Bool? {
        guard isMapping(node, what()) else { return nil }
        var hasUnknownKeys = false
        for position in 0..<node.count {
            let (key, value) = (node.key(position), node.value(position))
            if let place = key.isScalar ? key.index(in: known) : nil {
                guard charge(key) else { continue }
                if value.isNull, !nullable.contains(known[place]) {
                    note(.warning, at: key, "'\(known[place])' has no value, so it has no effect")
                } else {
                    visit(place, value)
                }
                continue
            }
            guard let name = keyName(key, what()) else { continue }
            hasUnknownKeys = true
            if name == "<<" {
                note(at: key, "merge keys (<<) are not supported; repeat the keys, or use an alias for a whole value")
            } else if let hint = Self.hint(forKey: name, value, known) {
                note(at: key, "unknown key '\(name.prefix(80))' in \(what()); \(hint)")
            } else {
                noteUnknown(name, at: key, "key '\(name.prefix(80))' in \(what())", "keys", known)
            }
        }
        return hasUnknownKeys
    }

    private static let decimalHint = "a decimal number has a point, not a comma, such as 0.5"

    /// How to fix an unknown key that YAML does not read as its author meant.
    private static func hint(forKey key: String, _ value: Node, _ known: [String]) -> String? {
        if key.contains("\u{A0}") { return "replace the no-break space (U+00A0) with a space" }
        if known.contains(String(key.prefix { $0 != ":" })), key.last != ":" { return "put a space after ':'" }
        if key.first?.isNumber == true, value.isNull { return decimalHint }
        if key == "true", known.contains("on") { return "did you mean 'on'? YAML 1.1 programs write it as 'true'" }
        return nil
    }

    /// Reports an unknown word, with the most similar known word or all of them.
    private mutating func noteUnknown(
        _ word: String, at node: Node, _ what: String, _ plural: String, _ known: [String]
    ) {
        let suggestion = findings.nearest.suggestion(for: word, among: known)
        let all = known.isEmpty ? "; there are no \(plural)" : "; the \(plural) are \(known.joined(separator: ", "))"
        let help = suggestion.isEmpty ? all : suggestion
        note(at: node, "unknown \(what)\(help)")
    }

    /// A mapping's entries in the order of the file.
    mutating func entries(_ node: Node, _ what: @autoclosure () -> String) -> [(key: Node, name: String, value: Node)]?
    {
        guard isMapping(node, what()) else { return nil }
        var entries: [(key: Node, name: String, value: Node)] = []
        for position in 0..<node.count {
            guard let name = keyName(node.key(position), what()) else { continue }
            entries.append((node.key(position), name, node.value(position)))
        }
        return entries
    }

    private mutating func isMapping(_ node: Node, _ what: @autoclosure () -> String) -> Bool {
        guard charge(node) else { return false }
        if node.kind != .mapping { noteKind(of: node, what(), .mapping(nil)) }
        return node.kind == .mapping
    }

    private mutating func keyName(_ key: Node, _ what: @autoclosure () -> String) -> String? {
        guard key.isScalar else { return invalid(key, "a key in \(what()) must be a word, not \(kind(of: key))") }
        return charge(key) ? key.string : nil
    }

    mutating func sequence(_ node: Node, _ what: @autoclosure () -> String) -> [Node]? {
        isList(node, what()) ? node.items : nil
    }

    /// Whether a node is a list.
    mutating func isList(
        _ node: Node, _ what: @autoclosure () -> String, _ form: @autoclosure () -> Form = .list(nil)
    ) -> Bool {
        guard charge(node) else { return false }
        if node.kind != .sequence { noteKind(of: node, what(), form()) }
        return node.kind == .sequence
    }

    /// The items of a list, or the node itself if it is not a list.
    mutating func oneOrMore(_ node: Node) -> [Node] {
        guard charge(node) else { return [] }
        return node.kind == .sequence ? node.items : [node]
    }

    // MARK: Texts and truths

    /// A text, with a grid's facts filled in.
    mutating func string(_ node: Node, _ what: @autoclosure () -> String) -> String? {
        guard let text = rawString(node, what()) else { return nil }
        guard !cells.isEmpty, text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return text
        }
        guard let template = template(text, at: node, what()) else { return nil }
        for name in template.factNames.prefix(LayoutLimit.findings) {
            noteUnknown(
                name, at: node, "fact {\(name.prefix(80))} in \(what())", "facts of a grid",
                GridCell.factNames(depth: cells.count))
        }
        return template.factNames.isEmpty ? template.filled { _ in nil } : nil
    }

    /// A text, verbatim.
    mutating func rawString(_ node: Node, _ what: @autoclosure () -> String) -> String? {
        guard node.isScalar, !node.isNull else {
            if charge(node) { noteKind(of: node, what(), .text()) }
            return nil
        }
        return charge(node, bytes: node.size) ? node.string : nil
    }

    mutating func bool(_ node: Node, _ what: @autoclosure () -> String) -> Bool? {
        guard charge(node) else { return nil }
        if node.bool == nil { noteKind(of: node, what(), .flag) }
        return node.bool
    }

    /// A word from a fixed set.
    mutating func keyword(_ node: Node, _ what: @autoclosure () -> String, of known: [String]) -> String? {
        guard let word = string(node, what()) else { return nil }
        guard known.contains(word) else {
            let nearest = findings.nearest.suggestion(for: word, among: known)
            return invalid(node, "\(what()) must be \(Self.alternatives(known)) (got '\(word.prefix(80))')\(nearest)")
        }
        return word
    }

    /// `a, b or c`
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The name of a part of the layout.
    mutating func name(_ node: Node, _ what: @autoclosure () -> String) -> String? {
        string(node, what()).flatMap { checkName($0, what(), at: node) ? $0 : nil }
    }

    /// Whether a text may be the name of a part; reports it if not. A published one refuses only its entry.
    mutating func checkName(_ name: String, _ what: @autoclosure () -> String, at node: Node) -> Bool {
        if LayoutName.isValid(name) { return true }
        var message: String {
            let hint = LayoutName.similar(to: name).map { "; write '\($0)'" } ?? ""
            return "\(what()) must be 1 to 128 letters, digits, '_', '.' and '-', in words that begin with a letter or "
                + "digit, with one space between words (got '\(name.prefix(80))')\(hint)"
        }
        if slotHandlers != nil {
            refusals.add(.error, at: node.location, message)
        } else {
            note(at: node, message)
            // What refers to the part has no second error.
            references.isIncomplete = true
        }
        return false
    }

    /// A text of one line that names what is not in the layout.
    mutating func label(_ node: Node, _ what: @autoclosure () -> String) -> String? {
        guard let label = string(node, what()) else { return nil }
        let hasControl = label.unicodeScalars.contains { $0.properties.generalCategory == .control }
        // Many marks on one letter are one character, and slow to compare.
        let isShort = label.utf8.count <= JSONTree.longestName && label.count <= LayoutLimit.nameLength
        if !label.isEmpty, isShort, !hasControl { return label }
        return invalid(node, "\(what()) must have 1 to 128 characters and no control characters")
    }

    /// Reports a value of another kind. For a word, the message has all kinds that it permits, and the value that was
    /// probably meant or an example: `; write alpha: 0.5`.
    private mutating func noteKind(of node: Node, _ what: String, _ expected: Form) {
        guard !findings.isFull else { return note(at: node, "") }
        let word = at.word(of: node)
        var form = word?.form ?? expected
        if case .mapping = expected, !form.isPerhapsMapping { form = expected }
        let value = word.map { $0.form.fix(of: node, or: $0.fallback) } ?? expected.probable(node)
        var hint = value.map { "; write \(word.map { "\($0.name): " } ?? "")\($0)" } ?? ""
        if node.kind == .mapping, form.isList { hint = "; begin each item with '- '" }
        if case .text = expected, node.count == 1, node.kind == .mapping, node.value(0).isNull {
            hint = "; a text that begins with '{' needs quotes"
        }
        note(at: node, "\(what) must be \(form.text()), not \(kind(of: node))\(hint)")
    }

    func kind(of node: Node) -> String {
        switch node.kind {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .plain: node.isNull ? "nothing" : "'\(node.beginning)'"
        case .quoted: "\"\(node.beginning)\", which is a text because of its quotes"
        }
    }

    // MARK: Numbers

    /// A finite number.
    mutating func number(_ node: Node, _ what: @autoclosure () -> String) -> Double? {
        guard charge(node) else { return nil }
        let value = node.number
        if value == nil { noteKind(of: node, what(), .number(nil)) }
        return value
    }

    /// A number within bounds.
    mutating func number(_ node: Node, _ what: @autoclosure () -> String, in bounds: ClosedRange<Double>) -> Double? {
        guard let value = number(node, what()) else { return nil }
        guard bounds.contains(value) else {
            let (low, high) = (Self.text(bounds.lowerBound), Self.text(bounds.upperBound))
            return invalid(node, "\(what()) must be between \(low) and \(high) (got \(Self.text(value)))")
        }
        return value
    }

    /// A whole number within bounds.
    mutating func count(_ node: Node, _ what: @autoclosure () -> String, in bounds: ClosedRange<Int>) -> Int? {
        guard let value = number(node, what()) else { return nil }
        guard let count = Int(exactly: value), bounds.contains(count) else {
            return invalid(
                node,
                "\(what()) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound) "
                    + "(got \(Self.text(value)))")
        }
        return count
    }

    /// A list of finite numbers, one for each name.
    mutating func numbers(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> [Double]? {
        guard let items = items(node, what(), named: names) else { return nil }
        let values = zip(items, names).compactMap { number($0, "'\($1)' in \(what())") }
        return values.count == names.count ? values : nil
    }

    /// A number for all names, or a list of numbers within bounds, one for each.
    mutating func numbers(
        _ node: Node, _ what: String, named names: [String], in bounds: ClosedRange<Double>
    ) -> [Double]? {
        guard node.kind == .sequence else {
            return number(node, what, in: bounds).map { Array(repeating: $0, count: names.count) }
        }
        guard let items = items(node, what, named: names) else { return nil }
        let values = zip(items, names).compactMap { number($0, "'\($1)' of \(what)", in: bounds) }
        return values.count == names.count ? values : nil
    }

    /// A list of items, one for each name.
    mutating func items(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> [Node]? {
        isList(node, what(), named: names) ? node.items : nil
    }

    /// Whether a node is a list with an item for each name.
    mutating func isList(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> Bool {
        var form: String { "[\(names.joined(separator: ", "))]" }
        guard isList(node, what(), .other(form, .object([]))) else { return false }
        guard node.count == names.count else {
            let hint = node.count == names.count + 1 ? "; \(Self.decimalHint)" : ""
            note(at: node, "\(what()) must be \(names.count) numbers \(form) (got \(node.count))\(hint)")
            return false
        }
        return true
    }

    /// A length in points, or in percent of `whole`.
    mutating func length(_ node: Node, _ what: @autoclosure () -> String, of whole: Double) -> Double? {
        guard charge(node) else { return nil }
        if let value = node.number { return value }
        guard let part = node.percentage else {
            noteKind(of: node, what(), .length)
            return nil
        }
        return part / 100 * whole
    }

    /// A number, without `.0` for a whole number.
    static func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }

    // MARK: Templates

    /// Parses a text; `{{` and `}}` are literal braces.
    mutating func template(_ text: String, at node: Node, _ what: @autoclosure () -> String) -> Template? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return Template(verbatim: text)
        }
        var segments: [Template.Segment] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if (character == "{" || character == "}"), rest.first == character {
                rest.removeFirst()
                literal.append(character)
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    return invalid(node, "\(what()) has a '{' without a '}' after it; write {{ for the brace itself")
                }
                let name = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                if let value = GridCell.fact(name, of: cells) {
                    guard charge(node, bytes: value.utf8.count, steps: 1) else { return nil }
                    literal += value
                } else {
                    if !literal.isEmpty { segments.append(.text(literal)) }
                    literal = ""
                    segments.append(.fact(name))
                    guard charge(node, bytes: 2 * MemoryLayout<Template.Segment>.stride, steps: 1) else { return nil }
                }
            } else if character == "}" {
                return invalid(node, "\(what()) has a '}' without a '{' before it; write }} for the brace itself")
            } else {
                literal.append(character)
            }
        }
        if segments.isEmpty { return Template(verbatim: literal) }
        if !literal.isEmpty { segments.append(.text(literal)) }
        return Template(segments: segments)
    }
}
