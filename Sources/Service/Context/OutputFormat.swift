/// The output formats for touches.
public nonisolated enum OutputFormat: String, CaseIterable, Sendable {
    /// A readable line for each touch that begins, ends or is cancelled.
    case text
    /// A JSON object per line for each phase of each touch, including moves.
    case json
    /// An entry in the systemd journal, for each touch that begins, ends or is cancelled.
    case journal
}
