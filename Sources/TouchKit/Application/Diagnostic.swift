/// Something a program's author wants to know of, said once where it happens (`Application.didReport`).
public enum Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Hit-testing answered a view that is in no shown window of the application, so the touch reaches nobody.
    case touchHitDetachedView(touch: Int, view: String)

    /// The fact in words.
    public nonisolated var description: String {
        switch self {
        case .touchHitDetachedView(let touch, let view):
            "touch \(touch) reaches nobody: hitTest(_:with:) answered '\(view)', which is in no shown window; "
                + "answer a view of the window, or nil"
        }
    }
}
