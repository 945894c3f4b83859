/// One line of an `on:`: a trigger and its step.
public nonisolated struct HandlerBinding: Sendable, Equatable {
    /// The trigger of a step.
    public enum Trigger: String, Sendable, CaseIterable {
        /// A touch began; a gesture began.
        case began
        /// A touch moved.
        case moved
        /// A touch ended; a gesture ended.
        case ended
        /// A touch or a gesture was cancelled, for example because the device was removed or the layout was replaced.
        case cancelled
        /// A discrete gesture was recognized, or a continuous one began.
        case recognized
        /// A continuous gesture changed.
        case changed
        /// A control was activated.
        case pressed
        /// The first finger is in a control.
        case held
        /// The last finger has left a control, was lifted or cancelled; once for each `held`.
        case released
        /// A toggle was switched on.
        case switchedOn = "switched-on"
        /// A toggle was switched off.
        case switchedOff = "switched-off"
        /// A page appeared.
        case appeared
        /// A page disappeared.
        case disappeared
        /// The screens were not touched for a time.
        case idle
        /// A screen was touched again after that time.
        case woken
        /// An expected device is missing.
        case absent
        /// A device reported nothing for a time.
        case silent
        /// A device that was absent or silent is back.
        case back
    }

    /// The trigger.
    package var trigger: Trigger
    /// The step.
    package var step: HandlerStep
}
