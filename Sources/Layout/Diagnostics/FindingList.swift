import ControlProtocol

/// The findings of one check, without duplicates, up to the limits for errors and warnings.
nonisolated struct FindingList {
    private(set) var findings: [LayoutFinding] = []
    /// The number of errors, including duplicates.
    private(set) var errorCount = 0
    /// Finds similar names for suggestions.
    var nearest = NearestName()

    private var seen: Set<LayoutFinding> = []
    private var concealed: Set<String> = []
    private var errors = Tally()
    private var warnings = Tally()

    private struct Tally {
        var count = 0
        /// The location of the first finding beyond the limit.
        var overflow: SourceLocation?
    }

    var hasErrors: Bool { errorCount > 0 }
    /// Whether the limit for errors is reached.
    var isFull: Bool { errors.overflow != nil }

    /// Adds a finding, unless it is a duplicate or the limit is reached; the message is computed only if the finding is
    /// added.
    mutating func add(
        _ severity: LayoutFinding.Severity, at location: SourceLocation, _ message: @autoclosure () -> String
    ) {
        if severity == .error { errorCount += 1 }
        guard self[severity].overflow == nil else { return }
        let isConcealed = concealed.contains(location.file)
        let finding = LayoutFinding(severity, at: location, isConcealed ? Self.concealedMessage : message())
        guard seen.insert(finding).inserted else { return }
        if self[severity].count == LayoutLimit.findings {
            self[severity].overflow = location
        } else {
            self[severity].count += 1
            findings.append(finding)
        }
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
        if let place = errors.overflow {
            return sorted + [LayoutFinding(.error, at: place, "too many errors; fix these first")]
        }
        if let place = warnings.overflow {
            return sorted + [
                LayoutFinding(.warning, at: place, "more than \(LayoutLimit.findings) warnings; fix these first")
            ]
        }
        return sorted
    }

    private subscript(severity: LayoutFinding.Severity) -> Tally {
        get { severity == .error ? errors : warnings }
        set { if severity == .error { errors = newValue } else { warnings = newValue } }
    }
}
