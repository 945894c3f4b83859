/// One finding about a layout file: what is wrong, where, and what to do.
public nonisolated struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
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
        self.message = message
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE`.
    public var description: String { "\(location): \(severity.rawValue): \(message)" }
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
    public var diagnostics: [Diagnostic]

    /// Makes an error of its findings.
    public init(_ kind: Kind, _ diagnostics: [Diagnostic]) {
        self.kind = kind
        self.diagnostics = diagnostics
    }

    /// A line for each finding.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
