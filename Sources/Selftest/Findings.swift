/// What a self-test has found so far, told line by line.
final class Findings {
    private let report: (Finding) -> Void
    /// How many checks passed, failed, and could not be tried.
    private(set) var counts: [Finding.Outcome: Int] = [:]

    init(_ report: @escaping (Finding) -> Void) { self.report = report }

    func pass(_ subject: String, _ detail: String) { add(.passed, subject, detail) }
    func fail(_ subject: String, _ detail: String) { add(.failed, subject, detail) }
    func skip(_ subject: String, _ detail: String) { add(.skipped, subject, detail) }

    private func add(_ outcome: Finding.Outcome, _ subject: String, _ detail: String) {
        counts[outcome, default: 0] += 1
        report(Finding(outcome: outcome, subject: subject, detail: detail))
    }
}
