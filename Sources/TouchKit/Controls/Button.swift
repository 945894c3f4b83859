/// A control that is there to be tapped (`UIButton`): it sends `primaryActionTriggered` after `touchUpInside`.
open class Button: Control {
    /// Keeps single taps of one finger on superviews from recognizing: such a tap on a button belongs to the button.
    ///
    /// `UIGestureRecognizer`'s documentation has this rule for controls with a default action, such as buttons and switches.
    /// Other controls do not have it.
    open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        guard let tap = recognizer as? TapGestureRecognizer, tap.view !== self else { return true }
        return tap.numberOfTapsRequired > 1 || tap.numberOfTouchesRequired > 1
    }

    /// Sends the actions for some control events, and after `touchUpInside` those for `primaryActionTriggered`.
    open override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        if events.contains(.touchUpInside) { super.sendActions(for: .primaryActionTriggered, with: event) }
    }
}
