/// A change to the running layout; a handler's step, a request on the control socket, a subcommand of `touchd` and the
/// inspector's page use the same commands.
package enum LayoutCommand: Sendable, Equatable {
    /// A command whose operand is a text, mostly the name of a page or view. `init(_:name:)` makes it, so its kind has one.
    case named(Kind, String)
    /// Says a text, in a language if one is given.
    case say(String, language: String?)
    /// Ignores all touches for a time in seconds; 0 ends it.
    case ignore(seconds: Double)
    /// Turns something on or off that concerns all touches.
    case turned(Kind, on: Bool)
    /// Reloads the layout.
    case reload

    /// The command's name in layouts, requests and on the command line.
    package enum Kind: String, CaseIterable, JSONValue, Sendable {
        /// Shows a page.
        case go
        /// Changes a view by its id; `toggle` switches a toggle control, and shows or hides any other view.
        case show, hide, enable, disable, toggle
        /// Switches a toggle on or off, without running its handlers.
        case switchOn = "switch-on", switchOff = "switch-off"
        /// Restores what the views of a page were at first: hidden or shown, enabled or disabled, switched on or off.
        case reset
        /// Says a text to somebody who does not see the screen, or sets the language of labels.
        case say, language
        case ignore, accommodate
        /// Turns the talking mode on or off.
        case talk
        case reload

        /// The operand, nil for none; what the command does, as a key of a layout; and what it does, as a subcommand.
        package var description: (operand: Operand?, sentence: String, abstract: String) {
            switch self {
            case .go: (.page, "Shows a page.", "Show a page of the running layout.")
            case .show: (.view, "Shows a view.", "Show a hidden view, so that it receives touches again.")
            case .hide:
                (
                    .view, "Hides a view.",
                    "Hide a view: it and its subviews receive no new touches. Touches already on it continue."
                )
            case .enable:
                (
                    .view, "Enables a view, so that it takes touches.",
                    "Enable a disabled view, so that it receives touches again."
                )
            case .disable:
                (
                    .view, "Disables a view, so that it takes no touches.",
                    "Disable a view: it receives no touches, and the views behind it do."
                )
            case .toggle:
                (
                    .view, "Switches a toggle; shows or hides any other view.",
                    "Switch a toggle on or off without running its handlers; hide or show any other view."
                )
            case .switchOn:
                (
                    .view, "Switches a toggle on, without running its handlers.",
                    "Switch a toggle on without running its handlers."
                )
            case .switchOff:
                (
                    .view, "Switches a toggle off, without running its handlers.",
                    "Switch a toggle off without running its handlers."
                )
            case .reset:
                (
                    .page, "Restores the views of a page: hidden, enabled and switched on as at startup.",
                    "Restore a page's views: hidden or shown, enabled or disabled, switched on or off as in the layout."
                )
            case .ignore:
                (
                    .seconds, "Ignores all touches for this time, so that the screen can be cleaned.",
                    "Ignore all touches for a time, for example to clean the screen."
                )
            case .accommodate:
                (
                    .on, "Turns the layout's 'accommodations' on or off.",
                    "Turn the layout's accommodations, for hands that tremble or are slow, on or off."
                )
            case .talk:
                (
                    .on, "Turns the talking mode on or off, for people who do not see the screen.",
                    "Turn the talking mode on or off, for people who do not see the screen."
                )
            case .say:
                (.text, "Has a text said in the talking mode.", "Have a text said in the talking mode.")
            case .language:
                (.language, "Sets the language of labels.", "Set the language of labels in the talking mode.")
            case .reload: (nil, "Reads the layout again.", "Reload the layout of the running touchd.")
            }
        }

        package var operand: Operand? { description.operand }
    }

    /// The operand of a command; the raw value is the key in a request.
    package enum Operand: String, Sendable {
        case page, view, seconds, on, text, language
    }

    /// Makes a command whose operand is a text, or `on` or `off`; nil if the command has another operand.
    package init?(_ kind: Kind, name: String) {
        switch kind.operand {
        case .page, .view, .language: self = .named(kind, name)
        case .text: self = .say(name, language: nil)
        case .on where name == "on" || name == "off": self = .turned(kind, on: name == "on")
        case .seconds, .on, nil: return nil
        }
    }

    /// A command of a kind, whose operand is set afterwards.
    init(prototypeOf kind: Kind) {
        self =
            switch kind.operand {
            case .page, .view, .language: .named(kind, "")
            case .text: .say("", language: nil)
            case .seconds: .ignore(seconds: 0)
            case .on: .turned(kind, on: false)
            case nil: .reload
            }
    }

    package var kind: Kind {
        switch self {
        case .named(let kind, _), .turned(let kind, _): kind
        case .say: .say
        case .ignore: .ignore
        case .reload: .reload
        }
    }

    /// The page, view or other text; nil for a command without one.
    package var name: String? {
        switch self {
        case .named(_, let name), .say(let name, _): name
        case .ignore, .turned, .reload: nil
        }
    }
}
