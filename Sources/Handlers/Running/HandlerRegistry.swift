import Layout
import TouchKit

/// The handlers that a program gives a name, for layouts to use.
public final class HandlerRegistry {
    /// Runs for a touch in a phase, on the main actor, inside the touch's delivery: it must not block.
    public typealias Handler = (Touch, Event) -> Void
    /// Runs for whatever happened, on the main actor, where it happened: it must not block.
    public typealias OccasionHandler = (Occasion) -> Void

    /// The handlers that every layout can name without defining them.
    public nonisolated static let builtinNames = ["log"]

    private var handlers: [String: OccasionHandler] = [:]

    /// Makes an empty registry.
    public init() {}

    /// Names a handler for touches, so that a layout's `on:` can use it; a second registration of a name replaces the first.
    ///
    /// Used for something else than a touch, it does not run.
    public func register(_ name: String, _ handler: @escaping Handler) {
        register(name) { (occasion: Occasion) in
            if case .touch(let touch, let event) = occasion.cause { handler(touch, event) }
        }
    }

    /// Names a handler for anything that a layout's `on:` can have; a second registration of a name replaces the first.
    public func register(_ name: String, _ handler: @escaping OccasionHandler) { handlers[name] = handler }

    /// The names that exist without a layout's doing: the built-in ones and those a program registered.
    public var registeredNames: [String] { Set(handlers.keys).union(Self.builtinNames).sorted() }

    /// A program's handler of a name.
    func handler(named name: String) -> OccasionHandler? { handlers[name] }
}
