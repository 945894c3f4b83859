import Foundation

/// Writes SVG elements in order, with every text and attribute escaped.
package struct SVGWriter {
    /// The view box, whose size is the picture's.
    package var viewBox: CGRect
    private var text = ""
    private var open: [String] = []

    package init(viewBox: CGRect) { self.viewBox = viewBox }

    /// The whole picture, with all open elements closed.
    package consuming func finish() -> String {
        while !open.isEmpty { end() }
        let box = [viewBox.minX, viewBox.minY, viewBox.width, viewBox.height].map(Self.number)
        let attributes = [
            ("xmlns", "http://www.w3.org/2000/svg"), ("width", box[2]), ("height", box[3]),
            ("viewBox", box.joined(separator: " ")),
        ]
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg\(Self.list(attributes))>
            \(text)</svg>

            """
    }

    /// Opens an element that contains the next ones.
    package mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
        indent()
        text += "<\(name)\(Self.list(attributes))>\n"
        open.append(name)
    }

    /// Closes the element opened last.
    package mutating func end() {
        guard let name = open.popLast() else { preconditionFailure("no SVG element was begun") }
        indent()
        text += "</\(name)>\n"
    }

    /// Writes an element with optional text; browsers show `tooltip` under the pointer.
    package mutating func element(
        _ name: String, _ attributes: [(String, String)], text content: String? = nil, tooltip: String? = nil
    ) {
        indent()
        let inside = (tooltip.map { "<title>\(Self.escaped($0))</title>" } ?? "") + (content.map(Self.escaped) ?? "")
        text += "<\(name)\(Self.list(attributes))" + (inside.isEmpty ? "/>\n" : ">\(inside)</\(name)>\n")
    }

    /// The attributes of a rectangle.
    static func attributes(of rect: CGRect) -> [(String, String)] {
        [("x", rect.minX), ("y", rect.minY), ("width", rect.width), ("height", rect.height)].map {
            ($0.0, number($0.1))
        }
    }

    /// A number with at most two decimals and no trailing zeros.
    package static func number(_ value: CGFloat) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
    }

    private mutating func indent() { text += String(repeating: " ", count: open.count + 1) }

    private static func list(_ attributes: [(String, String)]) -> String {
        attributes.map { #" \#($0.0)="\#(escaped($0.1))""# }.joined()
    }

    /// A text as the content or attribute of an element, also of HTML.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML cannot represent other control characters.
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
