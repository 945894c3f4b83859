/// A change to the running layout; a handler's step, a request on the control socket, a subcommand of `touchd` and the
/// inspector's page use the same commands.
package enum LayoutCommand: Sendable, Equatable {
    /// A command for a page or a view, by its name. `init(_:name:)` makes it, so its kind has such an operand.
    case named(Kind, String)
    /// Ignores all touches for a time in seconds; 0 ends it.
    case ignore(seconds: Double)
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
        case ignore, reload

        /// The operand; nil for none.
        package var operand: Operand? {
            switch self {
            case .go, .reset: .page
            case .show, .hide, .enable, .disable, .toggle, .switchOn, .switchOff: .view
            case .ignore: .seconds
            case .reload: nil
            }
        }
    }

    /// The operand of a command; the raw value is the key in a request.
    package enum Operand: String, Sendable {
        case page, view, seconds
    }

    /// Makes the command for a page or a view; nil if the command takes neither.
    package init?(_ kind: Kind, name: String) {
        guard kind.operand == .page || kind.operand == .view else { return nil }
        self = .named(kind, name)
    }

    package var kind: Kind {
        switch self {
        case .named(let kind, _): kind
        case .ignore: .ignore
        case .reload: .reload
        }
    }

    /// The page or view; nil for a command without one.
    package var name: String? {
        if case .named(_, let name) = self { name } else { nil }
    }
}
