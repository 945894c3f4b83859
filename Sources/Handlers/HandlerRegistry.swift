import Layout
import TouchKit

/// The handlers that a program registers for layouts to use.
public final class HandlerRegistry {
    /// Runs for a touch in a phase, on the main actor, during the touch's delivery: it must not block.
    public typealias Handler = (Touch, Event) -> Void
    /// Runs for any context, on the main actor, synchronously: it must not block.
    public typealias ContextHandler = (HandlerContext) -> Void

    /// The built-in handlers, which every layout can use without defining them.
    package nonisolated static let builtinNames = ["log"]

    private var handlers: [String: ContextHandler] = [:]

    /// Creates an empty registry.
    package init() {}

    /// Registers a handler for touches, so that a layout's `on:` can use it; replaces an earlier handler of the same
    /// name.
    ///
    /// For a context without a touch, it does not run.
    public func register(_ name: String, _ handler: @escaping Handler) {
        register(name) { (context: HandlerContext) in
            if case .touch(let touch, let event) = context.cause { handler(touch, event) }
        }
    }

    /// Registers a handler for any trigger of a layout's `on:`; replaces an earlier handler of the same name.
    public func register(_ name: String, _ handler: @escaping ContextHandler) { handlers[name] = handler }

    /// The names of the built-in handlers and of those a program registered.
    package var registeredNames: [String] { Set(handlers.keys).union(Self.builtinNames).sorted() }

    /// The handler that a program registered under a name.
    func handler(named name: String) -> ContextHandler? { handlers[name] }
}
