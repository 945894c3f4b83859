nonisolated extension Word {
    /// The schema of the value, with sentence and default.
    func described(at scope: WordScope) -> JSONSchema {
        let type = isNullable && scope != .defaults ? ["anyOf": [form.schema, ["type": "null"]]] : form.schema
        return JSONSchema.object([("description", .text(explained))]).with(type.members)
    }
}

nonisolated extension Table {
    /// The schema of the section at a scope.
    func schema(at scope: WordScope) -> JSONSchema {
        let words = words.filter { $0.scope.contains(scope) }
        // The words of a section that may be missing may come from `defaults:`.
        let required =
            scope == .defaults || isNullable ? [] : words.filter(\.isRequired).map { JSONSchema.text($0.name) }
        // Of words that may stand without a value, there is one; its name may stand for the mapping.
        let kinds = scope == .defaults ? [] : nullable.map { JSONSchema.text($0) }
        let members: [(String, JSONSchema)] = [
            ("type", "object"), ("properties", .object(words.map { ($0.name, $0.described(at: scope)) })),
            ("additionalProperties", false),
        ]
        let mapping = JSONSchema.object(members)
            .with(required.isEmpty ? [] : [("required", .list(required))])
            .with(kinds.isEmpty ? [] : [("oneOf", .list(kinds.map { ["required": [$0]] }))])
            .with(rules.map { ($0.key, $0.value) })
        let scalar = short.map { self.words[$0].form.schema } ?? (kinds.isEmpty ? nil : ["enum": .list(kinds)])
        return JSONSchema.object([("description", .text(sentence))])
            .with(scalar.map { [("anyOf", [$0, mapping])] } ?? mapping.members)
    }
}

