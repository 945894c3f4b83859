import Handlers

/// The event for a gesture.
package struct GestureRecord {
    /// The line as a JSON object.
    package let json: String

    /// Creates the record of the gesture that a handler is about to run for. The facts omit the details of a private
    /// view.
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
