/// The target and action of a control or a recognizer.
struct TargetAction {
    /// Nil to search the responder chain.
    private let target: Weak<AnyObject>?
    let action: Selector

    init(_ target: Any?, _ action: Selector) {
        self.target = target.map { Weak(object: $0 as AnyObject) }
        self.action = action
    }

    /// The target; nil for the responder chain, or if it was released.
    var receiver: AnyObject? { target?.object }

    var searchesChain: Bool { target == nil }

    /// Whether the target was released: unlike a nil target, its action must not search the responder chain.
    var isReleased: Bool { !searchesChain && receiver == nil }

    func sends(_ action: Selector, to target: Any?) -> Bool {
        self.action == action && !isReleased && receiver === target as AnyObject?
    }

    /// Whether it has this target and this action; nil matches any.
    func matches(_ target: Any?, _ action: Selector?) -> Bool {
        (action == nil || action == self.action) && (target == nil || receiver === target as AnyObject?)
    }
}
