import Evdev
import Foundation
import TouchKit

/// What made a handler run.
public struct Occasion {
    /// What happened.
    public enum Cause {
        /// A touch entered a phase.
        case touch(Touch, Event)
        /// A recognizer entered a state.
        case gesture(GestureRecognizer)
        /// A control did what it is there for; the event is nil where no event made it so (a repeat).
        case control(Control, Event?)
        /// A page was shown, or another in its place.
        case page(String)
        /// Nobody touched any screen for a time, or somebody did again.
        case idle
        /// A device is absent, silent or back; its name as the layout's rule or the kernel has it.
        case device(String)
    }

    /// When the handler was to run.
    public var trigger: HandlerBinding.Trigger
    /// What happened.
    public var cause: Cause
    /// The responder that the handler was attached to; nil where none was.
    public var responder: Responder?

    /// Makes an occasion.
    public init(_ trigger: HandlerBinding.Trigger, _ cause: Cause, at responder: Responder? = nil) {
        self.trigger = trigger
        self.cause = cause
        self.responder = responder
    }
}
