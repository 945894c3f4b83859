import Handlers

/// What a line says of a gesture.
package struct GestureRecord {
    /// The line as a JSON object.
    package let json: String

    /// Takes the record of what a handler is about to run for; of a private view it has what those facts tell.
    package init(_ facts: OccasionFacts) {
        let name = facts.gestureID.map { "\"id\": \(JSONText.quoted($0)), " } ?? ""
        let trigger = JSONText.quoted(facts.occasion.trigger.rawValue)
        let view = facts.value(of: .view)?.json ?? "null"
        let place = [Fact.x, .y].compactMap { fact in
            facts.value(of: fact).map { ", \"\(fact.rawValue)\": \($0.json)" }
        }
        json = """
            {"event": "gesture", "gesture": \(facts.gestureKind.map(JSONText.quoted) ?? "null"), \(name)\
            "trigger": \(trigger), "view": \(view)\(place.joined())}
            """
    }
}
