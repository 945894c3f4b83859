import Basics
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

/// A location in a layout file, as editors count it: line and column start at 1.
package nonisolated struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file, as the caller named it.
    package var file: String
    // Half as large as two `Int`s: every view and every step has a location.
    private var lineNumber: Int32
    private var columnNumber: Int32

    /// Makes a location.
    package init(file: String = "", line: Int = 1, column: Int = 1) {
        self.file = file
        lineNumber = Int32(clamping: line)
        columnNumber = Int32(clamping: column)
    }

    /// The line, from 1.
    package var line: Int {
        get { Int(lineNumber) }
        set { lineNumber = Int32(clamping: newValue) }
    }

    /// The column in Unicode scalars, from 1.
    package var column: Int {
        get { Int(columnNumber) }
        set { columnNumber = Int32(clamping: newValue) }
    }

    /// `FILE:LINE:COLUMN`, which editors and terminals turn into a link.
    package var description: String { "\(file):\(line):\(column)" }
}

/// The findings of one check, without duplicates, up to the limits for errors and warnings.
nonisolated struct FindingList {
    private(set) var findings: [LayoutFinding] = []
    /// The number of errors, including duplicates.
    private(set) var errorCount = 0
    /// Finds similar names for suggestions.
    var nearest = NearestName()

    private var seen: Set<LayoutFinding> = []
    private var concealed: Set<String> = []
    private var counts: [LayoutFinding.Severity: Int] = [:]
    /// The location of the first finding beyond each limit.
    private var overflows: [LayoutFinding.Severity: SourceLocation] = [:]

    var hasErrors: Bool { errorCount > 0 }
    /// Whether the limit for errors is reached.
    var isFull: Bool { overflows[.error] != nil }

    /// Adds a finding, unless it is a duplicate or the limit is reached; the message is computed only if the finding is
    /// added.
    mutating func add(
        _ severity: LayoutFinding.Severity, at location: SourceLocation, _ message: @autoclosure () -> String
    ) {
        if severity == .error { errorCount += 1 }
        guard overflows[severity] == nil else { return }
        let isConcealed = concealed.contains(location.file)
        let finding = LayoutFinding(severity, at: location, isConcealed ? Self.concealedMessage : message())
        guard seen.insert(finding).inserted else { return }
        if counts[severity] == LayoutLimit.findings { return overflows[severity] = location }
        counts[severity, default: 0] += 1
        findings.append(finding)
    }

    mutating func add(_ finding: LayoutFinding) { add(finding.severity, at: finding.location, finding.message) }

    /// Keeps the content of a file out of its findings.
    mutating func conceal(_ file: String) { concealed.insert(file) }

    private static let concealedMessage =
        "not valid here (not quoted, because the file and the layout have different owners); check the "
        + "file as its owner"

    /// The findings in the order of the files and of their text, followed by a finding about the overflow if there are
    /// more.
    func inOrder(of files: [String]) -> [LayoutFinding] {
        let numbers = Dictionary(zip(files, files.indices)) { first, _ in first }
        let sorted = findings.sorted { first, second in
            let (a, b) = (first.location, second.location)
            return (numbers[a.file] ?? files.count, a.line, a.column)
                < (numbers[b.file] ?? files.count, b.line, b.column)
        }
        if let place = overflows[.error] {
            return sorted + [LayoutFinding(.error, at: place, "too many errors; fix these first")]
        }
        guard let place = overflows[.warning] else { return sorted }
        let message = "more than \(LayoutLimit.findings) warnings; fix these first"
        return sorted + [LayoutFinding(.warning, at: place, message)]
    }
}
