import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Foundation
import Layout

/// A command on a page or a view of the running layout.
protocol ChangeVerb {
    static var kind: LayoutCommand.Kind { get }
}

enum Go: ChangeVerb { static let kind = LayoutCommand.Kind.go }
enum Show: ChangeVerb { static let kind = LayoutCommand.Kind.show }
enum Hide: ChangeVerb { static let kind = LayoutCommand.Kind.hide }
enum Enable: ChangeVerb { static let kind = LayoutCommand.Kind.enable }
enum Disable: ChangeVerb { static let kind = LayoutCommand.Kind.disable }
enum Toggle: ChangeVerb { static let kind = LayoutCommand.Kind.toggle }
enum SwitchOn: ChangeVerb { static let kind = LayoutCommand.Kind.switchOn }
enum SwitchOff: ChangeVerb { static let kind = LayoutCommand.Kind.switchOff }
enum Reset: ChangeVerb { static let kind = LayoutCommand.Kind.reset }

extension LayoutCommand.Kind {
    /// What the command does, for the help.
    fileprivate var abstract: String {
        switch self {
        case .go: "Show a page of the running layout."
        case .show: "Show a hidden view, so that it receives touches again."
        case .hide: "Hide a view: it and its subviews receive no new touches. Touches already on it continue."
        case .enable: "Enable a disabled view, so that it receives touches again."
        case .disable: "Disable a view: it receives no touches, and the views behind it do."
        case .toggle: "Switch a toggle on or off without running its handlers; hide or show any other view."
        case .switchOn: "Switch a toggle on without running its handlers."
        case .switchOff: "Switch a toggle off without running its handlers."
        case .reset:
            "Restore a page's views: hidden or shown, enabled or disabled, switched on or off as in the layout."
        case .ignore: "Ignore all touches for a time, for example to clean the screen."
        case .reload: "Reload the layout of the running touchd."
        }
    }
}

/// The subcommand of a verb: `touchd go PAGE`.
struct Change<Verb: ChangeVerb>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Verb.kind.rawValue, abstract: Verb.kind.abstract)
    }

    @Argument(
        help: ArgumentHelp(
            Verb.kind.operand == .page ? "The page's name." : "The view's id in the layout.",
            valueName: Verb.kind.operand?.rawValue))
    var name: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard let command = LayoutCommand(Verb.kind, name: name) else { preconditionFailure("it takes a name") }
        try control.send(command)
    }
}

struct Ignore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignore",
        abstract: LayoutCommand.Kind.ignore.abstract,
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

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: LayoutCommand.Kind.reload.abstract,
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
