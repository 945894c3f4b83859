/// A control that is there to be tapped (`UIButton`): it sends `primaryActionTriggered` after `touchUpInside`.
open class Button: Control {
    /// Sends the actions for some control events, and after `touchUpInside` those for `primaryActionTriggered`.
    open override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        if events.contains(.touchUpInside) { super.sendActions(for: .primaryActionTriggered, with: event) }
    }
}
