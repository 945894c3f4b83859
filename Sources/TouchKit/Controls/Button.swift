/// A control that is there to be tapped (`UIButton`): it sends `primaryActionTriggered` after `touchUpInside`.
open class Button: Control {
    /// The styles of `UIButton.ButtonType`, with its raw values. A button draws nothing, so all of them behave alike.
    public enum ButtonType: Int, Sendable {
        /// No style.
        case custom = 0
        /// The style of the system.
        case system = 1
        /// A button that shows details.
        case detailDisclosure = 2
        /// A button that shows information, on a dark background.
        case infoLight = 3
        /// A button that shows information, on a light background.
        case infoDark = 4
        /// A button that adds a contact.
        case contactAdd = 5
        /// A button that closes something.
        case close = 7
    }

    /// The button's style; it has no effect on touches.
    public private(set) final var buttonType = ButtonType.custom

    /// Makes a button without extent (`UIButton.init(type:)`).
    public convenience init(type: ButtonType) {
        self.init(frame: .zero)
        buttonType = type
    }

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
