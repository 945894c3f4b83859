import Foundation

/// The results of a self-test's checks, printed one by one.
@MainActor
final class SelftestResults {
    /// The outcome of a check, as it is printed.
    enum Outcome: String, Sendable {
        case passed = "pass"
        case failed = "FAIL"
        /// The check could not be tried here.
        case skipped = "skip"
    }

    /// The number of checks with each outcome.
    private(set) var counts: [Outcome: Int] = [:]

    func pass(_ subject: String, _ detail: String) { add(.passed, subject, detail) }
    func fail(_ subject: String, _ detail: String) { add(.failed, subject, detail) }
    func skip(_ subject: String, _ detail: String) { add(.skipped, subject, detail) }

    private func add(_ outcome: Outcome, _ subject: String, _ detail: String) {
        counts[outcome, default: 0] += 1
        let column = subject.padding(toLength: max(14, subject.count), withPad: " ", startingAt: 0)
        print("\(outcome.rawValue)  \(column)  \(detail)")
        // The user waits for each line.
        fflush(nil)
    }
}
