import Foundation

/// JSON written by hand, where the order of the keys counts or there is no time for an encoder.
nonisolated enum JSONText {
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

    /// A coordinate in points, to the hundredth: finer than any panel, and short enough to read.
    static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
