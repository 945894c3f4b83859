import ControlProtocol
import Foundation
import Testing

@Suite("The tables of messages") struct MessageTableTests {
    private nonisolated static let messages: [any JSONMessage.Type] = [
        StatusReport.self, LayoutState.self, LayoutState.Publication.self, HitReport.self, DeviceState.self,
        RecordingPart.self, PageState.self, ViewList.self, InspectionRecord.self, RehearsalRecord.self,
    ]

    @Test("a message with any values is read back as it was written", arguments: messages.indices)
    func roundTrip(_ index: Int) throws {
        for _ in 0..<200 { try Self.check(Self.messages[index]) }
    }

    private nonisolated static func check<Message: JSONMessage>(_ type: Message.Type) throws {
        let message = Message.random
        #expect(try JSONTree(message.line).decode(Message.self).text == message.text)
        #expect(try JSONTree(message.jsonText(indented: true).utf8).decode(Message.self).text == message.text)
    }

    @Test("an error names the member that is missing or of another type, and the objects around it")
    func errors() throws {
        let text = StatusReport { $0.devices = [.init(), .init()] }.text
        func error(_ old: String, _ new: String) -> String? {
            do {
                _ = try JSONTree(text.replacing(old, with: new).utf8).decode(StatusReport.self)
                return nil
            } catch { return "\(error)" }
        }
        #expect(error("\"ignoring\": false, ", "") == "'ignoring': is missing")
        #expect(error("\"frames\": 0", "\"frames\": \"0\"") == "'queue.frames': Int is expected")
        #expect(error("\"use\": \"used\"}]", "\"use\": null}]") == "'devices.1.use': a text is expected")
        #expect(error("\"clients\": 0", "\"clients\": 0, \"later\": [1]") == nil)
        #expect(error("\"deviceOverruns\": 0, ", "") == nil, "an older touchd has fewer metrics")
    }

    @Test("docs/control-protocol.md has all members of each message, in their order")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/control-protocol.md"), encoding: .utf8)
        let head = "| member | type | meaning |\n| --- | --- | --- |\n"
        for type in Self.messages.dropFirst().dropLast() {
            let table = head + type.rows(hasMetrics: false).joined(separator: "\n") + "\n\n"
            #expect(text.contains(table), "\(table)")
        }
        let rows = StatusReport.rows(hasMetrics: true).joined(separator: "\n")
        let table = "| member | type | metric | meaning |\n| --- | --- | --- | --- |\n\(rows)\n"
        #expect(text.contains(table), "\(table)")
    }
}

/// A row of the documentation for each member, followed by those of the members in it.
private nonisolated struct Rows<Record>: MemberVisitor {
    let hasMetrics: Bool, prefix: String
    var rows: [String] = []

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {
        let kind = Value.form.documentation, symbol = "\(unit?.symbol ?? "")"
        let type = kind + (symbol.isEmpty || kind == "object" ? "" : ", \(symbol)")
        let column = hasMetrics ? " \(unit?.metric?.summary ?? "") |" : ""
        rows.append("| `\(prefix)\(name)` | \(type) |\(column) \(meaning) |".replacing("|  |", with: "| |"))
        guard let record = Value.form.record else { return }
        // The statistics of the first duration explain those of the others.
        let isKnown = record.type is StatusReport.Timing.Type && "\(name)" != "latency"
        if !isKnown { rows += record.type.rows(hasMetrics: hasMetrics, "\(prefix)\(name)\(record.mark).") }
    }

    mutating func metric(_ name: StaticString, _ meaning: StaticString, _ samples: (Record) -> [MetricSample]) {
        if hasMetrics { rows.append("| | | `\(name)` | \(meaning) |") }
    }
}

nonisolated extension JSONForm {
    /// The form in the documentation's tables.
    var documentation: String {
        switch self {
        case .text, .choice: "text"
        case .number: "number"
        case .integer: "integer"
        case .bool: "true or false"
        case .numbers(4): "frame"
        case .numbers: "`[x, y]`"
        case .list(.any): "list"
        case .list(.list(let item)): "list of lists of \(item.documentation)s"
        case .list(let item): "list of \(item.documentation)s"
        case .object(let value): "object of \(value.documentation)s"
        case .record: "object"
        case .either(let one, let other): "\(one.documentation) or \(other.documentation)"
        case .optional(let form): form.documentation
        case .orNull(let form): "\(form.documentation) or null"
        case .any: "any value"
        }
    }

    /// The record in the value, and what the path of its members contains.
    fileprivate var record: (type: any JSONRecord.Type, mark: String)? {
        switch self {
        case .record(let type): (type, "")
        case .list(let item): item.record.map { ($0.type, "[]" + $0.mark) }
        case .optional(let form), .orNull(let form): form.record
        default: nil
        }
    }
}

