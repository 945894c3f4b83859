import ArgumentParser
import CommandSupport
import ControlProtocol
import Foundation

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
