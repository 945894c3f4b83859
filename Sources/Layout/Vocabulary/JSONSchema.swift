import ControlProtocol

/// A JSON Schema, whose members keep their order.
package nonisolated indirect enum JSONSchema: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    case object([(String, JSONSchema)]), list([JSONSchema]), text(String), number(Double), int(Int), bool(Bool)

    package init(dictionaryLiteral members: (String, JSONSchema)...) { self = .object(members) }
    package init(arrayLiteral items: JSONSchema...) { self = .list(items) }
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .number(value) }

    /// The text, indented by two spaces for each level; a list or object that fits into a line is one line.
    package func text(indent: Int = 0) -> String {
        switch self {
        case .text(let text): return text.text
        case .number(let number): return number.text
        case .int(let number): return number.text
        case .bool(let value): return value.text
        case .list(let items): return lines(items.map { $0.text(indent: indent + 2) }, "[", "]", indent)
        case .object(let members):
            return lines(members.map { "\($0.text): \($1.text(indent: indent + 2))" }, "{", "}", indent)
        }
    }

    private func lines(_ parts: [String], _ opening: String, _ closing: String, _ indent: Int) -> String {
        let line = opening + parts.joined(separator: ", ") + closing
        if line.count + indent <= 100, !line.contains("\n") { return line }
        let space = String(repeating: " ", count: indent)
        return "\(opening)\n\(space)  " + parts.joined(separator: ",\n\(space)  ") + "\n\(space)\(closing)"
    }

    /// A definition with a name.
    static func reference(_ name: String) -> JSONSchema { ["$ref": .text(start + name)] }

    /// The object's members.
    package var members: [(String, JSONSchema)] { if case .object(let members) = self { members } else { [] } }

    /// The object with more members after its own.
    package func with(_ more: [(String, JSONSchema)]) -> JSONSchema { .object(members + more) }

    /// The value with other names of definitions.
    func naming(_ name: (String) -> String) -> JSONSchema {
        switch self {
        case .list(let items): .list(items.map { $0.naming(name) })
        case .object(let members):
            .object(
                members.map { key, value in
                    guard key == "$ref", case .text(let text) = value else { return (key, value.naming(name)) }
                    return (key, .text(Self.start + name(String(text.dropFirst(Self.start.count)))))
                })
        default: self
        }
    }

    private static let start = "#/$defs/"
}
