import Handlers

/// Where delivered touches are written.
protocol TouchOutput: AnyObject {
    /// Whether moved touches are written as well; where they are not, nothing is computed for them.
    var wantsMoves: Bool { get }

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
