import Foundation
import Handlers

/// Touches as JSON objects, one a line, with the keys in the order in which people read them; `JSONEncoder` keeps none.
final class JSONOutput: TouchOutput {
    let wantsMoves = true
    private let standardOutput: StandardOutput

    init(_ standardOutput: StandardOutput) { self.standardOutput = standardOutput }

    func write(_ facts: TouchFacts, handlers: [String]) {
        let view = facts.view.map(Self.quoted) ?? "null"
        let names = handlers.map(Self.quoted).joined(separator: ", ")
        standardOutput.append(
            line: """
                {"time": \(facts.timestamp), "device": \(Self.quoted(facts.device)), "touch": \(facts.touch), \
                "phase": "\(facts.phase.word)", "x": \(TouchFacts.coordinate(facts.location.x)), \
                "y": \(TouchFacts.coordinate(facts.location.y)), "view": \(view), "handlers": [\(names)]}
                """)
    }

    /// A JSON string by the rules of RFC 8259: quotes, backslashes and control characters are escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\u{0}"..<"\u{20}": result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
