import Foundation

/// A JSON text of whatever shape, for what is looked at by hand.
public nonisolated enum JSONValue: Codable, Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads whatever is there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes what it is; a whole number without a fraction.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The JSON that a value is encoded as.
    static func encoding(_ value: some Encodable) -> JSONValue {
        // What was encoded a moment ago is JSON.
        guard let decoded = try? JSONDecoder().decode(JSONValue.self, from: Data(value.jsonLine)) else {
            preconditionFailure("\(type(of: value)) is not JSON")
        }
        return decoded
    }

    /// What it is, as an error says it.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "'\(value.prefix(40))'"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

nonisolated extension Encodable {
    /// The value as JSON in one line, keys sorted.
    var jsonLine: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Everything that is encoded here is made of strings, numbers and lists, which cannot fail.
        guard let data = try? encoder.encode(self) else { preconditionFailure("\(Self.self) is not JSON") }
        return Array(data)
    }
}
