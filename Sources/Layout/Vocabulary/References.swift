/// The names that a layout's parts mention, with their locations; the checker resolves them after all files are read.
nonisolated struct References {
    /// The kind of part that a name refers to.
    enum Kind {
        case page, view, toggle, gesture, screen
    }

    /// Mentions of pages, views, gestures and screens; the bindings contain those of handlers.
    var mentions: [(kind: Kind, name: String, location: SourceLocation)] = []
    /// Every name under `handlers:`, including invalid entries, so that one error is not reported twice.
    var handlers: [String: SourceLocation] = [:]
    /// Every name under `pages:`, likewise.
    var pages: [String: SourceLocation] = [:]
    /// Facts in templates that no event provides, so they must be arguments, each with its handler.
    var otherFacts: [(name: String, handler: String?, location: SourceLocation)] = []
    /// Those of them that stand in a program's arguments.
    var programArguments: [(name: String, handler: String, location: SourceLocation)] = []
    /// The names of the arguments that each handler receives anywhere.
    var arguments: [String: Set<String>] = [:]
    /// The names of all slots.
    var slots: [String: SourceLocation] = [:]
    /// The handlers that published views may run, with arguments that only they know.
    var slotHandlers: Set<String> = []
    /// Whether views or gestures could not be read, so a missing name may be one of them.
    var isIncomplete = false
    /// The handler that is being read.
    var currentHandler: String?
}
