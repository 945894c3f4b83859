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
    private struct Argument: Sendable, Equatable {
        var name: String
        var value: Template
    }

    private var entries: [Argument] = []

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
            if let newValue { entries.append(Argument(name: name, value: newValue)) }
        }
    }

    /// The arguments with transformed values.
    package func mapValues<Value>(_ body: (Template) throws -> Value) rethrows -> [String: Value] {
        try Dictionary(uniqueKeysWithValues: entries.map { ($0.name, try body($0.value)) })
    }
}
