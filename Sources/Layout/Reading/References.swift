/// What a layout's parts say of one another by name, and where: it can be looked up only when all of it was read.
nonisolated struct References {
    /// What a name has to be the name of.
    enum Kind {
        case page, view, toggle, gesture, screen
    }

    /// One mention of a name.
    struct Mention {
        var kind: Kind
        var name: String
        var location: SourceLocation
    }

    /// Mentions of pages, views, gestures and screens; those of handlers are in the bindings themselves.
    var mentions: [Mention] = []
    /// Every name under `handlers:`, those with a mistake too, so that one mistake is not reported as two.
    var handlers: [String: SourceLocation] = [:]
    /// Every name under `pages:`, likewise.
    var pages: [String: SourceLocation] = [:]
    /// Facts in templates that no occasion has, which only an argument can be, with the handler whose they are.
    var otherFacts: [(name: String, handler: String?, location: SourceLocation)] = []
    /// The names of the arguments that each handler is given somewhere.
    var arguments: [String: Set<String>] = [:]
    /// Whether views or gestures could not be read: then one that is mentioned may be among them.
    var isIncomplete = false
    /// The handler that is being read.
    var currentHandler: String?

    mutating func mention(_ name: String, as kind: Kind, at node: Node) {
        mentions.append(Mention(kind: kind, name: name, location: node.location))
    }
}
