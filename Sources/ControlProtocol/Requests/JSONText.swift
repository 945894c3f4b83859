import Foundation

/// JSON written by hand, because `JSONEncoder` does not keep the order of keys.
package enum JSONText {
    /// A JSON string (RFC 8259): quotes, backslashes and control characters are escaped.
    package static func quoted(_ text: String) -> String {
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

    /// A coordinate in points, rounded to the hundredth: finer than any panel, and short.
    package static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
