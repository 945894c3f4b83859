/// Identifies a closure or action of a recognizer, to remove it.
@MainActor @preconcurrency public final class GestureHandlerToken {
    /// The closure's name, if it has one.
    public let name: String?
    let body: (GestureRecognizer) -> Void
    /// The states that call it; nil for every state that calls actions.
    let states: [GestureRecognizer.State]?
    /// Its target and action, if it has them.
    let target: TargetAction?
    var isRemoved = false

    init(
        name: String?, target: TargetAction? = nil, states: [GestureRecognizer.State]? = nil,
        body: @escaping (GestureRecognizer) -> Void
    ) {
        self.name = name
        self.target = target
        self.states = states
        self.body = body
    }
}
