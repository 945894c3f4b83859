import Foundation

/// The result of one check of a self-test.
package nonisolated struct Finding: Sendable, Equatable {
    /// The outcome of the check.
    package enum Outcome: String, Sendable {
        /// The check passed.
        case passed = "pass"
        /// The check failed.
        case failed = "FAIL"
        /// The check could not be tried here.
        case skipped = "skip"
    }

    /// The outcome of the check.
    package var outcome: Outcome
    /// The subject of the check, in a word or two.
    package var subject: String
    /// The observation; for a failure, the error and how to fix it.
    package var detail: String

    /// The finding on one line, for people.
    package var line: String {
        "\(outcome.rawValue)  \(subject.padding(toLength: max(14, subject.count), withPad: " ", startingAt: 0))  \(detail)"
    }
}

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
