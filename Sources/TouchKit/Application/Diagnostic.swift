/// A fact for the author of a program, reported once where it happens (`Application.didReport`).
package enum Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Hit-testing returned a view that is in no visible window of the application, so nobody receives the touch.
    case touchHitDetachedView(touch: Int, view: String)
    /// A call went up the responder chain to its end, and nothing handled it; for debugging.
    case eventDiscarded(type: Event.EventType)
    /// An action was sent to a target that has no action of that name, so nothing happens.
    case actionNotPerformed(action: String, target: String)
    /// A recognizer assigned a state that cannot follow its current state; reported once for each recognizer.
    case stateNotAllowed(recognizer: String, from: GestureRecognizer.State, to: GestureRecognizer.State)

    /// The fact in words.
    package nonisolated var description: String {
        switch self {
        case .touchHitDetachedView(let touch, let view):
            "touch \(touch) reaches nobody: hitTest(_:with:) answered '\(view)', which is in no shown window; "
                + "answer a view of the window, or nil"
        case .actionNotPerformed(let action, let target):
            "nothing is done for action '\(action)': its target, \(target), has no action of that name; give it one with "
                + "addAction(\"\(action)\")"
        case .eventDiscarded(let type):
            "nothing handles a \(type) event: it went up the responder chain to its end"
        case .stateNotAllowed(let recognizer, .possible, .changed):
            "recognizer '\(recognizer)' set its state from possible to changed, which counts as began and then changed; "
                + "set began first"
        case .stateNotAllowed(let recognizer, let old, let new):
            "recognizer '\(recognizer)' set its state from \(old) to \(new), which is ignored; "
                + "see GestureRecognizer.State for the states that may follow"
        }
    }
}
