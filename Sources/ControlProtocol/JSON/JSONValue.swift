extension JSONTree: JSONValue {
    package static var form: JSONForm { .list(.any) }
    package func write(to writer: inout JSONWriter) { writer.write(json: json) }
    package init(json: JSONTree) { self = json }

    /// Reads a value of a type from this value.
    package func decode<Value: JSONReadable>(_ type: Value.Type = Value.self) throws(MemberError) -> Value {
        try Value(json: self)
    }

    /// A value that was read; an error for nil.
    func expect<Value>(_ value: Value?, _ form: String) throws(MemberError) -> Value {
        guard let value else { throw MemberError("\(form) is expected") }
        return value
    }
}

extension String: JSONValue {
    package static var form: JSONForm { .text }
    package func write(to writer: inout JSONWriter) { writer.write(self) }
    package init(json: JSONTree) throws(MemberError) { self = try json.expect(json.string, "a text") }
}

extension Double: JSONValue {
    package static var form: JSONForm { .number }
    package func write(to writer: inout JSONWriter) { writer.write(self) }
    package init(json: JSONTree) throws(MemberError) { self = try json.expect(json.number, "a number") }
}

extension Bool: JSONValue {
    package static var form: JSONForm { .bool }
    package func write(to writer: inout JSONWriter) { writer.write(self) }
    package init(json: JSONTree) throws(MemberError) { self = try json.expect(json.bool, "true or false") }
}

extension Int: JSONValue {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UInt64: JSONValue {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int32: JSONValue {}

extension UInt32: JSONValue {}

extension JSONWritable where Self: FixedWidthInteger {
    package static var form: JSONForm { .integer }
    package func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension JSONReadable where Self: FixedWidthInteger {
    package init(json: JSONTree) throws(MemberError) {
        // Digits are read as they are: a Double does not have all integers.
        let digits = json.kind == .number ? Self(String(decoding: json.json, as: UTF8.self)) : nil
        self = try json.expect(digits ?? json.number.flatMap { Self(exactly: $0) }, "\(Self.self)")
    }
}

extension JSONWritable where Self: RawRepresentable, RawValue == String {
    package func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

extension JSONWritable where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var form: JSONForm { .choice(allCases.map(\.rawValue)) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == String {
    package init(json: JSONTree) throws(MemberError) {
        self = try json.expect(Self(rawValue: String(json: json)), "another text")
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package static var form: JSONForm { .list(Element.form) }
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.end()
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    package init(json: JSONTree) throws(MemberError) {
        self = []
        for (index, item) in try json.expect(json.items, "a list").enumerated() {
            do throws(MemberError) { append(try Element(json: item)) } catch { throw error.within("\(index)") }
        }
    }
}

/// An object whose members have names that no table lists. They are written by name: a dictionary's own order changes
/// with each start.
extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    package static var form: JSONForm { .object(Value.form) }
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            value.write(to: &writer)
        }
        writer.end()
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    package init(json: JSONTree) throws(MemberError) {
        self = [:]
        for (name, value) in try json.expect(json.members, "an object") {
            do throws(MemberError) { self[name] = try Value(json: value) } catch { throw error.within(name) }
        }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.writeNull() }
    }

    package var isAbsent: Bool { if case nil = self { true } else { false } }
    package static var form: JSONForm { .optional(Wrapped.form) }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    package init(json: JSONTree) throws(MemberError) { self = json.isNull ? nil : try Wrapped(json: json) }
    package static var absent: Self? { .some(nil) }
}

/// A value whose member is null, not absent, without a value.
package struct OrNull<Value: JSONWritable>: JSONWritable {
    fileprivate let value: Value?

    package init(_ value: Value?) { self.value = value }

    package static var form: JSONForm { .orNull(Value.form) }

    package func write(to writer: inout JSONWriter) { value.write(to: &writer) }
}

extension OrNull: JSONReadable where Value: JSONReadable {
    package init(json: JSONTree) throws(MemberError) { value = try Value?(json: json) }
}

extension Optional where Wrapped: JSONValue {
    /// The value as a member that is null without one.
    package var orNull: OrNull<Wrapped> {
        get { OrNull(self) }
        set { self = newValue.value }
    }
}
