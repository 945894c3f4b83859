/// The words of an event for people, the same in `touchd run` and `touchd monitor`.
package enum EventText {
    /// - Parameter line: The event as JSON, which is returned if it is of a later version.
    package static func words(of line: [UInt8]) -> String {
        (try? JSONTree(line)).flatMap(words) ?? String(decoding: line, as: UTF8.self)
    }

    private static func words(_ event: JSONTree) -> String? {
        func text(_ name: String) -> String { event[name]?.string ?? "" }
        switch text("event") {
        case "touch": return (try? event.decode(TouchRecord.self))?.words
        case "gesture":
            let id = event["id"]?.string.map { " '\($0)'" } ?? ""
            return "\(text("gesture"))\(id) \(text("trigger")) on \(event["view"]?.string ?? "no view")"
        case "control":
            let change = event["on"]?.bool.map { "switched \($0 ? "on" : "off")" } ?? text("control")
            return "\(event["view"]?.string ?? "a control") \(change)"
        case "device": return "\(text("path")): \(text("name")) \(text("change"))"
        case "page": return "page \(text("page"))"
        case "layout": return "\(text("layout")): layout loaded"
        case "idle": return "\(text("trigger")) (after \(event["after"]?.number ?? 0) s)"
        case "accessibility":
            let words = ["label", "value", "state"].compactMap { event[$0]?.string }.joined(separator: ", ")
            return "say \(text("change"))" + (words.isEmpty ? "" : ": \(words)")
        case "published":
            return "published to \(text("topic")): "
                + text("message").split(whereSeparator: \.isNewline).joined(separator: " ")
        case "dropped":
            let count = (try? event["count"]?.decode(Int.self)) ?? 0
            return "(\(count) lines are missing here: this program was too slow)"
        default: return nil
        }
    }
}
