/// Identifies a closure that was added to a control, to remove it.
@MainActor @preconcurrency public final class ControlHandlerToken {
    /// The closure's name, if it has one.
    public let name: String?
    let body: (Control, Event?) -> Void
    var isRemoved = false
    /// The action of `addAction`, if it is one.
    var action: Action.Identifier?

    init(name: String?, body: @escaping (Control, Event?) -> Void) {
        self.name = name
        self.body = body
    }
}
