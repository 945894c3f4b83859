/// Identifies a closure that was added to a responder, to remove it.
@MainActor @preconcurrency public final class HandlerToken {
    /// The closure's name, if it has one.
    public var name: String? { names.first }
    /// The names in logs, in order; several for the steps of a layout.
    let names: [String]
    let phase: Touch.Phase
    var isRemoved = false
    let body: (Touch, Event) -> Void

    init(names: [String], phase: Touch.Phase, body: @escaping (Touch, Event) -> Void) {
        self.names = names
        self.phase = phase
        self.body = body
    }
}
