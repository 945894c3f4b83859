import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

/// The subcommand of a command with one operand, `touchd go PAGE`, by its index in `LayoutCommand.Kind.allCases`:
/// ArgumentParser needs a type for each.
struct ChangeCommand<let index: Int>: ParsableCommand {
    private static var kind: LayoutCommand.Kind { LayoutCommand.Kind.allCases[index] }
    private static var operand: (help: String, example: String, completion: CompletionKind) {
        switch kind.operand {
        case .page: ("The page's name.", "start", NameCompletion.ofRunning(.page))
        case .text: ("The text, in one argument.", "'Please wait'", .default)
        case .language: ("The tag of the language, as in the layout.", "de", .default)
        case .on: ("on or off.", "on", .list(["on", "off"]))
        case .view, .seconds, nil: ("The view's id in the layout.", "help", NameCompletion.ofRunning(.view))
        }
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: kind.rawValue, abstract: kind.description.abstract,
            discussion: (kind == .toggle
                ? "In scripts, say the result: show and hide, or switch-on and switch-off.\n\n" : "")
                + "Example: touchd \(kind.rawValue) \(operand.example)"
        )
    }

    @Argument(
        help: ArgumentHelp(
            Self.operand.help, valueName: Self.kind.operand == .on ? "on|off" : Self.kind.operand?.rawValue),
        completion: Self.operand.completion, transform: Self.command)
    var command: LayoutCommand

    @OptionGroup var control: ControlOptions

    private static func command(_ operand: String) throws -> LayoutCommand {
        guard let command = LayoutCommand(kind, name: operand) else { throw ValidationError("it must be on or off") }
        return command
    }

    func run() throws { try control.send(command) }
}
