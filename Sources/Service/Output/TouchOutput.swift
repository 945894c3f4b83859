import ControlProtocol
import Handlers
import TouchKit

/// Writes delivered touches.
package protocol TouchOutput: AnyObject {
    /// Whether an event of a touch is written; otherwise nothing is computed for it.
    ///
    /// - Parameters:
    ///   - phase: The phase of the event.
    ///   - touch: The touch's number.
    ///   - time: The event's time in seconds.
    func accepts(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool

    /// Writes an event of a touch and the handlers that ran for it, in order.
    func write(_ facts: TouchFacts, handlers: [String])

    /// Writes an event that is not a touch, as a readable line or as a JSON object.
    func write(words: () -> String, record: () -> some JSONWritable)
}

/// The output formats for touches.
public nonisolated enum OutputFormat: String, CaseIterable, Sendable {
    /// A readable line for each touch that begins, ends or is cancelled.
    case text
    /// A JSON object per line for each phase of each touch, including moves.
    case json
    /// An entry in the systemd journal, for each touch that begins, ends or is cancelled.
    case journal
}
