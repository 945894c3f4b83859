/// The target and action of a control or a recognizer.
struct TargetAction {
    /// Nil to search the responder chain.
    private let target: Weak<Responder>?
    let action: Selector

    init(_ target: Responder?, _ action: Selector) {
        self.target = target.map { Weak(object: $0) }
        self.action = action
    }

    /// The target; nil for the responder chain, or if it was released.
    var receiver: Responder? { target?.object }

    var searchesChain: Bool { target == nil }

    /// Whether the target was released: unlike a nil target, its action must not search the responder chain.
    var isReleased: Bool { !searchesChain && receiver == nil }

    func sends(_ action: Selector, to target: Responder?) -> Bool {
        self.action == action && !isReleased && receiver === target
    }

    /// Whether it has this target and this action; nil matches any.
    func matches(_ target: Responder?, _ action: Selector?) -> Bool {
        (action == nil || action == self.action) && (target == nil || receiver === target)
    }
}
