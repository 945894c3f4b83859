extension JSONTree {
    /// Reads a value of a type from this value.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try TreeDecoder(self).decode(type)
    }
}

/// Reads the values of one array in turn, or one value.
private final class TreeDecoder: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
    private let value: JSONTree
    private let values: [JSONTree]
    private(set) var currentIndex = 0
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    init(_ value: JSONTree, _ values: [JSONTree]? = nil, at path: [any CodingKey] = []) {
        (self.value, self.values, codingPath) = (value, values ?? [value], path)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw error("an object is expected") }
        return KeyedDecodingContainer(Members(value: value, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let items = value.items else { throw error("an array is expected") }
        return TreeDecoder(value, items, at: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func superDecoder() throws -> any Decoder { try nested() }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }

    private func nested() throws -> TreeDecoder { TreeDecoder(try next { $0 }, at: codingPath) }

    func decodeNil() -> Bool {
        guard !isAtEnd, values[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { value in try Value(from: TreeDecoder(value, at: codingPath)) }
    }

    func decode(_ type: Bool.Type) throws -> Bool { try next(\.bool) }
    func decode(_ type: String.Type) throws -> String { try next(\.string) }
    func decode(_ type: Double.Type) throws -> Double { try next(\.number) }
    func decode(_ type: Float.Type) throws -> Float { try next { $0.number.map { Float($0) } } }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    private func integer<Value: FixedWidthInteger>() throws -> Value {
        try next { value in
            // Digits are read as they are: a Double does not have all integers.
            value.kind == .number
                ? Value(String(decoding: value.json, as: UTF8.self)) ?? value.number.flatMap { Value(exactly: $0) }
                : nil
        }
    }

    private func next<Value>(_ read: (JSONTree) throws -> Value?) throws -> Value {
        guard !isAtEnd, let value = try read(values[currentIndex]) else { throw error("\(Value.self) is expected") }
        currentIndex += 1
        return value
    }

    private func error(_ message: String) -> DecodingError {
        let path = codingPath.map(\.stringValue).joined(separator: ".")
        return .dataCorrupted(
            .init(codingPath: codingPath, debugDescription: path.isEmpty ? message : "'\(path)': \(message)"))
    }
}

/// The values of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let value: JSONTree
    let codingPath: [any CodingKey]
    var allKeys: [Key] { (value.members ?? [:]).keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { value[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { TreeDecoder(value, at: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> TreeDecoder {
        guard let member = value[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "\"\(key.stringValue)\" is missing"))
        }
        return TreeDecoder(member, at: codingPath + [key])
    }
}
