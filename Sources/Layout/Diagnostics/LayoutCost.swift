/// The cost of checking a layout, in counted steps: equal on every machine, so tests can compare it with a limit.
package nonisolated struct LayoutCost: Sendable, Equatable {
    /// YAML events, key comparisons and moved children.
    package internal(set) var parsing = 0
    /// Visited nodes; aliases and grids count as often as they repeat.
    package internal(set) var reading = 0
    /// Bytes of the expanded layout.
    package internal(set) var expandedBytes = 0
    /// Views, gestures and steps added to the checker's tables.
    package internal(set) var indexing = 0
    /// Handlers and their steps.
    package internal(set) var handlers = 0
    /// Name lookups.
    package internal(set) var names = 0
    /// Followed redirects.
    package internal(set) var redirects = 0
    /// Gestures, pairs of gestures on one view, and gestures that they wait for.
    package internal(set) var gestures = 0
    /// Views, and candidates that could cover them.
    package internal(set) var reach = 0
    /// Names and letters compared for suggestions.
    package internal(set) var suggestions = 0

    /// The name and the steps of each phase.
    package var phases: [(name: String, steps: Int)] {
        [
            ("parsing", parsing), ("reading", reading), ("indexing", indexing), ("handlers", handlers),
            ("names", names), ("redirects", redirects), ("gestures", gestures), ("reach", reach),
            ("suggestions", suggestions),
        ]
    }

    /// The total of all phases.
    package var steps: Int { phases.reduce(0) { $0 + $1.steps } }
}
