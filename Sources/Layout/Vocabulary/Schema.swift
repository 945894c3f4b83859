/// A JSON value whose members keep their order.
nonisolated indirect enum JSON: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    case object([(String, JSON)]), list([JSON]), text(String), number(Double), int(Int), bool(Bool)

    init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }
    init(arrayLiteral items: JSON...) { self = .list(items) }
    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(floatLiteral value: Double) { self = .number(value) }

    /// The text, indented by two spaces for each level; a list or object that fits into a line is one line.
    func text(indent: Int = 0) -> String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return Int(exactly: number).map(String.init) ?? "\(number)"
        case .int(let number): return String(number)
        case .bool(let value): return value ? "true" : "false"
        case .list(let items): return lines(items.map { $0.text(indent: indent + 2) }, "[", "]", indent)
        case .object(let members):
            return lines(members.map { "\(Self.quoted($0)): \($1.text(indent: indent + 2))" }, "{", "}", indent)
        }
    }

    private func lines(_ parts: [String], _ opening: String, _ closing: String, _ indent: Int) -> String {
        let line = opening + parts.joined(separator: ", ") + closing
        if line.count + indent <= 100, !line.contains("\n") { return line }
        let space = String(repeating: " ", count: indent)
        return "\(opening)\n\(space)  " + parts.joined(separator: ",\n\(space)  ") + "\n\(space)\(closing)"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The object with more members after its own.
    func with(_ more: [(String, JSON)]) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members + more)
    }
}

nonisolated extension Word {
    /// The schema of the value, with sentence and default.
    var described: JSON {
        let type = isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema
        let text = sentence + (fallback.map { " Default: \($0)." } ?? "")
        return JSON.object([("description", .text(text))]).with(type.members)
    }
}

nonisolated extension JSON {
    var members: [(String, JSON)] { if case .object(let members) = self { members } else { [] } }
}

nonisolated extension Table {
    /// The schema of the section at a place.
    func schema(at place: Place) -> JSON {
        let words = words.filter { $0.place.contains(place) }
        let required = place == .defaults ? [] : words.filter(\.isRequired).map { JSON.text($0.name) }
        return JSON.object([
            ("description", .text(sentence)), ("type", "object"),
            ("properties", .object(words.map { ($0.name, $0.described) })), ("additionalProperties", false),
        ])
        .with(required.isEmpty ? [] : [("required", .list(required))])
        .with(place == .defaults ? [] : rules.map { ($0.key, $0.value) })
    }

    /// The schema of layouts, for editors.
    package func schemaDocument(types: KeyValuePairs<String, JSON>) -> String {
        let sections = family.dropFirst().map { ($0.key, $0.schema(at: .inside)) }
        let definitions = types.map { ($0.key, $0.value) } + sections
        return JSON.object([("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "touchd's layout")])
            .with(schema(at: .mainFile).members).with([("$defs", .object(definitions))]).text() + "\n"
    }
}
