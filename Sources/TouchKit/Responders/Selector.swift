/// The name of an action (`Selector`).
///
/// Swift has no Objective-C selectors on Linux, so an action is a closure that a responder has under this name.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Makes a name.
    public nonisolated init(_ name: String) { description = name }

    /// Makes a name from a literal.
    public nonisolated init(stringLiteral name: String) { description = name }
}

extension Responder {
    /// Gives the responder a closure to perform when an action of a name is sent to it; replaces one of that name.
    ///
    /// The closure is given the action's sender and event.
    public func addAction(_ action: Selector, _ body: @escaping (_ sender: Any?, _ event: Event?) -> Void) {
        actions[action] = body
    }

    /// Takes the closure of a name away.
    public func removeAction(_ action: Selector) { actions[action] = nil }
}
