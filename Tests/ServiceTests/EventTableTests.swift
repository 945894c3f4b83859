import ControlProtocol
import Foundation
import Testing

@Suite("The table of events") struct EventTableTests {
    /// A row of the documentation for each member.
    private struct Rows<Record: EventRecord>: MemberVisitor {
        var rows: [String] = []

        mutating func member<Value: JSONWritable>(
            _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
        ) {
            let unit = unit.map { ", \($0.symbol)" } ?? ""
            rows.append("| `\(Record.event)` | `\(name)` | \(Value.form.documentation)\(unit) | \(meaning) |")
        }
    }

    private static func rows<Record: EventRecord>(_ type: Record.Type) -> [String] {
        var rows = Rows<Record>()
        Record.members(&rows)
        return rows.rows
    }

    @Test("docs/control-protocol.md has all events with all members, in their order")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/control-protocol.md"), encoding: .utf8)
        let table = EventTable.all.dropLast().flatMap { Self.rows($0) }.joined(separator: "\n")
        #expect(
            text.contains("| event | member | type | meaning |\n| --- | --- | --- | --- |\n\(table)\n\n"), "\(table)")
    }

    @Test("an event's first member is its name, and members without a value are left out or null")
    func written() throws {
        var touch = TouchRecord(time: 3625.114502, device: "A \"panel\"", touch: 12, phase: .began)
        (touch.x, touch.y, touch.handlers) = (812, 501.3049, ["greet"])
        #expect(
            touch.text == #"""
                {"event": "touch", "time": 3625.114502, "device": "A \"panel\"", "touch": 12, "phase": "began", \#
                "x": 812, "y": 501.3, "view": null, "handlers": ["greet"]}
                """#)
        #expect(try JSONTree(touch.line).decode(TouchRecord.self).device == touch.device)
        var measures = GestureRecord.Measures(touches: 2)
        (measures.scale, measures.velocity) = (1.0031264417, .scalar(.infinity))
        let pinch = GestureRecord(
            time: 1, gesture: "pinch", id: nil, trigger: .changed, view: "map", measures: measures)
        #expect(
            pinch.text == """
                {"event": "gesture", "time": 1, "gesture": "pinch", "trigger": "changed", "view": "map", \
                "touches": 2, "scale": 1.0031264417, "velocity": 0}
                """)
    }
}
