import Foundation

/// What a value may be. Its description, its schema, an example and the value that was probably meant follow from it.
nonisolated indirect enum Form: Sendable {
    case flag
    /// `true`, the only value of an action that has none.
    case onlyTrue
    case count(ClosedRange<Int>)
    /// A number with its unit; nil for any number.
    case number(ClosedRange<Double>?, unit: String = "")
    case time(ClosedRange<Duration>)
    /// A text with the schema's definition of it, and a remark.
    case text(String = "text", remark: String = "")
    /// One of these numbers.
    case numbers([Int])
    /// One of these words.
    case words([String])
    /// A mapping with the section's keys; nil for any mapping.
    case mapping(Table?)
    /// A mapping from names to these things: `pages`.
    case byName(String, JSONSchema)
    /// A list of these things: `gestures`.
    case listOf(String, JSONSchema = .object([]))
    /// A list of values of a form; nil for any list.
    case list(Form?)
    case oneOrMore(Form)
    case either(Form, Form)
    /// Something else: its description, its schema, an example, and the simple value that it may also be.
    case other(String, JSONSchema, example: String? = nil, simply: Form? = nil)

    /// The name of another part of the layout.
    static func name(of part: String) -> Form {
        .other("the name of a \(part)", .reference("text"), example: part.uppercased())
    }

    /// The description: `a whole number from 0 to 1000`.
    ///
    /// - Parameters:
    ///   - remarks: Whether what follows a semicolon is included.
    ///   - describe: The description of a mapping.
    func text(remarks: Bool = false, mapping describe: (Table) -> String = { _ in "a mapping" }) -> String {
        func text(_ form: Form) -> String { form.text(remarks: remarks, mapping: describe) }
        return switch self {
        case .flag: "true or false"
        case .onlyTrue: "true"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range, let unit):
            (unit.isEmpty ? "a number" : "a number of \(unit)")
                + (range.map { " from \(LayoutReader.text($0.lowerBound)) to \(LayoutReader.text($0.upperBound))" }
                    ?? "")
        case .time(let range): "a time from \(range.lowerBound.timeText) to \(range.upperBound.timeText)"
        case .numbers(let numbers): LayoutReader.alternatives(numbers.map(String.init))
        case .words(let words): LayoutReader.alternatives(words)
        case .mapping(let table): table.map(describe) ?? "a mapping (key: value)"
        case .byName(let things, _): "\(things) by name"
        case .listOf(let things, _): "a list of \(things)"
        case .list(let item): item.map { remarks ? "a list; each item is \(text($0))" : "a list" } ?? "a list"
        case .oneOrMore(let item): "\(text(item)), or a list of them"
        case .either(let first, let second): "\(text(first)), or \(text(second))"
        case .text(_, let remark): remarks && !remark.isEmpty ? "a text; \(remark)" : "a text"
        case .other(let text, _, _, _): text
        }
    }

    var schema: JSONSchema {
        switch self {
        case .flag: ["type": "boolean"]
        case .onlyTrue: ["const": true]
        case .count(let range):
            ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        case .number(let range, _):
            JSONSchema.object([("type", "number")])
                .with(
                    range.map { [("minimum", .number($0.lowerBound)), ("maximum", .number($0.upperBound))] } ?? [])
        // Without an upper limit for text, which editors cannot compare.
        case .time(let range):
            JSONSchema.reference("time")
                .with([
                    ("minimum", .number(range.lowerBound / .seconds(1))),
                    ("maximum", .number(range.upperBound / .seconds(1))),
                ])
        case .numbers(let numbers): ["enum": .list(numbers.map { .int($0) })]
        case .words(let words): ["enum": .list(words.map { .text($0) })]
        case .mapping(let table): table.map { .reference($0.key) } ?? ["type": "object"]
        case .byName(_, let schema), .listOf(_, let schema), .other(_, let schema, _, _): schema
        case .text(let definition, _): .reference(definition)
        case .list(let item): ["type": "array", "items": item?.schema ?? true]
        case .oneOrMore(let item): ["anyOf": [item.schema, ["type": "array", "items": item.schema]]]
        case .either(let first, let second): ["anyOf": [first.schema, second.schema]]
        }
    }

    /// Whether the value may be a mapping or something else.
    var isPerhapsMapping: Bool {
        if case .either(_, .mapping) = self { true } else { false }
    }

    /// Whether the value is a list.
    var isList: Bool {
        switch self {
        case .list, .listOf: true
        default: false
        }
    }

    // MARK: Examples

    /// How to write the value, as a fix of an invalid one: the value that was probably meant, `0.5` for `0,5`, otherwise
    /// one that is valid. Nil if neither is known, or if the description shows it.
    ///
    /// - Parameter fallback: The default.
    func fix(of node: Node, or fallback: String?) -> String? {
        if let value = probable(node) { return permits(value) ? value : nil }
        // Half of a number or time is no reason for another one.
        if node.isScalar, node.string.contains(where: \.isNumber) { return nil }
        return example(or: fallback)
    }

    /// A valid value: `1 s`, `{touches: …}`. Words in capitals stand for texts.
    func example(or fallback: String?) -> String? {
        switch self {
        case .flag, .onlyTrue, .list, .listOf, .number(nil, _), .mapping(nil): return nil
        case .count, .number, .time:
            return [fallback, "1", "1 s", "10 ms"].compactMap(\.self).first(where: permits)
        case .numbers(let numbers): return numbers.first.map(String.init)
        case .words(let words): return words.first
        case .mapping(let table?):
            return (table.words.first(where: \.isRequired) ?? table.words.first).map { "{\($0.name): …}" }
        case .text: return "TEXT"
        case .byName: return "{NAME: …}"
        case .oneOrMore(let item): return item.example(or: fallback)
        case .either(let first, _): return first.example(or: fallback)
        case .other(_, _, let example, _): return example
        }
    }

    /// Whether a text is a value within the limits, as far as they are known here.
    private func permits(_ value: String) -> Bool {
        switch self {
        case .flag: value == "true" || value == "false"
        case .onlyTrue: value == "true"
        case .count(let range): Int(value).map(range.contains) ?? false
        case .number(let range?, _): Double(value).map(range.contains) ?? false
        case .time(let range): Double(value) == nil && Duration(timeText: value).map(range.contains) ?? false
        case .numbers(let numbers): Int(value).map(numbers.contains) ?? false
        case .words(let words): words.contains(value)
        case .oneOrMore(let item): item.permits(value)
        case .either(let first, let second): first.permits(value) || second.permits(value)
        case .other(_, _, _, let simple): simple?.permits(value) ?? true
        case .number(nil, _), .text, .mapping, .byName, .list, .listOf: true
        }
    }

    /// The value that was probably meant: `0.5` for `0,5`, `true` for `yes`, `5 s` for `5 sec`.
    func probable(_ node: Node) -> String? {
        guard node.isScalar, node.size <= 40 else { return nil }
        // Word processors write these quotes and no-break spaces.
        let marks = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "\"'“”„‘’°"))
        return probable(node.string.trimmingCharacters(in: marks).lowercased())
    }

    private func probable(_ text: String) -> String? {
        switch self {
        case .flag, .onlyTrue:
            if ["true", "yes", "on", "1"].contains(text) { return "true" }
            if case .flag = self, ["false", "no", "off", "0"].contains(text) { return "false" }
            return nil
        case .count, .number, .numbers, .time: return probableNumber(text)
        case .oneOrMore(let item): return item.probable(text)
        case .either(let first, let second): return first.probable(text) ?? second.probable(text)
        case .other(_, _, _, let simple): return simple?.probable(text)
        case .text, .words, .mapping, .byName, .list, .listOf: return nil
        }
    }

    private func probableNumber(_ text: String) -> String? {
        if case .time = self { return Duration.probableText(for: text) }
        // Three digits after a comma may be thousands.
        guard let match = text.wholeMatch(of: /\+?(-?[0-9]+)(\.[0-9]+|,[0-9]{1,2})?\s*\p{L}*/) else { return nil }
        let number = "\(match.1)\(match.2 ?? "")".replacing(",", with: ".")
        switch self {
        case .count where match.2 != nil, .numbers where match.2 != nil: return nil
        default: return number
        }
    }
}
