/// A fact for a program's author, reported when it happens (`Application.didReport`).
package enum Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Hit-testing returned a view that is in no visible window of the application, so no view receives the touch.
    case touchHitDetachedView(touch: Int, view: String)
    /// A touch waited longer than `Application.touchAgeLimit` before it could begin, and was dropped; in seconds.
    case touchDropped(age: Double)
    /// A class declares `hitTestsByBounds`, but its overrides return another view; detected in debug builds only.
    case hitTestOverridden(class: String)
    /// A call reached the end of the responder chain unhandled; for debugging.
    case eventDiscarded(type: Event.EventType)
    /// The target of an action has no such action, so nothing was performed.
    case actionNotPerformed(action: String, target: String)
    /// Each of these recognizers waits for the next to fail, and the last for the first; reported once.
    case failureCircle(recognizers: [String])
    /// A recognizer set a state that its current state does not allow; reported once for each recognizer.
    case stateNotAllowed(recognizer: String, from: GestureRecognizer.State, to: GestureRecognizer.State)

    /// A description for logs.
    package nonisolated var description: String {
        switch self {
        case .touchHitDetachedView(let touch, let view):
            "touch \(touch) reaches nobody: hitTest(_:with:) answered '\(view)', which is in no shown window; "
                + "answer a view of the window, or nil"
        case .touchDropped(let age):
            "a touch was dropped, because it waited \((age * 10).rounded() / 10) s for the handlers before it"
        case .actionNotPerformed(let action, let target):
            "nothing is done for action '\(action)': its target, \(target), has no action of that name; give it one with "
                + "addAction(\"\(action)\")"
        case .hitTestOverridden(let name):
            "class '\(name)' declares hitTestsByBounds, but its hitTest(_:with:) returns another view than its bounds give; "
                + "remove the declaration"
        case .failureCircle(let names):
            "recognizers wait for each other to fail: \(names.map { "'\($0)'" }.joined(separator: ", ")); "
                + "the requirement that closes the circle is ignored; remove one of them"
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
