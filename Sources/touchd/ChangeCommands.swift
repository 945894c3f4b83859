import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Foundation
import Layout

/// The subcommand of a command for a page or a view, `touchd go PAGE`, by its index in `LayoutCommand.Kind.allCases`:
/// ArgumentParser needs a type for each.
struct Change<let index: Int>: ParsableCommand {
    private static var kind: LayoutCommand.Kind { LayoutCommand.Kind.allCases[index] }

    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: kind.rawValue, abstract: kind.description.abstract)
    }

    @Argument(
        help: ArgumentHelp(
            Self.kind.operand == .page ? "The page's name." : "The view's id in the layout.",
            valueName: Self.kind.operand?.rawValue))
    var name: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard let command = LayoutCommand(Self.kind, name: name) else { preconditionFailure("it takes a name") }
        try control.send(command)
    }
}

struct Ignore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignore",
        abstract: LayoutCommand.Kind.ignore.description.abstract,
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
        abstract: LayoutCommand.Kind.reload.description.abstract,
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
