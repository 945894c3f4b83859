import Foundation

/// What one check of a self-test found.
public nonisolated struct Finding: Sendable, Equatable {
    /// How it went.
    public enum Outcome: String, Sendable {
        /// As it should.
        case passed = "pass"
        /// Not as it should.
        case failed = "FAIL"
        /// It could not be tried here.
        case skipped = "skip"
    }

    /// How it went.
    public var outcome: Outcome
    /// What was checked, in a word or two.
    public var subject: String
    /// What was seen; of what failed, what is wrong and what to do.
    public var detail: String

    /// The finding in a line for people.
    public var line: String {
        "\(outcome.rawValue)  \(subject.padding(toLength: max(14, subject.count), withPad: " ", startingAt: 0))  \(detail)"
    }
}
