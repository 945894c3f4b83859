import ArgumentParser
import ControlProtocol
import Layout

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of layouts, for editors, or of the control socket's lines.",
        discussion: """
            The packages install it. With its path in the first line of a layout, an editor completes and checks keys:
              # yaml-language-server: $schema=/usr/share/touchd/touchd.schema.json
            """)

    @Flag(name: .customLong("protocol"), help: "Print the schema of the control socket's lines.")
    var isOfProtocol = false

    func run() { print(isOfProtocol ? ProtocolSchema.text : LayoutVocabulary().schema, terminator: "") }
}

/// The JSON Schema of the control socket's lines, from the tables of requests, answers and events.
///
/// A line may have more members than the schema: a reader ignores those that it does not know.
struct ProtocolSchema {
    private var definitions: [(String, JSONSchema)] = [("id", ["type": ["string", "integer"]])]
    private var records: Set<String> = []

    static var text: String {
        var schema = ProtocolSchema()
        let requests = ControlRequest.all.map { schema.define("request-\($0.name)", schema.request($0)) }
        let events = EventTable.all.map { schema.define("event-\($0.event)", schema.event($0)) }
        for request in ControlRequest.all {
            _ = schema.define("result-\(request.name)", schema.schema(request.answer.form))
        }
        let answer: JSONSchema = [
            "description": "The `result` of the request NAME is `result-NAME`.", "type": "object",
            "properties": ["id": id, "result": [:], "error": schema.schema(ControlError.form)],
            "oneOf": [["required": ["result"]], ["required": ["error"]]],
        ]
        let lines = [
            schema.define("request", ["anyOf": .list(requests)]), schema.define("answer", answer),
            schema.define("event", ["anyOf": .list(events)]),
        ]
        let root: JSONSchema = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .text("urn:touchd:control-protocol:\(ControlRequest.protocolVersion)"),
            "title": "A line of touchd's control socket", "anyOf": .list(lines), "$defs": .object(schema.definitions),
        ]
        return root.text() + "\n"
    }

    private static let id = reference("id")

    private static func reference(_ name: String) -> JSONSchema { ["$ref": .text("#/$defs/\(name)")] }

    private mutating func define(_ name: String, _ schema: JSONSchema) -> JSONSchema {
        definitions.append((name, schema))
        return Self.reference(name)
    }

    private mutating func request(_ request: ControlRequest) -> JSONSchema {
        var request = request
        let members: [(String, JSONSchema)] = [("request", ["const": .text(request.name)]), ("id", Self.id)]
        return object(of: ControlRequest.self, members, requires: "request") { request.visit(&$0) }
    }

    private mutating func event<Record: EventRecord>(_ type: Record.Type) -> JSONSchema {
        object(of: type, [("event", ["const": .text("\(type.event)")])], requires: "event") { type.members(&$0) }
    }

    private mutating func record<Record: JSONRecord>(_ type: Record.Type) -> JSONSchema {
        let name = String(reflecting: type).replacing("ControlProtocol.", with: "")
        guard records.insert(name).inserted else { return Self.reference(name) }
        return define(name, object(of: type) { type.members(&$0) })
    }

    /// The schema of an object: the given members, and those that a visitor sees.
    private mutating func object<Record>(
        of type: Record.Type, _ members: [(String, JSONSchema)] = [], requires name: String? = nil,
        _ visit: (inout Visitor<Record>) -> Void
    ) -> JSONSchema {
        var visitor = Visitor<Record>(schema: self, properties: members, required: name.map { [.text($0)] } ?? [])
        visit(&visitor)
        self = visitor.schema
        return visitor.object
    }

    fileprivate mutating func schema(_ form: JSONForm) -> JSONSchema {
        switch form {
        case .text: ["type": "string"]
        case .number: ["type": "number"]
        case .integer: ["type": "integer"]
        case .bool: ["type": "boolean"]
        case .any: [:]
        case .choice(let texts): ["enum": .list(texts.map { .text($0) })]
        case .list(let item): ["type": "array", "items": schema(item)]
        case .numbers(let count):
            ["type": "array", "items": ["type": "number"], "minItems": .int(count), "maxItems": .int(count)]
        case .object(let value): ["type": "object", "additionalProperties": schema(value)]
        case .record(let type): record(type)
        case .either(let one, let other): ["anyOf": [schema(one), schema(other)]]
        case .optional(let form): schema(form)
        case .orNull(let form): ["anyOf": [schema(form), ["type": "null"]]]
        }
    }
}

/// Collects the members of an object.
private struct Visitor<Record>: MemberVisitor, CaseVisitor {
    var schema: ProtocolSchema
    var properties: [(String, JSONSchema)] = [], required: [JSONSchema] = []

    var object: JSONSchema { ["type": "object", "properties": .object(properties), "required": .list(required)] }

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {
        let symbol = unit.map { "\($0.symbol)" } ?? ""
        let description: JSONSchema = ["description": .text("\(meaning)" + (symbol.isEmpty ? "" : " (\(symbol))"))]
        properties.append(("\(name)", description.with(schema.schema(Value.form).members)))
        // An older touchd may not have a metric.
        if case .optional = Value.form {} else if unit?.metric == nil { required.append(.text("\(name)")) }
    }

    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) {
        let isText = value is String || value is String?
        let limits = kind.range.map { range -> [(String, JSONSchema)] in
            let names = isText ? ("minLength", "maxLength") : ("minimum", "maximum")
            return [(names.0, .number(range.lowerBound)), (names.1, .number(range.upperBound))]
        }
        properties.append(
            (
                "\(name)",
                JSONSchema.object([("description", .text("\(meaning)"))]).with(schema.schema(Value.form).members)
                    .with(limits ?? [])
            ))
        if !kind.isOptional { required.append(.text("\(name)")) }
    }
}
