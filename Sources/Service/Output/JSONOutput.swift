import Foundation
import Handlers

/// Touches as JSON objects, one a line, with the keys in the order in which people read them; `JSONEncoder` keeps none.
final class JSONOutput: TouchOutput {
    let wantsMoves = true
    private let standardOutput: StandardOutput

    init(_ standardOutput: StandardOutput) { self.standardOutput = standardOutput }

    func write(_ facts: TouchFacts, handlers: [String]) {
        let view = facts.view.map(JSONText.quoted) ?? "null"
        let names = handlers.map(JSONText.quoted).joined(separator: ", ")
        let place = facts.location.map {
            "\"x\": \(TouchFacts.coordinate($0.x)), \"y\": \(TouchFacts.coordinate($0.y)), "
        }
        standardOutput.append(
            line: """
                {"time": \(facts.timestamp), "device": \(JSONText.quoted(facts.device)), "touch": \(facts.touch), \
                "phase": "\(facts.phase.word)", \(place ?? "")"view": \(view), "handlers": [\(names)]}
                """)
    }
}
