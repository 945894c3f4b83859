/// The name of an action (`Selector`).
///
/// Swift on Linux has no Objective-C selectors, so an action is a closure that a responder stores under this name.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Makes a name.
    public nonisolated init(_ name: String) { description = name }

    /// Makes a name from a literal.
    public nonisolated init(stringLiteral name: String) { description = name }
}

extension Responder {
    /// Adds a closure for an action name; replaces an existing closure of that name.
    ///
    /// The closure receives the action's sender and event.
    public func addAction(_ action: Selector, _ body: @escaping (_ sender: Any?, _ event: Event?) -> Void) {
        actions[action] = body
    }

    /// Removes the closure of an action name.
    public func removeAction(_ action: Selector) { actions[action] = nil }
}