nonisolated extension Metric {
    fileprivate var summary: String {
        let labels = label.map { "{\($0)=\"\(value.map { "\($0)" } ?? "…")\"}" } ?? ""
        return kind == .label ? "label `\(name)`" : "`\(name)\(kind == .counter ? "_total" : "")\(labels)`"
    }
}

nonisolated extension JSONRecord {
    fileprivate static func rows(hasMetrics: Bool, _ prefix: String = "") -> [String] {
        var rows = Rows<Self>(hasMetrics: hasMetrics, prefix: prefix)
        members(&rows)
        return rows.rows
    }
}

// MARK: Random values

/// Sets each member that is read to a random value.
private nonisolated struct Randomizer<Record: JSONMessage>: MemberVisitor {
    var record = Record()

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {}

    mutating func member<Value: JSONValue>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ path: WritableKeyPath<Record, Value>
    ) { record[keyPath: path] = random(Value.self) }
}

private nonisolated func random<Value>(_ type: Value.Type) -> Value {
    let value: Any? = (type as? any Randomized.Type)?.random ?? (type as? any JSONMessage.Type)?.random
    guard let value = value as? Value else { preconditionFailure("\(type) needs random values") }
    return value
}

nonisolated extension JSONMessage {
    fileprivate static var random: Self {
        var randomizer = Randomizer<Self>()
        members(&randomizer)
        return randomizer.record
    }
}

private nonisolated protocol Randomized {
    static var random: Self { get }
}

nonisolated extension String: Randomized {
    fileprivate static var random: String {
        String((0..<Int.random(in: 0...9)).map { _ in "ab\"\\\n 🖐ü".randomElement() ?? "a" })
    }
}

nonisolated extension Double: Randomized {
    fileprivate static var random: Double {
        let number = Double.random(in: -1e9...1e9)
        return Bool.random() ? number : number.rounded()
    }
}

nonisolated extension Bool: Randomized { fileprivate static var random: Bool { .random() } }
nonisolated extension Int: Randomized { fileprivate static var random: Int { .random(in: .min ... .max) } }
nonisolated extension Int32: Randomized { fileprivate static var random: Int32 { .random(in: .min ... .max) } }
nonisolated extension UInt32: Randomized { fileprivate static var random: UInt32 { .random(in: .min ... .max) } }
nonisolated extension UInt64: Randomized { fileprivate static var random: UInt64 { .random(in: .min ... .max) } }
nonisolated extension Randomized where Self: CaseIterable {
    fileprivate static var random: Self {
        guard let value = allCases.randomElement() else { preconditionFailure("an enum has cases") }
        return value
    }
}

nonisolated extension PeerState.Phase: Randomized {}
nonisolated extension DeviceUse: Randomized {}
nonisolated extension TouchRecord.Phase: Randomized {}
nonisolated extension InspectionRecord.State: Randomized {}

nonisolated extension HitReport.Outcome: Randomized {
    fileprivate static var random: Self { Bool.random() ? .taken : .outside }
}

nonisolated extension Frame: Randomized {
    fileprivate static var random: Self { Frame(x: .random, y: .random, width: .random, height: .random) }
}

nonisolated extension JSONTree: Randomized {
    fileprivate static var random: Self {
        guard let tree = try? JSONTree([String].random.line) else { preconditionFailure("a list is JSON") }
        return tree
    }
}

nonisolated extension Optional: Randomized {
    fileprivate static var random: Self { Bool.random() ? nil : ServiceTests.random(Wrapped.self) }
}

nonisolated extension Array: Randomized {
    fileprivate static var random: Self { (0..<Int.random(in: 0...3)).map { _ in ServiceTests.random(Element.self) } }
}

nonisolated extension Dictionary: Randomized {
    fileprivate static var random: Self {
        Dictionary((0..<3).map { _ in (ServiceTests.random(Key.self), ServiceTests.random(Value.self)) }) { $1 }
    }
}
