/// A step: a handler by its name, or an inline action.
package nonisolated struct HandlerStep: Sendable, Equatable {
    /// The kind of step.
    package enum Kind: Sendable, Equatable {
        /// Runs a handler that the file, touchd or a program defines, with arguments for its templates.
        case run(String, arguments: [String: Template])
        /// Takes an action.
        case action(HandlerAction)
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
