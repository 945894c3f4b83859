/// The error for a rejected layout: all findings of one check, in the order of the file.
package nonisolated struct LayoutError: Error, CustomStringConvertible {
    /// The kind of error; the command line turns it into an exit status.
    package enum Kind: Sendable {
        /// The file does not exist or cannot be read.
        case unreadable
        /// The file was read, but is invalid.
        case invalid
    }

    /// The kind of error.
    package var kind: Kind
    /// All findings, warnings included; at least one.
    package var diagnostics: [LayoutFinding]

    /// Makes an error from findings.
    package init(_ kind: Kind, _ diagnostics: [LayoutFinding]) {
        self.kind = kind
        self.diagnostics = diagnostics
    }

    /// The findings, one in each line.
    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
