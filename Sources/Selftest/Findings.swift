/// The findings of a self-test, reported one by one.
final class Findings {
    private let report: (Finding) -> Void
    /// The number of checks with each outcome.
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
