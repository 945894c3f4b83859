import Foundation

/// A JSON value of any type.
package nonisolated enum JSONValue: Encodable, Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    /// A value that is a valid JSON text already; the control server sends it unchanged as a result.
    case encoded([UInt8])

    /// Parses a JSON text in UTF-8; returns nil if it is invalid or nested deeper than `depth`.
    ///
    /// The depth is checked before parsing, so the cost is linear in the text's length. `JSONSerialization`
    /// refuses a text with a number beyond `Double`; the number 1e308 replaces it, which no argument may have either.
    package init?(_ text: some Collection<UInt8>, depth: Int = 64) {
        func object(_ text: Data) -> Any? { try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed) }
        guard Self.isNested(text, within: depth),
            let object = object(Data(text)) ?? object(Data(JSONMembers.limitingNumbers(of: Array(text))))
        else { return nil }
        self.init(object)
    }

    /// Converts a result of `JSONSerialization`.
    private init?(_ object: Any) {
        switch object {
        case is NSNull: self = .null
        case let text as String: self = .string(text)
        case let number as NSNumber:
            // `JSONSerialization` returns booleans as numbers, which differ only in their type; no other JSON number
            // has one byte.
            let isBool = String(cString: number.objCType) == String(cString: NSNumber(value: true).objCType)
            self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
        case let list as [Any]:
            let values = list.compactMap { JSONValue($0) }
            guard values.count == list.count else { return nil }
            self = .array(values)
        case let members as [String: Any]:
            let values = members.compactMapValues { JSONValue($0) }
            guard values.count == members.count else { return nil }
            self = .object(values)
        default: return nil
        }
    }

    /// Whether the nesting depth is at most `limit`. Rejects null bytes: valid JSON in UTF-8 has none, but UTF-16 and
    /// UTF-32 do, and their brackets would be missed.
    private static func isNested(_ text: some Collection<UInt8>, within limit: Int) -> Bool {
        var depth = 0, isInString = false, isEscaped = false
        for byte in text {
            if byte == 0 { return false }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth > limit { return false }
        }
        return true
    }

    /// Encodes the value; an integer without a fraction.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        case .encoded(let text): try container.encode(JSONValue(text))
        }
    }

    /// A value in its JSON encoding.
    package static func encoding(_ value: some Encodable) -> JSONValue {
        // The encoder's output is valid JSON.
        guard let json = JSONValue(value.jsonLine) else { preconditionFailure("\(type(of: value)) is not JSON") }
        return json
    }

    /// The value as shown in error messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "'\(value.prefix(40))'"
        case .array: "a list"
        case .object, .encoded: "an object"
        }
    }
}

nonisolated extension JSONEncoder {
    /// The encoder of everything that touchd writes as JSON: sorted keys, ISO 8601 dates, in one line or indented.
    package static func ofTouchd(indented: Bool = false) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if indented { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.utcText)
        }
        return encoder
    }
}

nonisolated extension Encodable {
    /// The value as JSON, indented and with sorted keys, for people and programs.
    package var jsonText: String {
        get throws { String(decoding: try JSONEncoder.ofTouchd(indented: true).encode(self), as: UTF8.self) }
    }

    /// The value as JSON in one line, with sorted keys.
    package var jsonLine: [UInt8] {
        let encoder = JSONEncoder.ofTouchd()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // All encoded types consist of strings, numbers and arrays, whose encoding cannot fail.
        guard let data = try? encoder.encode(self) else { preconditionFailure("\(Self.self) is not JSON") }
        return Array(data)
    }
}
