/// A control that is there to be tapped (`UIButton`): it sends `primaryActionTriggered` after `touchUpInside`.
open class Button: Control {
    override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        if events.contains(.touchUpInside) { super.sendActions(for: .primaryActionTriggered, with: event) }
    }
}
