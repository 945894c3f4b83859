/// The name of an action, and possibly the method that performs it (`Selector`).
///
/// Swift on Linux has no Objective-C selectors. A responder stores a closure under the name (`Responder.addAction(_:_:)`). A
/// selector with a method needs none, and its target may be an object of any class:
///
///     UITapGestureRecognizer(target: self, action: Selector("tapped", Card.tapped))
///
/// in place of `#selector(tapped)`. Two selectors are equal if their names are.
public nonisolated struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String
    // Only the main actor calls it.
    private nonisolated(unsafe) let method: Method?

    /// A method of a class.
    private struct Method {
        let fits: (AnyObject) -> Bool
        let call: @MainActor (AnyObject, Any?) -> Void
    }

    /// Makes a name.
    public init(_ name: String) { self.init(name, method: nil) }

    /// Makes a name from a literal.
    public init(stringLiteral name: String) { self.init(name, method: nil) }

    /// Makes an action that a method without parameters performs.
    @preconcurrency
    public init<Target: AnyObject>(_ name: String, _ method: @escaping @MainActor (Target) -> () -> Void) {
        self.init(name) { (target: Target, _) in method(target)() }
    }

    /// Makes an action that a method performs with its sender, a control or a recognizer.
    @preconcurrency
    public init<Target: AnyObject, Sender>(
        _ name: String, _ method: @escaping @MainActor (Target) -> (Sender) -> Void
    ) {
        self.init(name) { (target: Target, sender) in
            if let sender = sender as? Sender { method(target)(sender) }
        }
    }

    private init<Target: AnyObject>(_ name: String, call: @escaping @MainActor (Target, Any?) -> Void) {
        self.init(
            name,
            method: Method(
                fits: { $0 is Target },
                call: { target, sender in
                    if let target = target as? Target { call(target, sender) }
                }))
    }

    private init(_ name: String, method: Method?) { (description, self.method) = (name, method) }

    /// Whether the action's method is one of the target's class.
    func hasMethod(of target: AnyObject) -> Bool { method?.fits(target) == true }

    /// Calls the action's method, if it is one of the target's class.
    @MainActor func call(on target: AnyObject, with sender: Any?) { method?.call(target, sender) }

    /// Compares the names.
    public static func == (left: Selector, right: Selector) -> Bool { left.description == right.description }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
