import Layout

/// A handler, or an action that is written directly in an `on:`, as the failures in the log name it.
package struct HandlerOrigin: Sendable, Equatable {
    /// The handler's name, or the action's key.
    package var name: String
    /// The location of an action in an `on:`; nil for a handler, and in a private view, where the line could reveal the
    /// key.
    var location: SourceLocation?
    /// The view of an action in an `on:`, by the name that reports use.
    var view: String?

    package init(_ name: String) { self.name = name }

    /// The beginning of a log line.
    var prefix: String {
        guard let location else { return view.map { "\(name) of view '\($0)'" } ?? "handler '\(name)'" }
        return "\(location): \(name)" + (view.map { " of view '\($0)'" } ?? "")
    }
}

extension HandlerFacts {
    /// The handler, or the action with its view and line.
    var origin: HandlerOrigin {
        var origin = HandlerOrigin(handler)
        guard let location else { return origin }
        origin.view = reported.name
        if !isPrivate { origin.location = location }
        return origin
    }
}
