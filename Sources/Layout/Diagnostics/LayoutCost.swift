/// The work that checking a layout took, in counted steps: the same on every machine, so that tests can hold it to a limit.
package nonisolated struct LayoutCost: Sendable, Equatable {
    /// YAML events, keys compared and children moved.
    package internal(set) var parsing = 0
    /// Nodes looked at, each as often as aliases and grids repeat it.
    package internal(set) var reading = 0
    /// Bytes of the expanded layout.
    package internal(set) var expandedBytes = 0
    /// Views, gestures and steps entered into the checker's tables.
    package internal(set) var indexing = 0
    /// Handlers and what they run.
    package internal(set) var handlers = 0
    /// Names looked up.
    package internal(set) var names = 0
    /// Redirects followed.
    package internal(set) var redirects = 0
    /// Gestures, pairs of them on one view, and what they wait for.
    package internal(set) var gestures = 0
    /// Views, and those that could cover them.
    package internal(set) var reach = 0
    /// Names and letters compared to find the ones that were meant.
    package internal(set) var suggestions = 0

    /// Each phase with its steps.
    package var phases: [(name: String, steps: Int)] {
        [
            ("parsing", parsing), ("reading", reading), ("indexing", indexing), ("handlers", handlers),
            ("names", names), ("redirects", redirects), ("gestures", gestures), ("reach", reach),
            ("suggestions", suggestions),
        ]
    }

    /// The steps of all phases.
    package var steps: Int { phases.reduce(0) { $0 + $1.steps } }
}
