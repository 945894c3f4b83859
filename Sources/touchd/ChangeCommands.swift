import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

/// The subcommand of a command with one operand, `touchd go PAGE`, by its index in `LayoutCommand.Kind.allCases`:
/// ArgumentParser needs a type for each.
struct ChangeCommand<let index: Int>: ParsableCommand {
    private static var kind: LayoutCommand.Kind { LayoutCommand.Kind.allCases[index] }
    private static var operand: (help: String, completion: CompletionKind) {
        switch kind.operand {
        case .page: ("The page's name.", NameCompletion.ofRunning(.page))
        case .text: ("The text, in one argument.", .default)
        case .language: ("The tag of the language, as in the layout.", .default)
        case .on: ("on or off.", .list(["on", "off"]))
        case .view, .seconds, nil: ("The view's id in the layout.", NameCompletion.ofRunning(.view))
        }
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: kind.rawValue, abstract: kind.description.abstract,
            discussion: (kind == .toggle
                ? "In scripts, say the result: show and hide, or switch-on and switch-off.\n\n" : "")
                + "Example: touchd \(kind.rawValue) \(kind.operand == .page ? "start" : "help")"
        )
    }

    @Argument(
        help: ArgumentHelp(Self.operand.help, valueName: Self.kind.operand?.rawValue),
        completion: Self.operand.completion)
    var operand: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard let command = LayoutCommand(Self.kind, name: operand) else {
            throw ValidationError("'\(operand)' must be on or off")
        }
        try control.send(command)
    }
}
