/// A value that has a form in JSON.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
    /// Whether an object has no member for the value.
    var isAbsent: Bool { get }
    /// The value's type in JSON, for the schema and the documentation.
    static var form: JSONForm { get }
}

/// A value that is read from JSON.
package protocol JSONReadable {
    init(json: JSONTree) throws(MemberError)
    /// The value of a member that an object does not have; nil if an object must have it.
    static var absent: Self? { get }
}

/// A value that is written and read back.
package typealias JSONValue = JSONWritable & JSONReadable

extension JSONWritable {
    package var isAbsent: Bool { false }
    package static var form: JSONForm { .any }

    /// The value as JSON in one line.
    package var jsonLine: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The value as a line with its newline.
    package var line: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        writer.endLine()
        return writer.bytes
    }

    /// The value as a text in one line.
    package var text: String { jsonText() }

    /// The value as a text in one line, or indented for people.
    package func jsonText(indented: Bool = false) -> String {
        var writer = JSONWriter(indented: indented)
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONReadable {
    package static var absent: Self? { nil }
}

/// A value that is an object in JSON. One table lists its members.
///
/// Only the table has their names, units and meanings: the writer, the reader, the metrics, the readable status and the
/// documentation visit it.
package protocol JSONRecord: JSONWritable, Sendable {
    /// Visits the members in the order in which they are written.
    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor)
}

/// A record that programs also read.
package protocol JSONMessage: JSONRecord, JSONReadable {
    /// A record without values, which are set afterwards.
    init()
}

/// Sees each member of a type of record.
package protocol MemberVisitor<Record>: ~Copyable {
    associatedtype Record

    /// Sees a member that is only written.
    ///
    /// - Parameters:
    ///   - name: Its name in JSON.
    ///   - unit: The unit of a number.
    ///   - meaning: Its meaning, for the documentation.
    ///   - value: Its value; an object has no member for nil.
    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value)

    /// Sees a member that is written and read.
    mutating func member<Value: JSONValue>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ path: WritableKeyPath<Record, Value>)

    /// Sees a gauge that is not a member.
    mutating func metric(_ name: StaticString, _ meaning: StaticString, _ samples: (Record) -> [MetricSample])
}

extension MemberVisitor where Self: ~Copyable {
    // The optimizer replaces a key path that is written in a table by its property. So it costs as much as a closure.
    @inline(__always)
    package mutating func member<Value: JSONValue>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ path: WritableKeyPath<Record, Value>
    ) { member(name, unit, meaning) { $0[keyPath: path] } }

    /// Sees a member without a unit.
    @inline(__always)
    package mutating func member<Value: JSONValue>(
        _ name: StaticString, _ meaning: StaticString, _ path: WritableKeyPath<Record, Value>
    ) { member(name, nil, meaning, path) }

    /// Sees a member without a unit that is only written.
    @inline(__always)
    package mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ meaning: StaticString, _ value: (Record) -> Value
    ) { member(name, nil, meaning, value) }

    package mutating func metric(
        _ name: StaticString, _ meaning: StaticString, _ samples: (Record) -> [MetricSample]
    ) {}
}

/// The unit of a number, and how it is a metric.
package struct MemberUnit: Sendable {
    private var unit: StaticString = ""
    /// The metric of Prometheus that the member is; nil if it is only a member.
    package private(set) var metric: Metric?
    /// The symbol of the unit; empty for a count.
    package var symbol: StaticString { metric?.isDuration == true ? "s" : unit }

    package static var seconds: MemberUnit { MemberUnit(unit: "s") }
    package static var points: MemberUnit { MemberUnit(unit: "pt") }
    package static var radians: MemberUnit { MemberUnit(unit: "rad") }
    package static var perSecond: MemberUnit { MemberUnit(unit: "1/s") }
}

// MARK: Writing

private struct MemberWriter<Record>: MemberVisitor, ~Copyable {
    let record: Record
    var writer: JSONWriter

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) { writer.member(name, value(record)) }
}

extension JSONWriter {
    /// Writes a member of an object, whose name has no characters that JSON escapes; nothing for nil.
    package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        if value.isAbsent { return }
        self.name(name)
        value.write(to: &self)
    }

    /// Writes the members of a record in an object that has begun.
    mutating func write<Record: JSONRecord>(membersOf record: Record) {
        var members = MemberWriter(record: record, writer: consume self)
        Record.members(&members)
        self = members.writer
    }
}

extension JSONRecord {
    package static var form: JSONForm { .record(Self.self) }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.write(membersOf: self)
        writer.end()
    }
}

// MARK: Reading

private struct MemberReader<Record>: MemberVisitor {
    let json: JSONTree
    var record: Record
    var error: MemberError?

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {}

    mutating func member<Value: JSONValue>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ path: WritableKeyPath<Record, Value>
    ) {
        guard error == nil else { return }
        let name = "\(name)"
        do throws(MemberError) {
            if let member = json[name] {
                record[keyPath: path] = try Value(json: member)
            } else if let absent = Value.absent {
                record[keyPath: path] = absent
            } else if unit?.metric == nil || unit?.metric?.kind == .label {
                // An older touchd may not have a metric.
                throw MemberError("is missing")
            }
        } catch {
            self.error = error.within(name)
        }
    }
}

extension JSONMessage {
    /// Creates a record and sets its values.
    package init(_ body: (inout Self) -> Void) {
        self.init()
        body(&self)
    }

    package init(json: JSONTree) throws(MemberError) {
        guard json.kind == .object else { throw MemberError("an object is expected") }
        var reader = MemberReader(json: json, record: Self())
        Self.members(&reader)
        if let error = reader.error { throw error }
        self = reader.record
    }
}

extension MemberUnit {
    /// A value that rises and falls.
    package static func gauge(_ name: StaticString) -> MemberUnit {
        MemberUnit(metric: Metric(kind: .gauge, name: name))
    }

    /// A count since touchd started.
    package static func counter(
        _ name: StaticString, _ label: StaticString? = nil, _ value: StaticString? = nil, help: StaticString? = nil
    ) -> MemberUnit { MemberUnit(metric: Metric(kind: .counter, name: name, label: label, value: value, help: help)) }

    /// Statistics of durations.
    package static func summary(_ name: StaticString) -> MemberUnit {
        MemberUnit(metric: Metric(kind: .summary, name: name))
    }

    /// The label of an object's metrics.
    package static func label(_ name: StaticString) -> MemberUnit {
        MemberUnit(metric: Metric(kind: .label, name: name))
    }
}
