import TouchKit

/// The callbacks of a scene's views, controls and recognizers.
///
/// A reference to this object makes the closures of 50,000 views smaller.
package final class SceneActions {
    let perform: (HandlerStep, Occasion) -> Void
    /// See `Scene.observer`.
    unowned var observer: (any SceneObserver)?

    init(_ perform: @escaping (HandlerStep, Occasion) -> Void) { self.perform = perform }
}

/// Learns what happens in a scene, whether or not handlers run for it.
package protocol SceneObserver: AnyObject {
    /// A recognizer enters a state that has a trigger; the layout's steps follow.
    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger)

    /// A control is held, pressed, released or switched; the layout's steps follow.
    func controlChanged(_ control: Control, _ change: ControlChange, _ event: Event?)

    /// A control drops a press because of its `cooldown`.
    func pressDropped()

    /// A screen shows another page; the `disappeared` and `appeared` handlers have run.
    func pageShown(_ page: String)
}

/// A change of a control of a layout.
package nonisolated enum ControlChange: String, Sendable {
    /// The first finger is in the control.
    case held
    /// The control was activated.
    case pressed
    /// The last finger has left the control, was lifted or cancelled; once for each `held`.
    case released
    /// A toggle was switched; `Control.isSelected` is its new state.
    case toggled
}

/// The reason why a handler runs.
public struct Occasion {
    /// The kind of event.
    public enum Cause {
        /// A touch entered a phase.
        case touch(Touch, Event)
        /// A recognizer entered a state.
        case gesture(GestureRecognizer)
        /// A control was activated; the event is nil if none caused it (a repeat).
        case control(Control, Event?)
        /// A page appeared or disappeared.
        case page(String)
        /// The screens were not touched for a time, or were touched again.
        case idle
        /// A device is absent, silent or back; its name from the layout's rule or the kernel.
        case device(String)
    }

    /// The trigger of the handler.
    public var trigger: HandlerBinding.Trigger
    /// The cause.
    public var cause: Cause
    /// The responder with the handler, or nil.
    public var responder: Responder?

    /// Makes an occasion.
    public init(_ trigger: HandlerBinding.Trigger, _ cause: Cause, at responder: Responder? = nil) {
        self.trigger = trigger
        self.cause = cause
        self.responder = responder
    }
}
