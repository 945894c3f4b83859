/// An entry of `handlers:`.
public nonisolated struct HandlerSpec: Sendable, Equatable {
    /// The name that `on:` refers to.
    public var name: String
    /// The location of the name.
    public var location: SourceLocation
    /// `when:`, the conditions, all of which must be true.
    public var conditions: [ConditionSpec] = []
    /// The steps if the conditions are true, in order.
    public var steps: [HandlerStep]
    /// `else:`, the steps otherwise.
    public var otherwise: [HandlerStep] = []
    /// `cooldown:`, the time in seconds after a run within which the handler does not run again; 0 for none.
    public var cooldown = 0.0
}

/// One line of a `when:`.
public nonisolated enum ConditionSpec: Sendable, Equatable {
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
