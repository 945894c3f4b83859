import TouchKit

/// The reason why a handler runs.
public struct HandlerContext {
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

    /// Makes a context.
    package init(_ trigger: HandlerBinding.Trigger, _ cause: Cause, at responder: Responder? = nil) {
        self.trigger = trigger
        self.cause = cause
        self.responder = responder
    }
}
