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
