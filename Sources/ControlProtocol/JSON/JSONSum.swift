/// A value of one of several cases, each of which is an object with its own members in JSON.
///
/// One function visits the members of all cases: the writer, the reader and the documentation call it.
package protocol JSONSum: JSONValue, Sendable {
    /// A value of each case, whose members a reader replaces. The name of the first member tells the cases apart.
    static var prototypes: [Self] { get }

    /// Visits the members of the case, in the order in which they are written, and changes those that the visitor reads.
    mutating func visit<Visitor: CaseVisitor & ~Copyable>(_ visitor: inout Visitor) throws(Visitor.Failure)
}

/// Sees each member of a case, and may change its value.
package protocol CaseVisitor: ~Copyable {
    associatedtype Failure: Error

    /// Sees a member.
    ///
    /// - Parameters:
    ///   - name: Its name in JSON.
    ///   - kind: Its values.
    ///   - meaning: Its meaning, for the documentation.
    ///   - value: Its value.
    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) throws(Failure)
}

extension CaseVisitor where Self: ~Copyable {
    /// Sees a member of messages between our own processes, whose types have the documentation.
    package mutating func member<Value: JSONValue & Sendable>(
        _ name: StaticString, _ value: inout Value
    ) throws(Failure) { try member(name, .any, "", &value) }

    /// Sees the only member of a case between our own processes, and makes the case of the value that it then has.
    package mutating func member<Value: JSONValue & Sendable, Case>(
        _ name: StaticString, _ value: Value, _ makeCase: (Value) -> Case
    ) throws(Failure) -> Case {
        var value = value
        try member(name, &value)
        return makeCase(value)
    }

    /// Sees the only member of a case without a value, which is `true`.
    package mutating func mark(_ name: StaticString) throws(Failure) {
        var isMarked = true
        try member(name, &isMarked)
    }
}

/// Which values a member of a case may have.
package struct CaseMember<Value: JSONWritable & Sendable>: Sendable {
    /// The values, for error messages; made only for one, because most messages have no error.
    let expected: @Sendable () -> String
    /// Whether the member may be absent.
    package private(set) var isOptional = false
    /// The least and the greatest number, or length of a text in characters.
    package private(set) var range: ClosedRange<Double>?
    /// Reads a value; nil for another one. A `MemberError` has the expected values, if there is more to say.
    let read: @Sendable (JSONTree) throws -> Value?

    init(
        expected: @escaping @Sendable () -> String, isOptional: Bool = false, range: ClosedRange<Double>? = nil,
        read: @escaping @Sendable (JSONTree) throws -> Value?
    ) { (self.expected, self.isOptional, self.range, self.read) = (expected, isOptional, range, read) }

    /// The same values for a member that may be absent.
    var ifAny: CaseMember<Value?> {
        CaseMember<Value?>(expected: expected, isOptional: true, range: range) { try read($0).map { .some($0) } }
    }
}

extension CaseMember where Value: JSONReadable {
    /// All values of the type.
    fileprivate static var any: Self { Self(expected: { "a value" }) { try Value(json: $0) } }
}

struct CaseWriter: CaseVisitor, ~Copyable {
    var writer: JSONWriter

    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) { writer.member(name, value) }
}

private struct CaseReader: CaseVisitor {
    let json: JSONTree

    func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) throws(MemberError) {
        do {
            guard let read = try json["\(name)"].flatMap(kind.read) else { throw MemberError("\(name) is expected") }
            value = read
        } catch let error as MemberError {
            throw error
        } catch {
            throw MemberError("\(error)")
        }
    }
}

/// Keeps the name of the first member.
private struct CaseName: CaseVisitor {
    var name: String?

    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) { self.name = self.name ?? "\(name)" }
}

extension JSONSum {
    private var caseName: String? {
        var (copy, visitor) = (self, CaseName())
        copy.visit(&visitor)
        return visitor.name
    }

    package func write(to writer: inout JSONWriter) {
        var copy = self
        writer.beginObject()
        var visitor = CaseWriter(writer: consume writer)
        copy.visit(&visitor)
        writer = visitor.writer
        writer.end()
    }

    package init(json: JSONTree) throws(MemberError) {
        guard let name = json.firstMember?.name, var value = Self.prototypes.first(where: { $0.caseName == name })
        else {
            throw MemberError("another message is expected")
        }
        var visitor = CaseReader(json: json)
        try value.visit(&visitor)
        self = value
    }
}