/// A part of the schema that is no section, and the sections in it.
nonisolated struct SharedType: Sendable {
    var name: String
    var schema: JSONSchema
    var sections: @Sendable () -> [Table] = { [] }

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

// MARK: - Shared types

nonisolated extension SharedType {
    /// The types that words share, and those whose values code reads.
    static let all: [SharedType] = [
        SharedType(
            name: "text",
            schema: [
                "description": "A text; numbers, true and false are used as written.",
                "type": ["string", "number", "boolean"],
            ]),
        SharedType(
            name: "name",
            schema: JSONSchema.object([
                (
                    "description",
                    "A name of 1 to 128 letters, digits, '_', '.' and '-'; its words begin with a letter or digit."
                ), ("type", ["string", "number", "boolean"]),
            ]).with(named.members)),
        SharedType(
            name: "label",
            schema: [
                "description": "A text of 1 to 128 characters, without control characters.",
                "type": ["string", "number", "boolean"], "minLength": 1, "maxLength": .int(LayoutLimit.nameLength),
                "pattern": #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
            ]),
        SharedType(
            name: "names",
            schema: ["description": "One name or a list of them.", "anyOf": [text, ["type": "array", "items": text]]]),
        SharedType(
            name: "template",
            schema: [
                "description": "A text that can contain facts: {view}, {x}; {{ and }} are literal braces.",
                "type": ["string", "number", "boolean"],
                "pattern": #"^([^{}]|\{\{|\}\}|\{[^{}]*\})*$"#,
            ],
            sections: { [Fact.table] }),
        SharedType(
            name: "topic-start",
            schema: [
                "type": "string", "minLength": 1, "maxLength": .int(LayoutLimit.nameLength),
                "pattern": .text(
                    #"^[^/+#$\u0000-\u001f\u007f-\u009f]([^+#$\u0000-\u001f\u007f-\u009f]*"#
                        + #"[^/+#$\u0000-\u001f\u007f-\u009f])?$"#),
            ]),
        SharedType(
            name: "time",
            schema: [
                "description": "Seconds, or a number with its unit: 500 ms, 10 min, 12 h, 2 d.",
                "anyOf": [
                    ["type": "number", "minimum": 0], ["type": "string", "pattern": "^[0-9.]+ *(ms|s|min|h|d)?$"],
                ],
            ]),
        SharedType(
            name: "length",
            schema: [
                "description": "Points, or a percentage of the superview like 50%.",
                "anyOf": [
                    ["type": "number"],
                    ["type": "string", "pattern": #"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?%$"#],
                ],
            ]),
        SharedType(name: "size", schema: list(of: number(1, 100_000), 2)),
        SharedType(name: "frame", schema: list(of: .reference("length"), 4)),
        SharedType(name: "edges", schema: ["anyOf": [number(0, 10_000), list(of: number(0, 10_000), 4)]]),
        SharedType(name: "scale", schema: ["anyOf": [scale, list(of: scale, 2)]]),
        SharedType(name: "translate", schema: list(of: number(-1_000_000, 1_000_000), 2)),
        SharedType(
            name: "polygon",
            schema: [
                "type": "array", "minItems": 3, "maxItems": 1000, "items": list(of: .reference("length"), 2),
            ]),
        SharedType(
            name: "screens",
            schema: JSONSchema.object([("minProperties", 1), ("maxProperties", .int(LayoutLimit.screens))])
                .with(named(.reference("screen")).members),
            sections: { [ScreenSpec.table] }),
        SharedType(
            name: "pages", schema: named(["anyOf": [.reference("page"), ["type": "null"]]]),
            sections: { [PageSpec.table] }),
        SharedType(
            name: "steps",
            schema: [
                "description": "A handler's name, an action, or a list of them, which run in order.",
                "anyOf": [text, step, ["type": "array", "items": ["anyOf": [text, step]]]],
            ],
            sections: { [StepWords.table] }),
        SharedType(
            name: "command",
            schema: [
                "description": "The program's absolute path and its arguments; there is no shell.",
                "type": "array", "minItems": 1,
                "prefixItems": [["type": "string", "pattern": #"^/([^{}]|\{\{|\}\})*$"#]],
                "items": [
                    "$ref": "#/$defs/template",
                    "not": ["type": "string", "pattern": .text("(^|[^{])\\{(\(texts))\\}")],
                ],
            ]),
        SharedType(
            name: "url",
            schema: [
                "type": "string",
                "pattern": #"^https?://([^{}]|\{\{|\}\})([^{}]|\{\{|\}\}|\{[^{}]*\})*$"#,
            ]),
        SharedType(
            name: "views",
            schema: [
                "type": "array",
                "items": [
                    "if": ["type": "object", "required": ["repeat"]],
                    "then": .reference("grid"), "else": ["$ref": "#/$defs/view", "oneOf": PlaceWords.frames],
                ],
            ],
            sections: { [ViewWords.table, PlaceWords.table, GridWords.table] }),
        SharedType(
            name: "cell-names", schema: ["type": "array", "items": ["type": ["string", "number", "boolean", "null"]]]),
        SharedType(name: "distance", schema: list(of: .reference("length"), 2)),
        SharedType(name: "gap", schema: ["anyOf": [number(0, 100_000), list(of: number(0, 100_000), 2)]]),
        SharedType(
            name: "gestures",
            schema: [
                "type": "array", "maxItems": .int(LayoutLimit.gesturesOfTouch), "items": .reference("gesture"),
            ],
            sections: { [GestureWords.table] }),
    ]

    private static let texts = Fact.allCases.filter { $0.kind == .text }.map(\.rawValue).joined(separator: "|")
    private static let text = JSONSchema.reference("text"), step = JSONSchema.reference("step")
    /// A name, which in a grid may contain facts. Not every validator knows the classes of Unicode, so all characters above
    /// ASCII may be letters.
    private static let named: JSONSchema = {
        let fact = #"\{[^{}]*\}"#, first = #"(?:[^\u0000-/:-@\[-`{-\u00a9]|\#(fact))"#
        let next = #"(?:[^\u0000-,/:-@\[-^`{-\u00a9]|\#(fact))*"#
        return [
            "minLength": 1, "maxLength": .int(LayoutLimit.nameLength),
            "pattern": .text("^\(first)\(next)( \(first)\(next))*$"),
        ]
    }()
    private static let scale: JSONSchema = ["anyOf": [number(0.001, 1000), number(-1000, -0.001)]]

    private static func number(_ minimum: Double, _ maximum: Double) -> JSONSchema {
        ["type": "number", "minimum": .number(minimum), "maximum": .number(maximum)]
    }

    private static func list(of item: JSONSchema, _ count: Int) -> JSONSchema {
        [
            "type": "array", "minItems": .int(count), "prefixItems": .list(Array(repeating: item, count: count)),
            "items": false,
        ]
    }

    /// A mapping whose keys are names.
    private static func named(_ value: JSONSchema) -> JSONSchema {
        ["type": "object", "propertyNames": named, "additionalProperties": value]
    }
}
