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

    @Argument(
        help: "The time, up to 1 d: a number of seconds, or 90s, 10min, 1h; 0 ends it now.", transform: Self.duration)
    var time: Duration

    @OptionGroup var control: ControlOptions

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(timeText: text) else {
            let probable = Duration.probableText(for: text).map { "; did you mean '\($0)'?" } ?? ""
            throw ValidationError("it must be a time up to 1 d, such as 90, 10min or 12h\(probable)")
        }
        let limit = Duration.seconds(ControlRequest.longestIgnoring)
        guard duration <= limit else { throw ValidationError("touches can be ignored for at most \(limit.timeText)") }
        return duration
    }

    func run() throws { try control.send(.ignore(seconds: time / .seconds(1))) }
}
