import Foundation

/// A change to the running layout; a handler's step, a request on the control socket, a subcommand of `touchd` and the
/// inspector's page use the same commands.
package nonisolated enum LayoutCommand: Sendable, Equatable {
    /// Shows a page.
    case go(page: String)
    /// Changes a view by its id; `toggle` switches a toggle control, and shows or hides any other view.
    case show(view: String), hide(view: String), enable(view: String), disable(view: String), toggle(view: String)
    /// Switches a toggle on or off, without running its handlers.
    case switchOn(view: String), switchOff(view: String)
    /// Restores what the views of a page were at first: hidden or shown, enabled or disabled, switched on or off.
    case reset(page: String)
    /// Ignores all touches for a time in seconds.
    case ignore(seconds: TimeInterval)
    /// Reloads the layout.
    case reload

    /// The command's name in layouts, requests and on the command line.
    package enum Kind: String, CaseIterable, Sendable {
        case go, show, hide, enable, disable, toggle
        case switchOn = "switch-on", switchOff = "switch-off"
        case reset, ignore, reload

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
        switch kind {
        case .go: self = .go(page: name)
        case .show: self = .show(view: name)
        case .hide: self = .hide(view: name)
        case .enable: self = .enable(view: name)
        case .disable: self = .disable(view: name)
        case .toggle: self = .toggle(view: name)
        case .switchOn: self = .switchOn(view: name)
        case .switchOff: self = .switchOff(view: name)
        case .reset: self = .reset(page: name)
        case .ignore, .reload: return nil
        }
    }

    /// The command's name.
    package var kind: Kind {
        switch self {
        case .go: .go
        case .show: .show
        case .hide: .hide
        case .enable: .enable
        case .disable: .disable
        case .toggle: .toggle
        case .switchOn: .switchOn
        case .switchOff: .switchOff
        case .reset: .reset
        case .ignore: .ignore
        case .reload: .reload
        }
    }

    /// The page or view; nil for a command without one.
    package var name: String? {
        switch self {
        case .go(let name), .show(let name), .hide(let name), .enable(let name), .disable(let name), .toggle(let name),
            .switchOn(let name), .switchOff(let name), .reset(let name):
            name
        case .ignore, .reload: nil
        }
    }
}
