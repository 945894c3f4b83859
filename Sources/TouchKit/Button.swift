/// A control for taps (`UIButton`): it sends `primaryActionTriggered` after `touchUpInside`.
///
/// ```swift
/// let start = Button(frame: CGRect(x: 660, y: 440, width: 600, height: 200))
/// start.addHandler(for: .primaryActionTriggered, name: "start") { _, _ in print("start") }
/// view.addSubview(start)
/// ```
@MainActor @preconcurrency open class Button: Control {
    /// The styles of `UIButton.ButtonType`, with its raw values. A button draws nothing, so they all behave alike.
    public nonisolated enum ButtonType: Int, Sendable {
        /// No style.
        case custom = 0
        /// The system's style.
        case system = 1
        /// A button for details.
        case detailDisclosure = 2
        /// A button for information on a dark background.
        case infoLight = 3
        /// A button for information on a light background.
        case infoDark = 4
        /// A button that adds a contact.
        case contactAdd = 5
        /// A button that closes something.
        case close = 7
    }

    /// The button's style; it has no effect on touches.
    public private(set) final var buttonType = ButtonType.custom

    private final var titles: [UInt: String] = [:]

    /// The title for the button's present state; nobody draws it.
    open var currentTitle: String? { title(for: state) }

    open override var accessibilityLabel: String? {
        get { super.accessibilityLabel ?? currentTitle }
        set { super.accessibilityLabel = newValue }
    }

    override class var classOfModule: View.Type { Button.self }

    /// Makes a button with an empty frame (`UIButton.init(type:)`).
    public convenience init(type: ButtonType) {
        self.init(frame: .zero)
        buttonType = type
    }

    /// Sets the title for a state (`UIButton.setTitle(_:for:)`).
    open func setTitle(_ title: String?, for state: State) { titles[state.rawValue] = title }

    /// The title for a state, or else that for the normal one.
    open func title(for state: State) -> String? { titles[state.rawValue] ?? titles[State.normal.rawValue] }

    /// Prevents single-finger single taps on superviews: such a tap on a button belongs to the button.
    ///
    /// Rule: the documentation of `UIGestureRecognizer`, for controls with a default action, such as buttons and
    /// switches. Other controls do not have it.
    open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        guard let tap = recognizer as? TapGestureRecognizer, tap.attachedView !== self else { return true }
        return tap.numberOfTapsRequired > 1 || tap.numberOfTouchesRequired > 1
    }

    /// Sends the actions for control events, and those for `primaryActionTriggered` after `touchUpInside` alone.
    open override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        guard events.contains(.touchUpInside), !events.contains(.primaryActionTriggered) else { return }
        super.sendActions(for: .primaryActionTriggered, with: event)
    }
}
