/// The cost of checking a layout, in counted steps: equal on every machine, so tests can compare it with a limit.
package nonisolated struct LayoutCost: Sendable, Equatable {
    /// YAML events, key comparisons and moved children.
    package internal(set) var parsing = 0
    /// Visited nodes; aliases and grids count as often as they repeat.
    package internal(set) var reading = 0
    /// Bytes of the expanded layout.
    package internal(set) var expandedBytes = 0
    /// Indexed views, gestures and steps, followed references, and looked up names.
    package internal(set) var checking = 0
    /// Views, and candidates that could cover them.
    package internal(set) var reach = 0
    /// Names and letters compared for suggestions.
    package internal(set) var suggestions = 0
}
