import ControlProtocol
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

    /// A check, for `--json`.
    struct Check: JSONRecord {
        let outcome: Outcome, subject: String, detail: String

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("outcome", "pass, FAIL or skip") { $0.outcome.rawValue }
            visitor.member("subject", "what was checked") { $0.subject }
            visitor.member("detail", "what was found") { $0.detail }
        }
    }

    private let options: ResultOptions
    /// All checks, in order.
    private(set) var all: [Check] = []

    init(_ options: ResultOptions) { self.options = options }

    /// The number of checks with each outcome.
    var counts: [Outcome: Int] { all.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }

    func pass(_ subject: String, _ detail: String) { add(.passed, subject, detail) }
    func fail(_ subject: String, _ detail: String) { add(.failed, subject, detail) }
    func skip(_ subject: String, _ detail: String) { add(.skipped, subject, detail) }

    private func add(_ outcome: Outcome, _ subject: String, _ detail: String) {
        all.append(Check(outcome: outcome, subject: subject, detail: detail))
        guard !options.json, !options.quiet || outcome == .failed else { return }
        let column = subject.padding(toLength: max(14, subject.count), withPad: " ", startingAt: 0)
        print("\(outcome.rawValue)  \(column)  \(detail)")
        // The user waits for each line.
        fflush(nil)
    }
}
