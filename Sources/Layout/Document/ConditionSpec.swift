/// One line of a `when:`.
package nonisolated enum ConditionSpec: Sendable, Equatable {
    /// A page is visible.
    case page(String)
    /// A view is visible.
    case shown(String)
    /// A view is hidden.
    case hidden(String)
    /// A view is enabled.
    case enabled(String)
    /// A view is disabled.
    case disabled(String)
    /// A toggle is on.
    case switchedOn(String)
    /// A toggle is off.
    case switchedOff(String)
}
