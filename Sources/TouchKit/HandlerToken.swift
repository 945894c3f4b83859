/// Identifies a closure that was added to a responder, to remove it.
public final class HandlerToken {
    /// The closure's name, if it has one.
    public let name: String?
    let phase: Touch.Phase
    // Before the closure: a layout has a token for each of up to 100,000 views, and it is 16 bytes smaller in this order.
    var isRemoved = false
    let body: (Touch, Event) -> Void

    init(name: String?, phase: Touch.Phase, body: @escaping (Touch, Event) -> Void) {
        self.name = name
        self.phase = phase
        self.body = body
    }
}
