import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

// The commands of `LayoutCommand`, from the command line.

/// `touchd go`.
struct Go: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a page of the running layout.")

    @OptionGroup var target: PageTarget

    func run() throws { try target.control.send(.go(page: target.page)) }
}

/// `touchd show`.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a hidden view, so that it receives touches again.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.show(view: target.view)) }
}

/// `touchd hide`.
struct Hide: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hide a view: it and its subviews receive no new touches. Touches already on it continue.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.hide(view: target.view)) }
}

/// `touchd enable`.
struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Enable a disabled view, so that it receives touches again.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.enable(view: target.view)) }
}

/// `touchd disable`.
struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Disable a view: it receives no touches, and the views behind it do.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.disable(view: target.view)) }
}

/// `touchd toggle`.
struct Toggle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch a toggle on or off without running its handlers; hide or show any other view.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.toggle(view: target.view)) }
}

/// `touchd switch-on`.
struct SwitchOn: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switch a toggle on without running its handlers.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.switchOn(view: target.view)) }
}

/// `touchd switch-off`.
struct SwitchOff: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switch a toggle off without running its handlers.")

    @OptionGroup var target: ViewTarget

    func run() throws { try target.control.send(.switchOff(view: target.view)) }
}

/// `touchd reset`.
struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a page's views: hidden or shown, enabled or disabled, switched on or off as in the layout.")

    @OptionGroup var target: PageTarget

    func run() throws { try target.control.send(.reset(page: target.page)) }
}

/// `touchd ignore`.
struct Ignore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ignore all touches for a time, for example to clean the screen.",
        discussion:
            "Touches that are down are cancelled. If several times overlap, the last end counts; 'touchd ignore 0' ends all."
    )

    @Argument(help: "The time, up to 1 d: a number of seconds, or 90s, 10min, 1h; 0 ends it now.")
    var time: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard let time = Duration(timeText: time) else {
            throw ValidationError("'\(time)' must be \(Duration.textForms)")
        }
        try control.send(.ignore(seconds: time / .seconds(1)))
    }
}

/// `touchd reload`.
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reload the layout of the running touchd.",
        discussion: """
            Returns when the new layout is in use; touches that are down are cancelled. A layout with an error is refused: \
            all errors are printed, the exit status is 65, and the previous layout stays in use.
            """)

    @OptionGroup var control: ControlOptions

    /// The timeout of a reload: a layout of 50,000 views takes a slow machine several seconds. The unit's limit,
    /// TimeoutStartSec=, is a minute.
    private static let timeout = Duration.seconds(55)

    func run() throws {
        try control.run(timeout: Self.timeout) { connection in
            do {
                try connection.send(.command(.reload))
            } catch let error as ControlError where error.code == .layoutRefused && StandardError.isJournal {
                // `systemctl reload`: touchd has logged the errors to the same journal.
                throw ExitCode(EX_DATAERR)
            }
        }
    }
}

/// A page of the running layout.
struct PageTarget: ParsableArguments {
    @Argument(help: "The page's name.")
    var page: String

    @OptionGroup var control: ControlOptions
}

/// A view of the running layout.
struct ViewTarget: ParsableArguments {
    @Argument(help: "The view's id in the layout.")
    var view: String

    @OptionGroup var control: ControlOptions
}
