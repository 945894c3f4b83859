/// Something a program's author wants to know of, said once where it happens (`Application.didReport`).
package enum Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Hit-testing answered a view that is in no shown window of the application, so the touch reaches nobody.
    case touchHitDetachedView(touch: Int, view: String)
    /// A class declares `hitTestsByBounds`, but its methods return another view; found in debug builds only.
    case hitTestOverridden(class: String)
    /// A call went up the responder chain to its end, and nothing handled it; for debugging.
    case eventDiscarded(type: Event.EventType)

    /// An action was sent to a target that has none of that name, so that nothing is done.
    case actionNotPerformed(action: String, target: String)

    /// The fact in words.
    package nonisolated var description: String {
        switch self {
        case .touchHitDetachedView(let touch, let view):
            "touch \(touch) reaches nobody: hitTest(_:with:) answered '\(view)', which is in no shown window; "
                + "answer a view of the window, or nil"
        case .actionNotPerformed(let action, let target):
            "nothing is done for action '\(action)': its target, \(target), has no action of that name; give it one with "
                + "addAction(\"\(action)\")"
        case .hitTestOverridden(let name):
            "class '\(name)' declares hitTestsByBounds, but its hitTest(_:with:) returns another view than its bounds give; "
                + "remove the declaration"
        case .eventDiscarded(let type):
            "nothing handles a \(type) event: it went up the responder chain to its end"
        }
    }
}
