/// An entry of `handlers:`.
package nonisolated struct HandlerSpec: Sendable, Equatable {
    /// The name that `on:` refers to.
    package var name: String
    /// The location of the name.
    package var location: SourceLocation
    /// `when:`, the conditions, all of which must be true.
    package var conditions: [ConditionSpec] = []
    /// The steps if the conditions are true, in order.
    package var steps: [HandlerStep]
    /// `else:`, the steps otherwise.
    package var otherwise: [HandlerStep] = []
    /// `cooldown:`, the time in seconds after a run within which the handler does not run again; 0 for none.
    package var cooldown = 0.0
}

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
