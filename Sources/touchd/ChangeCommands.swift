import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

/// The subcommand of a command for a page or a view, `touchd go PAGE`, by its index in `LayoutCommand.Kind.allCases`:
/// ArgumentParser needs a type for each.
struct ChangeCommand<let index: Int>: ParsableCommand {
    private static var kind: LayoutCommand.Kind { LayoutCommand.Kind.allCases[index] }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: kind.rawValue, abstract: kind.description.abstract,
            discussion: (kind == .toggle
                ? "In scripts, say the result: show and hide, or switch-on and switch-off.\n\n" : "")
                + "Example: touchd \(kind.rawValue) \(kind.operand == .page ? "start" : "help")"
        )
    }

    @Argument(
        help: ArgumentHelp(
            Self.kind.operand == .page ? "The page's name." : "The view's id in the layout.",
            valueName: Self.kind.operand?.rawValue),
        completion: NameCompletion.ofRunning(Self.kind.operand))
    var name: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard let command = LayoutCommand(Self.kind, name: name) else { preconditionFailure("it takes a name") }
        try control.send(command)
    }
}
