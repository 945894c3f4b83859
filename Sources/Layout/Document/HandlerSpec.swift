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

/// One line of an `on:`: a trigger and its step.
public nonisolated struct HandlerBinding: Sendable, Equatable {
    /// The trigger of a step.
    public enum Trigger: String, Sendable, CaseIterable {
        /// A touch began; a gesture began.
        case began
        /// A touch moved.
        case moved
        /// A touch ended; a gesture ended.
        case ended
        /// A touch or a gesture was cancelled, for example because the device was removed or the layout was replaced.
        case cancelled
        /// A discrete gesture was recognized, or a continuous one began.
        case recognized
        /// A continuous gesture changed.
        case changed
        /// A control was activated.
        case pressed
        /// The first finger is in a control.
        case held
        /// The last finger has left a control, was lifted or cancelled; once for each `held`.
        case released
        /// A toggle was switched on.
        case switchedOn = "switched-on"
        /// A toggle was switched off.
        case switchedOff = "switched-off"
        /// A page appeared.
        case appeared
        /// A page disappeared.
        case disappeared
        /// The screens were not touched for a time.
        case idle
        /// A screen was touched again after that time.
        case woken
        /// An expected device is missing.
        case absent
        /// A device reported nothing for a time.
        case silent
        /// A device that was absent or silent is back.
        case back
    }

    /// The trigger.
    package var trigger: Trigger
    /// The step.
    package var step: HandlerStep
}

/// A step: a handler by its name, or an inline action.
package nonisolated struct HandlerStep: Sendable, Equatable {
    /// The kind of step.
    package enum Kind: Sendable, Equatable {
        /// Runs a handler that the file, touchd or a program defines, with arguments for its templates.
        case run(String, arguments: HandlerArguments)
        /// Takes an action. It is indirect to keep steps small: most steps of a large layout run a handler.
        indirect case action(HandlerAction)
    }

    /// The kind of step.
    package var kind: Kind
    /// The location of the step.
    package var location: SourceLocation

    /// The step's name in logs: the handler's name, or the action's key.
    package var name: String {
        switch kind {
        case .run(let name, _): name
        case .action(let action): action.keyword
        }
    }
}

/// The arguments in `with:`, by name. A list instead of a dictionary: it has one or two entries, and a seat map has it
/// 50,000 times.
package nonisolated struct HandlerArguments: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Entry: Sendable, Equatable {
        var name: String
        var value: Template
    }

    private var entries: [Entry] = []

    /// Makes arguments from distinct names and their values.
    package init(dictionaryLiteral elements: (String, Template)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Whether there are no arguments.
    package var isEmpty: Bool { entries.isEmpty }

    /// The values.
    var templates: [Template] { entries.map(\.value) }

    /// The value of an argument.
    package subscript(name: String) -> Template? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append(Entry(name: name, value: newValue)) }
        }
    }

    /// The arguments with transformed values.
    package func mapValues<Value>(_ body: (Template) throws -> Value) rethrows -> [String: Value] {
        try Dictionary(uniqueKeysWithValues: entries.map { ($0.name, try body($0.value)) })
    }
}
