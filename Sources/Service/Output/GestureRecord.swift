import Foundation
import Handlers
import Layout
import TouchKit

/// What a line says of a gesture.
struct GestureRecord {
    /// The line as a JSON object.
    let json: String

    /// Takes the record of a recognizer in the state that made a handler run.
    init(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger) {
        let kind = String(describing: type(of: recognizer)).replacing("GestureRecognizer", with: "").lowercased()
        let view = recognizer.view?.identifier.map(JSONText.quoted) ?? "null"
        let place = recognizer.location(in: nil)
        let isPrivate = sequence(first: recognizer.view) { $0?.superview }.contains { $0?.isPrivate == true }
        let location =
            isPrivate ? "" : ", \"x\": \(JSONText.hundredths(place.x)), \"y\": \(JSONText.hundredths(place.y))"
        json = """
            {"event": "gesture", "gesture": \(JSONText.quoted(kind)), "trigger": \(JSONText.quoted(trigger.rawValue)), \
            "view": \(view)\(location)}
            """
    }
}
