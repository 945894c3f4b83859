/// One finding about a layout file: what is wrong, where, and what to do.
public nonisolated struct LayoutFinding: Hashable, Sendable, CustomStringConvertible {
    /// How much a finding matters.
    public enum Severity: String, Sendable {
        /// The file cannot be used.
        case error
        /// The file can be used, but this can hardly be meant.
        case warning
    }

    /// Whether the file can be used in spite of it.
    public var severity: Severity
    /// Where it is.
    public var location: SourceLocation
    /// What is wrong and what was expected, in one sentence without a final stop.
    public var message: String

    /// Makes a finding.
    public init(_ severity: Severity, at location: SourceLocation, _ message: String) {
        self.severity = severity
        self.location = location
        self.message = message.utf8.count <= LayoutLimit.messageSize ? message : Self.shortened(message)
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE`, in one line: control characters of the layout are escaped as `\u{1B}`, since a
    /// terminal would obey them.
    public var description: String { Self.escaped("\(location): \(severity.rawValue): \(message)") }

    private static func shortened(_ message: String) -> String {
        String(decoding: message.utf8.prefix(LayoutLimit.messageSize), as: UTF8.self) + "…"
    }

    private static func escaped(_ text: String) -> String {
        func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            // Marks that reverse the direction of the text after them.
            default:
                (0x200E...0x200F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value)
            }
        }
        guard text.unicodeScalars.contains(where: isObeyed) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isObeyed(scalar) {
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// Why a layout was refused: every mistake found in one reading, in the order of the file.
public nonisolated struct LayoutError: Error, CustomStringConvertible {
    /// What kind of refusal it is; the command line turns it into an exit status.
    public enum Kind: Sendable {
        /// The file is not there, or may not be read.
        case unreadable
        /// The file is there and wrong.
        case invalid
    }

    /// Whether the file could be read at all.
    public var kind: Kind
    /// The mistakes, at least one, warnings among them.
    public var diagnostics: [LayoutFinding]

    /// Makes an error of its findings.
    public init(_ kind: Kind, _ diagnostics: [LayoutFinding]) {
        self.kind = kind
        self.diagnostics = diagnostics
    }

    /// A line for each finding.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
