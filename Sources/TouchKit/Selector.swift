/// The name of an action (`Selector`).
///
/// Swift on Linux has no Objective-C selectors, so an action is a closure that a responder stores under this name.
public nonisolated struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Makes a name.
    public nonisolated init(_ name: String) { description = name }

    /// Makes a name from a literal.
    public nonisolated init(stringLiteral name: String) { description = name }
}
