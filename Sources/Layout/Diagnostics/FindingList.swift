import Basics

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
