import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

/// The subcommand of a command with one operand, `touchd go PAGE`, `touchd accommodate on`, by its index in `LayoutCommand.Kind.allCases`:
/// ArgumentParser needs a type for each.
struct ChangeCommand<let index: Int>: ParsableCommand {
    private static var kind: LayoutCommand.Kind { LayoutCommand.Kind.allCases[index] }
    private static var isSwitch: Bool { kind.operand == .on }

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
            Self.isSwitch
                ? "on or off." : Self.kind.operand == .page ? "The page's name." : "The view's id in the layout.",
            valueName: Self.kind.operand?.rawValue),
        completion: Self.isSwitch ? .list(["on", "off"]) : NameCompletion.ofRunning(Self.kind.operand))
    var operand: String

    @OptionGroup var control: ControlOptions

    func run() throws {
        guard Self.isSwitch else {
            guard let command = LayoutCommand(Self.kind, name: operand) else { preconditionFailure("it takes a name") }
            return try control.send(command)
        }
        guard operand == "on" || operand == "off" else {
            throw ValidationError("'\(operand)' must be on or off")
        }
        try control.send(.turned(Self.kind, on: operand == "on"))
    }
}
