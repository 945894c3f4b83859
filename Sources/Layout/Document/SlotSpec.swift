/// The `slot:` of a view: other programs publish views in it through the control socket.
package nonisolated struct SlotSpec: Sendable, Equatable {
    /// The slot's name; unique in the layout.
    package var name = ""
    /// The handlers that published views may run, one step for each.
    package var handlers: [HandlerStep] = []
    /// The program that has published the view's subviews; nil in a layout file.
    package var publisher: String?

    /// The names of the handlers.
    var handlerNames: Set<String> { Set(handlers.map(\.name)) }
}
