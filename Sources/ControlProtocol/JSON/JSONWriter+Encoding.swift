import Foundation

extension Encodable {
    /// The value as JSON in one line.
    package var jsonLine: [UInt8] {
        var writer = JSONWriter()
        writer.write(encoding: self)
        return writer.bytes
    }

    /// The value as JSON in one line, or indented for people.
    package func jsonText(indented: Bool = false) -> String {
        var writer = JSONWriter(indented: indented)
        writer.write(encoding: self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes a value whose type lists its members itself; a date in ISO 8601.
    ///
    /// A table of members (`EventRecord`) costs a third. It is for what is written while touches are delivered.
    package mutating func write(encoding value: some Encodable) {
        let target = Target()
        swap(&self, &target.writer)
        // All types consist of strings, numbers, arrays and objects, whose encoding cannot fail.
        guard (try? target.write(value, at: target.writer.depth)) != nil else {
            preconditionFailure("\(type(of: value)) is not JSON")
        }
        swap(&self, &target.writer)
    }
}

/// The writer of all containers of a value.
private final class Target {
    var writer = JSONWriter()

    func write(_ value: some Encodable, at depth: Int) throws {
        writer.end(to: depth)
        switch value {
        case let date as Date: writer.write(date.utcText)
        case let members as any SortedMembers: try members.write(to: self, at: depth)
        default: try value.encode(to: ValueEncoder(target: self, depth: depth))
        }
        writer.end(to: depth)
    }
}

/// A dictionary, whose members are written by name: its own order changes with each start.
private protocol SortedMembers {
    func write(to target: Target, at depth: Int) throws
}

extension Dictionary: SortedMembers where Key == String, Value: Encodable {
    fileprivate func write(to target: Target, at depth: Int) throws {
        target.writer.beginObject()
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            target.writer.name(name)
            try target.write(value, at: depth + 1)
        }
    }
}

/// Writes a value, or the values of an array. Begun objects and arrays end with the next value of those around them.
private struct ValueEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    let target: Target
    /// How many objects and arrays are around the value.
    let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(target: Target, depth: Int) { (self.target, self.depth) = (target, depth) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        target.writer.end(to: depth)
        target.writer.beginObject()
        return KeyedEncodingContainer(MemberEncoder(target: target, depth: depth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        target.writer.end(to: depth)
        target.writer.beginArray()
        return ValueEncoder(target: target, depth: depth + 1)
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unkeyedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func superEncoder() -> any Encoder { self }

    func encode(_ value: some Encodable) throws { try target.write(value, at: depth) }
    func encodeNil() { write { $0.writeNull() } }
    func encode(_ value: Bool) { write { $0.write(value) } }
    func encode(_ value: String) { write { $0.write(value) } }
    func encode(_ value: Double) { write { $0.write(value) } }
    func encode(_ value: Float) { write { $0.write(Double(value)) } }
    func encode(_ value: Int) { write { $0.write(value) } }
    func encode(_ value: Int8) { write { $0.write(Int(value)) } }
    func encode(_ value: Int16) { write { $0.write(Int(value)) } }
    func encode(_ value: Int32) { write { $0.write(Int(value)) } }
    func encode(_ value: Int64) { write { $0.write(Int(value)) } }
    func encode(_ value: UInt) { write { $0.write(UInt64(value)) } }
    func encode(_ value: UInt8) { write { $0.write(Int(value)) } }
    func encode(_ value: UInt16) { write { $0.write(Int(value)) } }
    func encode(_ value: UInt32) { write { $0.write(Int(value)) } }
    func encode(_ value: UInt64) { write { $0.write(value) } }

    private func write(_ body: (inout JSONWriter) -> Void) {
        target.writer.end(to: depth)
        body(&target.writer)
    }
}

/// Writes the members of an object.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: Target
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func encode(_ value: some Encodable, forKey key: Key) throws { try self.value(key).encode(value) }
    func encodeNil(forKey key: Key) { value(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { self.value(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { value(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { value(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { ValueEncoder(target: target, depth: depth) }
    func superEncoder(forKey key: Key) -> any Encoder { value(key) }

    /// Begins a member.
    private func value(_ key: Key) -> ValueEncoder {
        target.writer.end(to: depth)
        target.writer.name(key.stringValue)
        return ValueEncoder(target: target, depth: depth)
    }
}
