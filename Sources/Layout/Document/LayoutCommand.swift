import Foundation

/// A change to the layout at work: the same for a handler's step, a request on the control socket, a subcommand of `touchd`
/// and the inspector's page.
public nonisolated enum LayoutCommand: Sendable, Equatable {
    /// Shows a page.
    case go(page: String)
    /// Changes a view, by its id; `toggle` switches a toggle control, and hides or shows any other view.
    case show(view: String), hide(view: String), enable(view: String), disable(view: String), toggle(view: String)
    /// Ignores all touches for a number of seconds.
    case ignore(seconds: TimeInterval)
    /// Reads the layout again.
    case reload

    /// The word for a command, in layouts, requests and on the command line.
    public enum Word: String, CaseIterable, Sendable {
        case go, show, hide, enable, disable, toggle, ignore, reload

        /// What follows the word; nil for nothing.
        public var operand: Operand? {
            switch self {
            case .go: .page
            case .show, .hide, .enable, .disable, .toggle: .view
            case .ignore: .seconds
            case .reload: nil
            }
        }
    }

    /// What a command is about; the raw value is the key in a request.
    public enum Operand: String, Sendable {
        case page, view, seconds
    }

    /// Makes the command for a page or a view; nil if the word takes neither.
    public init?(_ word: Word, name: String) {
        switch word {
        case .go: self = .go(page: name)
        case .show: self = .show(view: name)
        case .hide: self = .hide(view: name)
        case .enable: self = .enable(view: name)
        case .disable: self = .disable(view: name)
        case .toggle: self = .toggle(view: name)
        case .ignore, .reload: return nil
        }
    }

    /// The command's word.
    public var word: Word {
        switch self {
        case .go: .go
        case .show: .show
        case .hide: .hide
        case .enable: .enable
        case .disable: .disable
        case .toggle: .toggle
        case .ignore: .ignore
        case .reload: .reload
        }
    }

    /// The page or the view; nil for a command without one.
    public var name: String? {
        switch self {
        case .go(let name), .show(let name), .hide(let name), .enable(let name), .disable(let name), .toggle(let name):
            name
        case .ignore, .reload: nil
        }
    }
}
