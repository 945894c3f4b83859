import Handlers
import TouchKit

/// Where delivered touches are written.
package protocol TouchOutput: AnyObject {
    /// Whether what a touch did is written; where it is not, nothing is computed for it.
    ///
    /// - Parameters:
    ///   - phase: What it did.
    ///   - touch: The touch's number.
    ///   - time: When, in seconds.
    func takes(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool

    /// Writes what happened to a touch and which handlers ran for it, in their order.
    func write(_ facts: TouchFacts, handlers: [String])
}

/// The forms in which touches can be written.
public nonisolated enum OutputFormat: String, CaseIterable, Sendable {
    /// A line for people, for each touch that begins, ends or is cancelled.
    case text
    /// A JSON object a line, for each touch in each phase, moves included.
    case json
    /// An entry in the systemd journal, for each touch that begins, ends or is cancelled.
    case journal
}
