/// One entry of `handlers:`.
public nonisolated struct HandlerSpec: Sendable, Equatable {
    /// The name `on:` refers to.
    public var name: String
    /// Where the name stands.
    public var location: SourceLocation
    /// `when:`, what has to hold; all of it.
    public var conditions: [ConditionSpec] = []
    /// What is done then, in this order.
    public var steps: [HandlerStep]
    /// `else:`, what is done otherwise.
    public var otherwise: [HandlerStep] = []
}

/// One line of a `when:`.
public nonisolated enum ConditionSpec: Sendable, Equatable {
    /// A page is shown.
    case page(String)
    /// A view is not hidden.
    case shown(String)
    /// A view is hidden.
    case hidden(String)
    /// A view takes touches.
    case enabled(String)
    /// A view does not.
    case disabled(String)
    /// A toggle is on.
    case switchedOn(String)
    /// A toggle is off.
    case switchedOff(String)
}
