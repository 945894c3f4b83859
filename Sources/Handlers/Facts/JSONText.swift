import Foundation

/// JSON written by hand where the order of keys is for people; `JSONEncoder` keeps none.
public nonisolated enum JSONText {
    /// A JSON string by the rules of RFC 8259: quotes, backslashes and control characters are escaped.
    public static func quoted(_ text: String) -> String {
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
