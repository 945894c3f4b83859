import ControlProtocol

/// A finding in a layout file: the problem, its location, and the fix.
package nonisolated struct LayoutFinding: Error, Hashable, Sendable, CustomStringConvertible {
    /// The severity of a finding.
    package enum Severity: String, Sendable {
        /// The file cannot be used.
        case error
        /// The file can be used, but this is probably not intended.
        case warning
    }

    /// The severity.
    package var severity: Severity
    /// The location.
    package var location: SourceLocation
    /// The problem and the expected value, in one sentence without a period.
    package var message: String

    /// Makes a finding.
    package init(_ severity: Severity, at location: SourceLocation, _ message: String) {
        self.severity = severity
        self.location = location
        self.message = message.utf8.count <= LayoutLimit.messageSize ? message : Self.shortened(message)
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE` in one line. Control characters of the layout are escaped as `\u{1B}`,
    /// because a terminal would execute them.
    package var description: String { Self.escaped("\(location): \(severity.rawValue): \(message)") }

    private static func shortened(_ message: String) -> String {
        String(decoding: message.utf8.prefix(LayoutLimit.messageSize), as: UTF8.self) + "…"
    }

    private static func escaped(_ text: String) -> String {
        func isControlCharacter(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            // Marks that reverse the direction of the following text.
            default:
                (0x200E...0x200F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value)
            }
        }
        guard text.unicodeScalars.contains(where: isControlCharacter) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControlCharacter(scalar) {
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// A finding as `touchd check --json` writes it.
nonisolated extension LayoutFinding: JSONRecord {
    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("severity", "error or warning") { $0.severity.rawValue }
        visitor.member("file", "where it is") { $0.location.file }
        visitor.member("line", "from 1") { $0.location.line }
        visitor.member("column", "from 1") { $0.location.column }
        visitor.member("message", "what is wrong, and what to do") { $0.message }
    }
}
