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
        guard let duration = Duration(timeText: time) else {
            let probable = Duration.probableText(for: time).map { "; did you mean '\($0)'?" } ?? ""
            throw ValidationError("'\(time)' must be a time up to 1 d, such as 90, 10min or 12h\(probable)")
        }
        let longest = ControlRequest.longestIgnoring
        guard duration <= .seconds(longest) else {
            throw ValidationError("touches can be ignored for at most \(Duration.seconds(longest).timeText)")
        }
        try control.send(.ignore(seconds: duration / .seconds(1)))
    }
}
