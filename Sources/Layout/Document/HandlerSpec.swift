/// An entry of `handlers:`.
package nonisolated struct HandlerSpec: Sendable, Equatable {
    /// The name that `on:` refers to.
    package var name: String
    /// The location of the name.
    package var location: SourceLocation
    /// The cases; the first one whose conditions are true runs. `when:` and `do:` are a single case.
    package var cases: [HandlerCase]
    /// `else:`, the steps if no case runs.
    package var otherwise: [HandlerStep] = []
    /// `cooldown:`, the time in seconds after a run within which the handler does not run again; 0 for none.
    package var cooldown = 0.0

    /// Makes a handler whose steps run without conditions.
    package init(name: String = "", location: SourceLocation = SourceLocation(), steps: [HandlerStep] = []) {
        self.name = name
        self.location = location
        cases = [HandlerCase(steps: steps)]
    }

    /// The beginning of an error's text about a name that no handler has.
    package static let noHandlerIsNamed = "no handler is named"

    /// The steps of all cases, and those of `else:`.
    package var allSteps: [HandlerStep] { cases.flatMap(\.steps) + otherwise }
}

/// An entry of `choose:`.
package nonisolated struct HandlerCase: Sendable, Equatable {
    /// `when:`, the conditions, all of which must be true.
    package var conditions: [ConditionSpec] = []
    /// `do:`, the steps, in order.
    package var steps: [HandlerStep] = []
}
