/// An event of the control socket. One table lists its members, for the writer and the documentation.
package protocol EventRecord: JSONWritable, Sendable {
    /// The value of the member `event`, which is the first one.
    static var event: StaticString { get }

    /// Visits the members in the order in which they are written.
    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor)
}

/// Sees each member of a type of event.
package protocol MemberVisitor<Record>: ~Copyable {
    associatedtype Record

    /// Sees a member.
    ///
    /// - Parameters:
    ///   - name: Its name in JSON.
    ///   - unit: The unit of a number.
    ///   - meaning: Its meaning, for the documentation.
    ///   - value: Its value; an object has no member for nil.
    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value)
}

extension MemberVisitor where Self: ~Copyable {
    /// Sees a member that is no number, or a number without a unit.
    @inline(__always)
    package mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ meaning: StaticString, _ value: (Record) -> Value
    ) { member(name, nil, meaning, value) }
}

/// The unit of a number.
package enum MemberUnit: String, Sendable {
    case seconds = "s", points = "pt", radians = "rad", perSecond = "1/s", pointsPerSecond = "pt/s"
}

/// A value whose member is null, not absent, without a value.
package struct OrNull<Value: JSONWritable>: JSONWritable {
    private let value: Value?

    package init(_ value: Value?) { self.value = value }

    package func write(to writer: inout JSONWriter) {
        if let value { value.write(to: &writer) } else { writer.writeNull() }
    }
}

/// Writes the members of an event.
private struct MemberWriter<Record>: MemberVisitor, ~Copyable {
    let record: Record
    var writer: JSONWriter

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) { writer.member(name, value(record)) }
}

extension JSONWriter {
    /// Writes an event.
    ///
    /// Each event calls it from a method in this module: a generic call from another one costs twice as much.
    mutating func write<Record: EventRecord>(event record: Record) {
        beginObject()
        name("event")
        write(text: Record.event)
        var members = MemberWriter(record: record, writer: consume self)
        Record.members(&members)
        self = members.writer
        end()
    }
}
